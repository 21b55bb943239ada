// Reports: one function a format, from a Report to text. A format is a row in report.cc and a file report_<format>.cc.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "lint/output.h"
#include "rules/engine/engine.h"

namespace gpulint {

struct ReportOptions {
  bool colour = false;
  bool show_infos = false;       ///< list info findings; they are counted anyway
  bool show_suppressed = false;
  bool summary = true;
};

/// path:line:column, the source line with a mark, a hint; a summary at the end. For people.
void write_text(const Report& report, const ReportOptions& options, Output& out);
/// `path:line:column: severity: message [rule]`, one line a finding, nothing else. For editors.
void write_compact(const Report& report, const ReportOptions& options, Output& out);
/// One JSON object, whatever the options say: all severities, suppressed findings too (schemaVersion 1). For programs.
void write_json(const Report& report, const ReportOptions& options, Output& out);

struct ReportFormat {
  std::string_view name;
  void (*write)(const Report&, const ReportOptions&, Output&);
};
std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);

/// Whether text and compact list this finding under these options.
bool is_shown(const Finding& finding, const ReportOptions& options);

/// `path:line:column: severity: message [rule]`, control characters visible.
std::string compiler_line(const Finding& finding);

}  // namespace gpulint
