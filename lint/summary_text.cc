#include "lint/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::size_t kExamples = 3;       // files named for a reason of not judging, where these are all
constexpr std::size_t kReasons = 5;        // of not judging, the most frequent ones
constexpr std::size_t kMostOften = 3;      // rules named as the most frequent
constexpr std::size_t kManyFindings = 20;  // a screen is full, and nobody mends them all today

std::string checked_line(const Counts& counts) {
  const std::string rendered = counts.renderings > 0 ? " and " + count_of(counts.renderings, "rendering", "renderings") : "";
  std::string line = fmt::format("Checked {}{}: {}", count_of(counts.files, "file", "files"), rendered, count_of(counts.documents, "document", "documents"));
  if (counts.skipped_documents > 0) line += fmt::format(" ({} without a GPU word)", counts.skipped_documents);
  return line + fmt::format(", {}, {}.\n", count_of(counts.pod_templates, "pod template", "pod templates"),
                            count_of(counts.gpu_requests, "GPU request", "GPU requests"));
}

std::string found_line(const Report& report, const ReportOptions& options) {
  const auto way_to_see = [](std::size_t number, bool shown, std::string_view word) {
    return number > 0 && !shown ? fmt::format(" (see {} with --show {})", number == 1 ? "it" : "them", word) : std::string();
  };
  std::string line = fmt::format("Found {}, {}, {}{}", count_of(report.errors, "error", "errors"), count_of(report.warnings, "warning", "warnings"),
                                 count_of(report.infos, "info", "infos"), way_to_see(report.infos, options.show_infos, "info"));
  if (report.suppressed > 0)
    line += fmt::format(", {} suppressed{}", report.suppressed, way_to_see(report.suppressed, options.show_suppressed, "suppressed"));
  return line + ".\n";
}

std::string files_line(const std::vector<std::string>& files, bool& all_named) {
  std::vector<std::string> distinct;
  std::unique_copy(files.begin(), files.end(), std::back_inserter(distinct));
  all_named = distinct.size() <= kExamples;
  if (!all_named) return fmt::format("{} and {} files more", visible(distinct.front()), distinct.size() - 1);
  std::string line;
  for (const std::string& file : distinct) line += (line.empty() ? "" : ", ") + visible(file);
  return line;
}

// By reason, the most frequent first.
std::vector<std::pair<std::string, std::vector<std::string>>> by_reason(const std::vector<NotJudged>& entries) {
  std::map<std::string, std::vector<std::string>> files;
  for (const NotJudged& entry : entries) files[entry.reason].push_back(entry.file);
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(files.begin(), files.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  return sorted;
}

std::string not_judged_lines(const Report& report, const ReportOptions& options) {
  if (report.not_judged.empty()) return {};
  const auto reasons = by_reason(report.not_judged);
  std::string lines;
  bool complete = reasons.size() <= kReasons;
  std::size_t told = 0;
  for (std::size_t i = 0; i < std::min(reasons.size(), kReasons); ++i) {
    const auto& [reason, files] = reasons[i];
    bool all_named = true;
    const std::string named = files_line(files, all_named), times = files.size() > 1 ? fmt::format(" ({} times)", files.size()) : "";
    lines += fmt::format("  {}{}: {}\n", visible(reason), times, named);
    complete &= all_named;
    told += files.size();
  }
  if (told < report.not_judged.size()) lines += fmt::format("  and {} more for other reasons\n", report.not_judged.size() - told);
  return fmt::format("Not judged{}:\n{}", complete || options.show_skipped ? "" : " (list all with --show skipped)", lines);
}

std::string passed_over_line(const Report& report, const ReportOptions& options) {
  if (report.passed_over.empty()) return {};
  std::string reasons;
  for (const auto& [reason, files] : by_reason(report.passed_over)) reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", files.size(), visible(reason));
  return fmt::format("Passed over files and folders: {}{}.\n", reasons, options.show_skipped ? "" : " (list them with --show skipped)");
}

std::string undecided_line(const Report& report) {
  if (report.undecided.empty()) return {};
  std::string rules, presets_to_name;
  for (const auto& [rule, objects] : report.undecided) rules += fmt::format("{}{} ({})", rules.empty() ? "" : ", ", rule, count_of(objects, "object", "objects"));
  for (const Preset& preset : presets())
    if (preset.name != "generic") presets_to_name += fmt::format("{}{}", presets_to_name.empty() ? "" : ", ", preset.name);
  return fmt::format("Depends on the cluster: {}. Name it with --cluster NAME ({}).\n", rules, presets_to_name);
}

struct Tally {
  const Rule* rule = nullptr;
  Severity severity = Severity::info;
  std::size_t findings = 0, fixable = 0;
};

// Of the findings that are shown and not suppressed: most findings first, then the most severe, then by name.
std::vector<Tally> tallies_of(const Report& report, const ReportOptions& options) {
  std::map<std::pair<std::string_view, Severity>, Tally> by_rule;
  for (const Finding* finding : open_findings(report, options)) {
    Tally& tally = by_rule[{finding->rule->id, finding->severity}];
    tally.rule = finding->rule;
    tally.severity = finding->severity;
    ++tally.findings;
    tally.fixable += finding->fix.has_value();
  }
  std::vector<Tally> tallies;
  for (const auto& [key, tally] : by_rule) tallies.push_back(tally);
  std::stable_sort(tallies.begin(), tallies.end(), [](const Tally& a, const Tally& b) {
    return a.findings != b.findings ? a.findings > b.findings : a.severity > b.severity;
  });
  return tallies;
}

}  // namespace

