// JUnit XML: the published schema, what passes, fails and is skipped, and that nothing in a manifest breaks the XML.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/report_samples.h"

using namespace gpulint;
using namespace gpulint::testing;

namespace {

constexpr const char* kSchema = "testdata/schemas/junit-10.xsd";

std::string junit(const Report& report, const ReportOptions& options = all_shown()) { return written(write_junit, report, options); }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("every report keeps to the published schema") {
  for (const Report& report : {Report{}, full_report(), hostile_report()}) {
    CHECK(xml_faults(kSchema, junit(report)) == "");
    CHECK(xml_faults(kSchema, junit(report, {})) == "");
  }
  CHECK(xml_faults(kSchema, "<testsuites><testcase/></testsuites>") != "");
  CHECK(xml_faults(kSchema, "<testsuites name=\"\x01\"/>") != "");
}

TEST_CASE("a suite for each file, a case for each finding, as it is written") { check_golden("testdata/reports/junit.xml", junit(full_report())); }

TEST_CASE("what fails the run fails its test, and nothing else does") {
  struct Row { Severity fail_on; std::size_t failures, told; };
  for (const Row& row : std::vector<Row>{{Severity::error, 1, 2}, {Severity::warning, 2, 1}, {Severity::info, 3, 0}}) {
    const std::string text = junit(full_report(), {.show_infos = true, .fail_on = row.fail_on});
    CHECK(count(text, "<failure ") == row.failures);
    CHECK(count(text, "<system-out>") == row.told);
    CHECK(text.find("failures=\"" + std::to_string(row.failures) + "\" errors=\"1\">\n  <testsuite ") != std::string::npos);
  }
}

TEST_CASE("a file without findings is a test that passed; one not read an error; what was not judged is skipped") {
  const std::string text = junit(full_report(), {});
  CHECK(text.find("<testcase name=\"no findings\" classname=\"clean.yaml\"/>") != std::string::npos);
  CHECK(text.find("<error message=\"Permission denied\" type=\"unreadable\"/>") != std::string::npos);
  CHECK(text.find("<skipped message=\"unrendered template (2 documents)\"/>") != std::string::npos);
  CHECK(text.find("suppressed by") == std::string::npos);
}

TEST_CASE("what XML cannot hold is shown, the rest stands as it is") {
  const std::string text = junit(hostile_report());
  for (const char* part : {"message=\"]]&gt; &lt;/failure&gt; &lt;!-- &amp; &amp;amp;\"", "message=\"two\\x0alines\\x0d\\x0aand\\x0dmore    tab\"", "message=\"\\x01\\x1b[2J\\x7f\"",
                           "message=\"caf\\xe9 \\xc0\\x80 \\xed\\xa0\\x80\"", "message=\"値 🚀 &lt;U+FFFE&gt; &lt;U+202E&gt;\"", "message=\"quote &quot; and ' and `\""}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a test keeps its name when lines move, and two findings of one container have two names") {
  Finding one = known_finding("small-shared-memory", "a.yaml", 3), moved = known_finding("small-shared-memory", "a.yaml", 50), other = one;
  other.pointer = JsonPointer("/spec/volumes");
  const auto name_in = [](const Finding& finding) {
    const std::string text = junit(report_of({finding}));
    const std::size_t begin = text.find("<testcase name=\"");
    return text.substr(begin, text.find("\" classname") - begin);
  };
  CHECK(name_in(one) == name_in(moved));
  CHECK(name_in(one) != name_in(other));
  CHECK(name_in(one) == "<testcase name=\"small-shared-memory: Deployment/ml/infer spec.containers[0].resources.requests[&quot;nvidia.com/gpu&quot;]");
}
