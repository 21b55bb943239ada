#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "lint/excerpt.h"
#include "lint/report.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::size_t kExamples = 3;  // files named for each reason of not judging

enum class Colour { bold, red, yellow, cyan, green };

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string operator()(Colour colour, std::string_view text) const {
    static constexpr std::string_view kCodes[] = {"1", "1;31", "1;33", "1;36", "32"};
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(colour)], text) : std::string(text);
  }
  std::string operator()(Severity severity) const {
    const Colour colour = severity == Severity::error ? Colour::red : severity == Severity::warning ? Colour::yellow : Colour::cyan;
    return (*this)(colour, name_of(severity));
  }

 private:
  bool colour_;
};

std::string count_of(std::size_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

std::string hint_of(const Finding& finding) {
  if (!finding.fix) return visible(finding.rule->remediation);
  const std::string_view safety = finding.fix->safety == Safety::safe ? "" : " (may change what the workload does)";
  return fmt::format("{}{}", visible(finding.fix->title), safety);
}

void write_finding(const Finding& finding, const Painter& paint, Output& out) {
  const Position at = finding.range.start;
  out.write(paint(Colour::bold, fmt::format("{}:{}:{}:", visible(finding.file), at.line, at.column)));
  out.write(fmt::format(" {}: {} [{}]\n", paint(finding.severity), visible(finding.message), finding.rule->id));
  const std::string number = std::to_string(at.line), margin(std::max<std::size_t>(number.size(), 4), ' ');
  if (!finding.excerpt.empty()) {
    const Excerpt excerpt = excerpt_of(finding.excerpt, finding.range);
    out.write(fmt::format(" {:>4} | {}\n", number, excerpt.line));
    out.write(fmt::format(" {} | {}{}\n", margin, std::string(excerpt.indent, ' '), paint(Colour::green, excerpt.mark)));
  }
  if (finding.suppressed)
    out.write(fmt::format(" {} = suppressed by {}: {}\n", margin, finding.suppressed->by, visible(finding.suppressed->reason)));
  else if (const std::string hint = hint_of(finding); !hint.empty())
    out.write(fmt::format(" {} = {}: {}\n", margin, paint(Colour::cyan, "hint"), hint));
}

std::string checked_line(const Counts& counts) {
  std::string line = fmt::format("Checked {}: {}", count_of(counts.files, "file", "files"), count_of(counts.documents, "document", "documents"));
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

void write_not_judged(const Report& report, Output& out) {
  if (report.not_judged.empty()) return;
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const NotJudged& entry : report.not_judged) by_reason[entry.reason].push_back(entry.file);
  out.write("Not judged:\n");
  for (const auto& [reason, files] : by_reason) {
    std::vector<std::string> distinct;
    std::unique_copy(files.begin(), files.end(), std::back_inserter(distinct));
    std::string named;
    for (std::size_t i = 0; i < std::min(distinct.size(), kExamples); ++i) named += (i ? ", " : "") + visible(distinct[i]);
    if (distinct.size() > kExamples) named += fmt::format(" and {} more", count_of(distinct.size() - kExamples, "file", "files"));
    out.write(fmt::format("  {}{}: {}\n", visible(reason), files.size() > 1 ? fmt::format(" ({} times)", files.size()) : "", named));
  }
}

void write_undecided(const Report& report, Output& out) {
  if (report.undecided.empty()) return;
  std::string rules, presets_to_name;
  for (const auto& [rule, objects] : report.undecided) rules += fmt::format("{}{} ({})", rules.empty() ? "" : ", ", rule, count_of(objects, "object", "objects"));
  for (const Preset& preset : presets())
    if (preset.name != "generic") presets_to_name += fmt::format("{}{}", presets_to_name.empty() ? "" : ", ", preset.name);
  out.write(fmt::format("Depends on the cluster: {}. Name it with --cluster NAME ({}).\n", rules, presets_to_name));
}

}  // namespace

void write_text(const Report& report, const ReportOptions& options, Output& out) {
  const Painter paint(options.colour);
  bool any = false;
  for (const Finding& finding : report.findings) {
    if (!is_shown(finding, options)) continue;
    if (any) out.write("\n");
    any = true;
    write_finding(finding, paint, out);
  }
  if (!options.summary) return;
  if (any) out.write("\n");
  out.write(checked_line(report.counts));
  out.write(found_line(report, options));
  write_not_judged(report, out);
  write_undecided(report, out);
}

}  // namespace gpulint
