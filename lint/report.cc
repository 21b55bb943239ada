#include "lint/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::array<ReportFormat, 3> kFormats{{{"text", write_text}, {"compact", write_compact}, {"json", write_json}}};

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

std::string compiler_line(const Finding& finding) {
  return fmt::format("{}:{}:{}: {}: {} [{}]", visible(finding.file), finding.range.start.line, finding.range.start.column,
                     name_of(finding.severity), visible(finding.message), finding.rule->id);
}

}  // namespace gpulint
