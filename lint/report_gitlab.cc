#include <nlohmann/json.hpp>

#include "lint/report.h"
#include "lint/uri.h"

namespace gpulint {
namespace {

// Of info, minor, major, critical, blocker; the two highest are left to what judges security.
std::string_view gitlab_severity(Severity severity) {
  return severity == Severity::error ? "major" : severity == Severity::warning ? "minor" : "info";
}

}  // namespace

// The fields that GitLab's documentation of Code Quality lists. The path must be relative to the repository, which is where its jobs start;
// fingerprints must differ within a report, which conclude sees to.
void write_gitlab(const Report& report, const ReportOptions& options, Output& out) {
  out.write("[");
  const char* separator = "\n  ";
  for (const Finding* finding : open_findings(report, options)) {
    const nlohmann::ordered_json entry{{"description", finding->message},
                                       {"check_name", finding->rule->id},
                                       {"fingerprint", finding->fingerprint},
                                       {"severity", gitlab_severity(finding->severity)},
                                       {"location", {{"path", relative_to(options.working_directory, finding->file)},
                                                     {"lines", {{"begin", finding->range.start.line}}}}}};
    out.write(separator + entry.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    separator = ",\n  ";
  }
  out.write("]\n");
}

}  // namespace gpulint
