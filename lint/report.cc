#include "lint/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::array<ReportFormat, 8> kFormats{{{"text", write_text, true},
                                                {"compact", write_compact},
                                                {"json", write_json, true},
                                                {"sarif", write_sarif, true},
                                                {"junit", write_junit, true, true},
                                                {"github", write_github, true},
                                                {"gitlab", write_gitlab},
                                                {"checkstyle", write_checkstyle}}};

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(std::string_view name) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [name](const ReportFormat& f) { return f.name == name; });
  return found == kFormats.end() ? nullptr : &*found;
}

bool is_shown(const Finding& finding, const ReportOptions& options) {
  if (finding.suppressed && !options.show_suppressed) return false;
  return finding.severity != Severity::info || options.show_infos;
}

std::vector<const Finding*> listed_findings(const Report& report, const ReportOptions& options, std::size_t limit) {
  std::vector<const Finding*> listed;
  for (const Finding& finding : report.findings)
    if (is_shown(finding, options)) listed.push_back(&finding);
  if (limit == 0 || listed.size() <= limit) return listed;
  std::stable_sort(listed.begin(), listed.end(), [](const Finding* a, const Finding* b) { return a->severity > b->severity; });
  listed.resize(limit);
  std::sort(listed.begin(), listed.end());  // all point into one vector: its order
  return listed;
}

std::vector<const Finding*> open_findings(const Report& report, ReportOptions options) {
  options.show_suppressed = false;
  return listed_findings(report, options);
}

std::string left_out_line(const Report& report, const ReportOptions& options) {
  const auto shown = static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(), [&](const Finding& finding) { return is_shown(finding, options); }));
  if (options.max_findings == 0 || shown <= options.max_findings) return {};
  return fmt::format("... and {} more, see them without --max-findings\n", shown - options.max_findings);
}

std::string compiler_line(const Finding& finding) {
  return fmt::format("{}:{}:{}: {}: {} [{}]", visible(finding.file), finding.range.start.line, finding.range.start.column,
                     name_of(finding.severity), visible(finding.message), finding.rule->id);
}

std::string suppression_words(const Suppression& suppression) {
  return fmt::format("suppressed by {}{}{}", suppression.by, suppression.reason.empty() ? "" : ": ", suppression.reason);
}

std::string hint_of(const Finding& finding) {
  if (finding.fix) {
    const std::string_view safety = finding.fix->safety == Safety::safe ? "" : " (may change what the workload does)";
    return fmt::format("{}{}", visible(finding.fix->title), safety);
  }
  // What the reader and the engine say of a text names what was expected at that very place; the rule's advice could only repeat it.
  return finding.rule->check.scope == Scope::engine ? std::string() : visible(finding.rule->remediation);
}

}  // namespace gpulint
