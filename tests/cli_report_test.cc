// The report options of the program: each format of a real run held to its schema, and what is listed, counted and left out.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"
#include "tests/support/report_samples.h"

using namespace gpulint::testing;
using nlohmann::json;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A folder of names that people avoid, with errors, an unreadable document, windows line ends and a byte order mark.
struct OddFolder {
  OddFolder() {
    for (const char* name : {"100% sure.yaml", "a b/c:d,e.yaml", "quote\"'.yaml", "<&>]]>.yaml", "new\nline.yaml", "caf\xE9.yaml", "名前.yaml", "::error::x.yaml"}) write_file(folder / name, kBad);
    std::string windows;
    for (const char c : std::string(kBad)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    write_file(folder / "windows.yaml", "\xEF\xBB\xBF" + windows);
    write_file(folder / "broken.yaml", "limits:\n\tnvidia.com/gpu: 1\n");
    write_file(folder / "template.yaml", "limits:\n  {{ .Values.gpus }}\n  nvidia.com/gpu: 1\n");
    write_file(folder / "good.yaml", kGood);
  }
  TemporaryFolder folder;
};

/// What is wrong with a report of this format; empty: nothing.
std::string faults_of(const std::string& format, const std::string& text) {
  if (format == "sarif") return json_faults("testdata/schemas/sarif-2.1.0.json", text);
  if (format == "json") return json_faults("lint/report_schema.json", text, true);
  if (format == "gitlab") return json::accept(text) ? "" : "no JSON";
  return xml_faults(format == "junit" ? "testdata/schemas/junit-10.xsd" : "", text);
}

}  // namespace

TEST_CASE("odd names and contents: every machine-readable report is valid, of nothing, of something, of all") {
  const OddFolder odd;
  for (const std::string format : {"sarif", "json", "junit", "gitlab", "checkstyle"})
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"."}, {".", "--show", "info,suppressed,skipped"}, {"good.yaml"}, {"windows.yaml"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--output", format});
      const Outcome outcome = program(all, {.directory = odd.folder.path()});
      CAPTURE(format);
      CHECK(outcome.status == (words.front() == "good.yaml" ? 0 : 1));
      CHECK(faults_of(format, outcome.out) == "");
      // What a format has no place for is said beside it.
      const bool says_it = format != "gitlab" && format != "checkstyle";
      CHECK(outcome.err == (says_it || words.front() != "." ? "" : "gpulint: not judged: broken.yaml (not readable as YAML or JSON) and 1 more, see them with --show skipped\n"));
    }
}

