// Reports: one function a format, from a Report to text. A format is a row in report.cc and a file report_<format>.cc.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/output.h"
#include "rules/engine/engine.h"

namespace gpulint {

struct ReportOptions {
  bool colour = false;
  bool show_infos = false;        ///< list info findings; they are counted anyway
  bool show_suppressed = false;
  bool show_skipped = false;      ///< list every document that was not judged or not read, each with the reason (text)
  bool summary = true;
  bool statistics = false;        ///< count the findings of each rule instead of listing them (text)
  std::size_t max_findings = 0;   ///< list so many, the most severe, in their order (text, compact); 0: all
  Severity fail_on = Severity::error;  ///< from here on a finding fails the run; junit tells failures from that
  std::string working_directory = {};  ///< absolute; where names of files start (sarif, gitlab). Empty: they are taken as they are
};

/// path:line:column, the source line with a mark, a hint; a summary at the end. For people.
void write_text(const Report& report, const ReportOptions& options, Output& out);
/// `path:line:column: severity: message [rule]`, one line a finding, nothing else. For editors.
void write_compact(const Report& report, const ReportOptions& options, Output& out);
/// One JSON object, whatever the options say: all severities, suppressed findings too (lint/report_schema.json). For programs.
void write_json(const Report& report, const ReportOptions& options, Output& out);
/// SARIF 2.1.0, within the limits of GitHub code scanning. No fixes: these are operations on the tree, SARIF's replace text.
void write_sarif(const Report& report, const ReportOptions& options, Output& out);
/// JUnit XML as Jenkins and GitLab read it: a test suite for each file, a test case for each finding, a passing one where there is none.
/// What fails the run fails its test case; what stands below --fail-on passes and is told in its output.
void write_junit(const Report& report, const ReportOptions& options, Output& out);
/// Workflow commands of GitHub Actions, which become annotations of the lines changed.
void write_github(const Report& report, const ReportOptions& options, Output& out);
/// GitLab's Code Quality report.
void write_gitlab(const Report& report, const ReportOptions& options, Output& out);
/// Checkstyle's XML.
void write_checkstyle(const Report& report, const ReportOptions& options, Output& out);

struct ReportFormat {
  std::string_view name;
  void (*write)(const Report&, const ReportOptions&, Output&);
  bool tells_not_judged = false;  ///< whether it says what was not judged; else a line on standard error does
  bool names_all_files = false;   ///< whether it tells of files without findings, so that Report::files must be filled
};
std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);

/// Whether a finding is listed under these options. `json` alone lists all.
bool is_shown(const Finding& finding, const ReportOptions& options);

/// The findings that are listed, at most `limit` (0: all): the most severe ones, in the order of output.
std::vector<const Finding*> listed_findings(const Report& report, const ReportOptions& options, std::size_t limit = 0);

/// The same without suppressed ones, whatever the options say: for formats that cannot tell that a finding is accepted.
std::vector<const Finding*> open_findings(const Report& report, ReportOptions options);

/// `... and 17 more` where max_findings leaves some out; else empty.
std::string left_out_line(const Report& report, const ReportOptions& options);

/// `path:line:column: severity: message [rule]`, control characters visible.
std::string compiler_line(const Finding& finding);

/// `suppressed by annotation: a test rig`
std::string suppression_words(const Suppression& suppression);

/// What to do about a finding: the title of its fix, else the rule's general advice. Empty where the message says it already.
std::string hint_of(const Finding& finding);

}  // namespace gpulint
