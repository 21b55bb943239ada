// What closes a report for people: what was read and found, what was not judged and why, and what to do next.
#pragma once
#include <string>

#include "lint/report.h"

namespace gpulint {

/// Lines on files, findings, what was not judged and what depends on the cluster.
std::string summary_text(const Report& report, const ReportOptions& options);

/// Lines on what helps from here: an explanation, and with many findings counts and a baseline. Empty when nothing is listed.
std::string next_steps_text(const Report& report, const ReportOptions& options);

/// Every document that was not judged and every file with documents that were not read, a line each, with the reason.
std::string skipped_text(const Report& report);

/// A table of rules: findings, how many of them can be fixed, severity. Infos count when they are shown, suppressed findings never.
/// Empty without findings.
std::string statistics_text(const Report& report, const ReportOptions& options);

/// `1 file`, `2 files`
std::string count_of(std::size_t number, std::string_view singular, std::string_view plural);

}  // namespace gpulint