std::string count_of(std::size_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

std::string summary_text(const Report& report, const ReportOptions& options) {
  return checked_line(report.counts) + found_line(report, options) + not_judged_lines(report, options) + passed_over_line(report, options) + undecided_line(report);
}

std::string next_steps_text(const Report& report, const ReportOptions& options) {
  const std::vector<Tally> listed = tallies_of(report, options);
  if (listed.empty()) return {};
  std::size_t findings = 0;
  for (const Tally& tally : listed) findings += tally.findings;
  const bool many = findings >= kManyFindings;
  std::string text;
  if (many && listed.size() > kMostOften && !options.statistics) {
    for (std::size_t i = 0; i < kMostOften; ++i) text += fmt::format("{}{} ({})", i ? ", " : "Most often: ", listed[i].rule->id, listed[i].findings);
    text += "; all with --statistics.\n";
  }
  text += fmt::format("`gpulint explain {}` tells why, with samples and what to do.\n", listed.front().rule->id);
  if (many) text += "To start from here, --write-baseline FILE sets today's findings aside; --baseline FILE then tells of new ones only.\n";
  return text;
}

std::string skipped_text(const Report& report) {
  std::string text;
  for (const NotJudged& entry : report.not_judged) {
    const std::string document = entry.document > 0 ? fmt::format(", document {}", entry.document) : "";
    text += fmt::format("{}{}: not judged: {}\n", visible(entry.file), document, visible(entry.reason));
  }
  for (const NotJudged& entry : report.passed_over) text += fmt::format("{}: passed over: {}\n", visible(entry.file), visible(entry.reason));
  for (const JudgedFile& file : report.files)
    if (file.skipped_documents > 0)
      text += fmt::format("{}: passed over: {} of {} without a GPU word\n", visible(file.name), file.skipped_documents,
                          count_of(file.documents, "document", "documents"));
  return text;
}

std::string statistics_text(const Report& report, const ReportOptions& options) {
  const std::vector<Tally> tallies = tallies_of(report, options);
  if (tallies.empty()) return {};
  std::string text = "findings  fixable  severity  rule\n";
  for (const Tally& tally : tallies) text += fmt::format("{:>8}  {:>7}  {:<8}  {}\n", tally.findings, tally.fixable, name_of(tally.severity), tally.rule->id);
  return text;
}

}  // namespace gpulint
