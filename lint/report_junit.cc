#include <fmt/format.h>

#include <map>
#include <vector>

#include "lint/report.h"
#include "lint/xml_text.h"

namespace gpulint {
namespace {

// What one file's test suite is made of.
struct Suite {
  std::vector<const Finding*> findings;
  std::map<std::string, std::size_t> not_judged;  // reason -> documents
  const NotJudged* unreadable = nullptr;
};

struct Tests {
  std::size_t all = 0, failures = 0, errors = 0, skipped = 0;
  std::string cases;
};

std::string attributes_of(const Tests& tests) {
  return xml_attribute("tests", tests.all) + xml_attribute("failures", tests.failures) + xml_attribute("errors", tests.errors);
}

// Names a finding without a line number, so that a test stays the same one when lines move.
std::string name_of(const Finding& finding) {
  std::string object = finding.object.kind;
  for (const std::string& part : {finding.object.name_space, finding.object.name})
    if (!part.empty()) object += (object.empty() ? "" : "/") + part;
  if (object.empty()) object = fmt::format("document {}", finding.document);
  return fmt::format("{}: {} {}", finding.rule->id, object, finding.pointer.readable());
}

std::string details_of(const Finding& finding) {
  std::string details = xml_escaped(compiler_line(finding));
  if (const std::string hint = hint_of(finding); !hint.empty()) details += "\n" + xml_escaped("hint: " + hint);
  return details;
}

void add_case(Tests& tests, const std::string& file, std::string_view name, const std::string& content) {
  ++tests.all;
  tests.cases += "    <testcase" + xml_attribute("name", name) + xml_attribute("classname", file);
  tests.cases += content.empty() ? "/>\n" : ">\n      " + content + "\n    </testcase>\n";
}

void add_finding(Tests& tests, const Finding& finding, const ReportOptions& options) {
  std::string content;
  if (finding.suppressed) {
    ++tests.skipped;
    content = "<skipped" + xml_attribute("message", suppression_words(*finding.suppressed)) + "/>";
  } else if (finding.severity >= options.fail_on) {
    ++tests.failures;
    content = "<failure" + xml_attribute("message", finding.message) + xml_attribute("type", gpulint::name_of(finding.severity)) + ">" + details_of(finding) + "</failure>";
  } else {
    content = "<system-out>" + details_of(finding) + "</system-out>";
  }
  add_case(tests, finding.file, name_of(finding), content);
}

Tests tests_of(const std::string& file, const Suite& suite, const ReportOptions& options) {
  Tests tests;
  for (const Finding* finding : suite.findings) add_finding(tests, *finding, options);
  for (const auto& [reason, documents] : suite.not_judged) {
    ++tests.skipped;
    const std::string times = documents > 1 ? fmt::format(" ({} documents)", documents) : "";
    add_case(tests, file, "not judged: " + reason, "<skipped" + xml_attribute("message", reason + times) + "/>");
  }
  if (suite.unreadable) {
    ++tests.errors;
    add_case(tests, file, "cannot be read", "<error" + xml_attribute("message", suite.unreadable->reason) + xml_attribute("type", "unreadable") + "/>");
  }
  if (tests.all == 0) add_case(tests, file, "no findings", "");
  return tests;
}

std::map<std::string, Suite> suites_of(const Report& report, const ReportOptions& options) {
  std::map<std::string, Suite> suites;
  for (const JudgedFile& file : report.files) suites[file.name];
  for (const Finding* finding : listed_findings(report, options)) suites[finding->file].findings.push_back(finding);
  for (const NotJudged& entry : report.not_judged) ++suites[entry.file].not_judged[entry.reason];
  for (const NotJudged& entry : report.unreadable) suites[entry.file].unreadable = &entry;
  return suites;
}

}  // namespace

void write_junit(const Report& report, const ReportOptions& options, Output& out) {
  const std::map<std::string, Suite> suites = suites_of(report, options);
  Tests total;
  for (const auto& [file, suite] : suites) {
    const Tests tests = tests_of(file, suite, options);
    total.all += tests.all;
    total.failures += tests.failures;
    total.errors += tests.errors;
  }
  out.write(std::string(kXmlHead) + "<testsuites" + xml_attribute("name", "gpulint") + attributes_of(total) + ">\n");
  for (const auto& [file, suite] : suites) {
    const Tests tests = tests_of(file, suite, options);
    out.write("  <testsuite" + xml_attribute("name", file) + attributes_of(tests) + xml_attribute("skipped", tests.skipped) + ">\n" + tests.cases + "  </testsuite>\n");
  }
  out.write("</testsuites>\n");
}

}  // namespace gpulint
