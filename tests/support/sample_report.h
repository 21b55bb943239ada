// A report made by hand, for the tests of what is written about it.
#pragma once
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "lint/report.h"
#include "tests/support/golden.h"

namespace gpulint::testing {

inline constexpr Rule kLimitRule{.id = "some-limit", .severity = Severity::error, .summary = "S", .rationale = "R", .remediation = "Do what is right.",
                                 .check = {.scope = Scope::container}};
inline constexpr Rule kClassRule{.id = "some-class", .severity = Severity::warning, .summary = "S", .rationale = "R", .remediation = "Set the class.",
                                 .check = {.scope = Scope::pod_template}};

/// A finding about `excerpt` between two columns of line 12; absent facts are left out.
inline Finding finding_of(const Rule& rule, Severity severity, std::string excerpt = "", std::uint32_t begin = 1, std::uint32_t end = 2) {
  Finding finding;
  finding.rule = &rule;
  finding.severity = severity;
  finding.message = "container \"main\": something is wrong";
  finding.file = "a/b.yaml";
  finding.range = {{12, begin}, {12, end}};
  finding.excerpt = std::move(excerpt);
  return finding;
}

inline void check_text(const std::string& expected, const std::string& actual) {
  const std::string found = difference(expected, actual);
  CHECK_MESSAGE(found.empty(), found);
}

/// What a format writes about a report.
inline std::string written(void (*write)(const Report&, const ReportOptions&, Output&), const Report& report, const ReportOptions& options = {}) {
  const int descriptor = memfd_create("report", MFD_CLOEXEC);
  Output out(descriptor);
  write(report, options, out);
  out.flush();
  std::string text(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
  const ssize_t read = pread(descriptor, text.data(), text.size(), 0);
  close(descriptor);
  text.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
  return text;
}

inline Report report_of(std::vector<Finding> findings) {
  Report report;
  for (const Finding& finding : findings) {
    if (finding.suppressed) ++report.suppressed;
    else ++(finding.severity == Severity::error ? report.errors : finding.severity == Severity::warning ? report.warnings : report.infos);
  }
  report.findings = std::move(findings);
  return report;
}

}  // namespace gpulint::testing