TEST_CASE("formats agree on where a finding is, windows line ends and a byte order mark or not") {
  const OddFolder odd;
  for (const char* file : {"windows.yaml", "名前.yaml"}) {
    const auto output = [&](const char* format) { return program({file, "--output", format}, {.directory = odd.folder.path()}).out; };
    const json region = json::parse(output("sarif"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    CHECK(region == json::parse(R"({"startLine": 9, "startColumn": 36, "endLine": 9, "endColumn": 37})"));
    CHECK(has(output("github"), ",line=9,endLine=9,col=36,endColumn=36,"));
    CHECK(has(output("checkstyle"), "line=\"9\" column=\"36\""));
    CHECK(json::parse(output("gitlab"))[0]["location"]["lines"]["begin"] == 9);
    CHECK(output("compact").starts_with(std::string(file) + ":9:36: error: "));
    CHECK(has(output("text"), "    9 |         requests: {nvidia.com/gpu: 1}\n      |                                    ^\n"));
  }
}

TEST_CASE("junit tells of every file") {
  const Workplace place;
  const Outcome outcome = place.program({"--output", "junit"});
  CHECK(outcome.status == 1);
  for (const char* suite : {"bad.yaml", "good.yaml", "sub/good.json", "rules/good.yaml"}) CHECK(has(outcome.out, "<testsuite name=\"" + std::string(suite) + "\""));
  CHECK(has(outcome.out, "<testcase name=\"no findings\" classname=\"good.yaml\"/>"));
  const Outcome missing = place.program({"good.yaml", "missing.yaml", "--output", "junit"});
  CHECK(missing.status == 2);
  CHECK(has(missing.out, "<error message=\"No such file or directory\""));
}

TEST_CASE("sarif says whether all was read") {
  const Workplace place;
  const json lost = json::parse(place.program({"bad.yaml", "missing.yaml", "--output", "sarif"}).out)["runs"][0]["invocations"][0];
  CHECK(lost["executionSuccessful"] == false);
  CHECK(lost["toolExecutionNotifications"][0]["message"]["text"] == "not read: No such file or directory");
  CHECK(json::parse(place.program({"bad.yaml", "--output", "sarif"}).out)["runs"][0]["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("statistics, limits, skipped files") {
  const Workplace place;
  write_file(place.folder / "two.yaml", std::string(kBad) + "---\n" + kBad);
  struct Row { std::vector<std::string> words; std::vector<std::string> parts, absent; };
  for (const Row& row : std::vector<Row>{
           {{"--statistics"}, {"findings  fixable  severity  rule\n       3        3  error     gpu-request-without-limit\n", "Found 3 errors"}, {"bad.yaml:9"}},
           {{"--statistics", "--quiet"}, {"gpu-request-without-limit\n"}, {"Found"}},
           {{"--max-findings", "1"}, {"bad.yaml:9:36", "... and 2 more, see them without --max-findings\n", "Found 3 errors"}, {"two.yaml:"}},
           {{"--max-findings", "2", "--output", "compact"}, {"two.yaml:9:36", "... and 1 more"}, {"two.yaml:19"}},
           {{"--show", "skipped"}, {"good.yaml: passed over: 1 of 1 document without a GPU word\n", "sub/good.json: passed over"}, {}},
           {{"--show=info,skipped"}, {"good.yaml: passed over", ": info: "}, {}},
           {{"--quiet"}, {"bad.yaml:9:36"}, {"Checked", "explain"}},
           {{"bad.yaml", "--fail-on", "info"}, {": info: "}, {"--show info"}},
           {{"bad.yaml"}, {"`gpulint explain gpu-request-without-limit` tells why, with samples and what to do.\n"}, {"--write-baseline"}},
       }) {
    std::string words;
    for (const std::string& word : row.words) words += " " + word;
    INFO("gpulint", words);
    const Outcome outcome = place.program(row.words);
    CHECK(outcome.status == 1);
    for (const std::string& part : row.parts) CHECK_MESSAGE(has(outcome.out, part), "expected ", part, " in ", outcome.out);
    for (const std::string& part : row.absent) CHECK_MESSAGE(!has(outcome.out, part), "not expected: ", part, " in ", outcome.out);
  }
  CHECK(place.program({"--max-findings", "0"}).status == 2);
}

TEST_CASE("a report whose reader goes away, and one for each destination of one run") {
  const Workplace place;
  std::string many;
  for (int i = 0; i < 2000; ++i) many += std::string("---\n") + kBad;
  write_file(place.folder / "many.yaml", many);
  for (const char* format : {"sarif", "junit", "github", "gitlab", "checkstyle"}) {
    const Outcome outcome = place.program({"many.yaml", "--output", format}, {.read_at_most = 10});
    CHECK(outcome.status == 1);
    CHECK(outcome.err == "");
    CHECK(place.program({"good.yaml", "--output", format}, {.output_to = "/dev/full"}).status == 2);
  }
  const Outcome all = place.program({"bad.yaml", "--output", "github", "--output", "sarif=r.sarif", "--output", "junit=r.xml", "--output", "gitlab=r.json"});
  CHECK(all.out.starts_with("::error file=bad.yaml,"));
  CHECK(faults_of("sarif", read_file(place.folder / "r.sarif")) == "");
  CHECK(faults_of("junit", read_file(place.folder / "r.xml")) == "");
  CHECK(json::parse(read_file(place.folder / "r.json")).size() == 1);
}

TEST_CASE("a line of a mebibyte: the excerpt is short and the mark stands under the place") {
  const TemporaryFolder folder;
  write_file(folder / "long.json", R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "annotations": {"note": ")" + std::string(1 << 20, 'x') +
                                       R"("}}, "spec": {"containers": [{"name": "main", "resources": {"requests": {"nvidia.com/gpu": 1}}}]}})");
  const std::string out = program({folder / "long.json", "--quiet"}).out;
  CHECK(out.size() < 1000);
  const std::size_t line = out.find("    1 | ") + 8, mark = out.find("      | ", line) + 8;
  CHECK(out.substr(line + (out.find('^', mark) - mark), 1) == "1");
}
