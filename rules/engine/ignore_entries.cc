#include "rules/engine/ignore_entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "rules/engine/fingerprint.h"

namespace gpulint {
namespace {

/// Today in UTC, as the configuration writes dates; texts of this form compare like the days they name.
std::string today() {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

bool has_expired(const IgnoreEntry& entry, const std::string& day) { return !entry.expires.empty() && entry.expires < day; }

bool covers(const IgnoreEntry& entry, const Policy& policy, const Finding& finding) {
  return finding.rule && finding.rule->id == entry.rule && (entry.paths.empty() || policy.matches(entry.paths, finding.file));
}

/// Whether the entry could cover something in a place that was not judged, perhaps a folder: rather too often than too seldom.
bool may_reach(const IgnoreEntry& entry, std::string_view place) {
  if (place == ".") place = {};
  return entry.paths.empty() || std::any_of(entry.paths.begin(), entry.paths.end(), [&](const std::string& glob) {
    const std::string_view plain = std::string_view(glob).substr(0, glob.find_first_of("*?["));
    return glob.find('/') == glob.npos || plain.starts_with(place) || place.starts_with(plain);
  });
}

/// Whether it is known that nothing is left for the entry to cover.
bool is_stale(const IgnoreEntry& entry, const Policy& policy, const Report& report) {
  const Rule* rule = find_rule(entry.rule);
  if (!policy.reads_all || !rule || rule->id == "unused-suppression" || policy.is_off(*rule)) return false;
  if (rule->applies && !rule->applies(policy.cluster)) return false;
  if (entry.paths.empty() && policy.webhook.configured) return false;
  return std::none_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) { return covers(entry, policy, finding); }) &&
         std::none_of(report.not_judged.begin(), report.not_judged.end(), [&](const NotJudged& left) { return may_reach(entry, policy.paths.relative(left.file)); });
}

Finding finding_about(const IgnoreEntry& entry, const Rule& rule, const Policy& policy, std::string message) {
  const RuleSettings* settings = policy.settings(rule.id);
  Finding finding;
  finding.rule = &rule;
  finding.severity = settings && settings->severity ? *settings->severity : Severity::warning;
  finding.message = std::move(message);
  finding.file = entry.place.file;
  finding.pointer = entry.place.pointer;
  finding.range = entry.place.range;
  finding.excerpt = entry.place.line;
  std::vector<std::string> known_by{std::string(rule.id), entry.rule};
  known_by.insert(known_by.end(), entry.paths.begin(), entry.paths.end());
  finding.fingerprint = fingerprint_of(known_by);
  return finding;
}

}  // namespace

void suppress_by_configuration(const Policy& policy, std::vector<Finding>& findings, std::size_t begin) {
  if (policy.ignore.empty()) return;
  const std::string day = today();
  for (const IgnoreEntry& entry : policy.ignore) {
    if (has_expired(entry, day)) continue;
    for (std::size_t i = begin; i < findings.size(); ++i)
      if (!findings[i].suppressed && covers(entry, policy, findings[i])) findings[i].suppressed = Suppression{"configuration", entry.reason};
  }
}

void report_ignore_entries(const Policy& policy, Report& report) {
  const Rule* rule = find_rule("unused-suppression");
  if (!rule || policy.ignore.empty() || !policy.lint || !policy.honour_suppressions || policy.is_off(*rule)) return;
  const std::string day = today();
  std::vector<Finding> found;
  for (const IgnoreEntry& entry : policy.ignore) {
    if (has_expired(entry, day))
      found.push_back(finding_about(entry, *rule, policy,
                                    fmt::format("this ignore entry for {} expired on {} and suppresses nothing any more", entry.rule, entry.expires)));
    else if (is_stale(entry, policy, report))
      found.push_back(finding_about(entry, *rule, policy,
                                    fmt::format("this ignore entry suppresses nothing: {} finds nothing {}", entry.rule,
                                                entry.paths.empty() ? "here" : "under its paths")));
  }
  suppress_by_configuration(policy, found, 0);
  std::move(found.begin(), found.end(), std::back_inserter(report.findings));
}

}  // namespace gpulint
