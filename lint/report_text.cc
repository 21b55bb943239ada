#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "lint/excerpt.h"
#include "lint/report.h"
#include "lint/summary_text.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

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

/// Writes findings one after the other. What was just said is not said again: a finding like the one before it (generated manifests have them by
/// the dozen) is its first line alone, and a rule's general advice stands where it is first needed.
class Listing {
 public:
  Listing(const Painter& paint, Output& out) : paint_(paint), out_(out) {}

  void write(const Finding& finding) {
    const bool again = previous_ && is_like(*previous_, finding);
    if (previous_ && !again) out_.write("\n");
    previous_ = &finding;
    write_first_line(finding);
    if (again) return;
    const std::string margin(std::max<std::size_t>(std::to_string(finding.range.start.line).size(), 4), ' ');
    write_excerpt(finding, margin);
    if (!finding.rendered_by.empty()) out_.write(fmt::format(" {} = {}: {}\n", margin, paint_(Colour::cyan, "rendered"), visible(finding.rendered_by)));
    if (finding.suppressed) out_.write(fmt::format(" {} = {}\n", margin, visible(suppression_words(*finding.suppressed))));
    else write_hint(finding, margin);
  }
  bool empty() const { return !previous_; }

 private:
  static bool is_like(const Finding& left, const Finding& right) {
    const auto reason = [](const Finding& f) { return f.suppressed ? f.suppressed->reason : std::string(); };
    return left.rule == right.rule && left.severity == right.severity && left.message == right.message && left.excerpt == right.excerpt && left.rendered_by == right.rendered_by &&
           left.range.start.column == right.range.start.column && hint_of(left) == hint_of(right) &&
           left.suppressed.has_value() == right.suppressed.has_value() && reason(left) == reason(right);
  }

  void write_first_line(const Finding& finding) {
    const Position at = finding.range.start;
    out_.write(paint_(Colour::bold, fmt::format("{}:{}:{}:", visible(finding.file), at.line, at.column)));
    out_.write(fmt::format(" {}: {} [{}]\n", paint_(finding.severity), visible(finding.message), finding.rule->id));
  }

  void write_excerpt(const Finding& finding, const std::string& margin) {
    if (finding.excerpt.empty()) return;
    if (finding.excerpt_is_output) return out_.write(fmt::format(" {} | {}\n", margin, visible(finding.excerpt)));  // it has no line number
    const Excerpt excerpt = excerpt_of({finding.excerpt, finding.excerpt_column, finding.excerpt_goes_on}, finding.range);
    out_.write(fmt::format(" {:>4} | {}\n", finding.range.start.line, excerpt.line));
    out_.write(fmt::format(" {} | {}{}\n", margin, std::string(excerpt.indent, ' '), paint_(Colour::green, excerpt.mark)));
  }

  void write_hint(const Finding& finding, const std::string& margin) {
    const std::string hint = hint_of(finding);
    if (hint.empty() || (!finding.fix && !advised_.insert(finding.rule).second)) return;
    out_.write(fmt::format(" {} = {}: {}\n", margin, paint_(Colour::cyan, "hint"), hint));
  }

  const Painter& paint_;
  Output& out_;
  const Finding* previous_ = nullptr;
  std::set<const Rule*> advised_;  // whose general advice was given
};

void write_list(const Report& report, const ReportOptions& options, Output& out) {
  const Painter paint(options.colour);
  Listing listing(paint, out);
  for (const Finding* finding : listed_findings(report, options, options.max_findings)) listing.write(*finding);
  if (const std::string left_out = left_out_line(report, options); !left_out.empty()) out.write("\n" + left_out);
  if (!listing.empty() && options.summary) out.write("\n");
}

}  // namespace

void write_text(const Report& report, const ReportOptions& options, Output& out) {
  std::string before_summary;
  if (options.statistics) before_summary = statistics_text(report, options);
  else write_list(report, options, out);
  if (options.show_skipped) before_summary += skipped_text(report);
  out.write(before_summary);
  if (!options.summary) return;
  if (!before_summary.empty()) out.write("\n");
  out.write(summary_text(report, options));
  out.write(next_steps_text(report, options));
}

}  // namespace gpulint
