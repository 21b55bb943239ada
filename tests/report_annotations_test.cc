// What other programs hang on the lines of a file: GitHub's workflow commands, GitLab's Code Quality, Checkstyle's XML.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lint/visible_text.h"
#include "tests/support/report_samples.h"

using namespace gpulint;
using namespace gpulint::testing;
using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string github(const Report& report, ReportOptions options) { return written(write_github, report, options); }

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const auto& [from, to] : pairs)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

/// What the runner makes of a command: its name, the file and the message (actions/runner, src/Runner.Common/ActionCommand.cs).
struct Annotation {
  std::string command, file, message;
};

Annotation parsed(const std::string& line) {
  const std::size_t end = line.find("::", 2), blank = line.find(' ');
  Annotation annotation{line.substr(2, blank - 2), "", replaced(line.substr(end + 2), {{"%0D", "\r"}, {"%0A", "\n"}, {"%25", "%"}})};
  std::istringstream properties(line.substr(blank + 1, end - blank - 1));
  for (std::string property; std::getline(properties, property, ',');)
    if (property.starts_with("file=")) annotation.file = replaced(property.substr(5), {{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}});
  return annotation;
}

}  // namespace

TEST_CASE("github: commands, then the summary") {
  check_golden("testdata/reports/github.txt", github(full_report(), all_shown()));
  CHECK(github({}, {.summary = false}) == "");
}

TEST_CASE("github: whatever names and messages hold, it stays one command that the runner reads back") {
  const Report report = hostile_report();
  const std::vector<std::string> lines = lines_of(github(report, {.summary = false}));
  REQUIRE(lines.size() == report.findings.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    CHECK(lines[i].starts_with("::error file="));
    CHECK(lines[i].find_first_of("\r\x1b") == std::string::npos);
    const Annotation annotation = parsed(lines[i]);
    CHECK(annotation.command == "error");
    const std::string& file = report.findings[i].file;
    CHECK(annotation.file == (file.find_first_of("\r\n\t\x1b") == std::string::npos ? file : visible(file)));
    CHECK(annotation.message.starts_with("dir with %/"));
  }
}

TEST_CASE("github: columns within one line only, the last one included") {
  struct Row { Range range; const char* place; };
  for (const Row& row : std::vector<Row>{{{{3, 5}, {3, 9}}, ",line=3,endLine=3,col=5,endColumn=8,"},
                                         {{{3, 5}, {3, 5}}, ",line=3,endLine=3,col=5,endColumn=5,"},
                                         {{{3, 5}, {4, 2}}, ",line=3,endLine=4,title"}}) {
    Finding finding = known_finding("small-shared-memory", "a.yaml", 3);
    finding.range = row.range;
    CHECK(github(report_of({finding}), {}).find(row.place) != std::string::npos);
  }
}

TEST_CASE("github: the summary says when there are more than GitHub shows") {
  const auto summary_of = [](std::uint32_t errors, std::uint32_t warnings) {
    std::vector<Finding> findings;
    for (std::uint32_t i = 0; i < errors; ++i) findings.push_back(known_finding("gpu-request-without-limit", "a.yaml", i + 1));
    for (std::uint32_t i = 0; i < warnings; ++i) findings.push_back(known_finding("small-shared-memory", "b.yaml", i + 1));
    for (Finding& finding : findings) finding.severity = finding.file == "a.yaml" ? Severity::error : Severity::warning;
    return github(report_of(std::move(findings)), {});
  };
  CHECK(summary_of(10, 10).find("GitHub shows") == std::string::npos);
  CHECK(summary_of(10, 11).find("GitHub shows 10 annotations of each kind for a step; this log has all 21 ") != std::string::npos);
}

TEST_CASE("gitlab: the documented fields and no others") {
  const std::string text = written(write_gitlab, full_report(), all_shown());
  check_golden("testdata/reports/gitlab.json", text);
  for (const std::string& report : {text, written(write_gitlab, hostile_report(), all_shown())}) {
    std::set<std::string> fingerprints;
    for (const json& entry : json::parse(report)) {
      CHECK(entry.size() == 5);
      for (const char* key : {"description", "check_name", "fingerprint", "severity"}) CHECK_FALSE(entry[key].get<std::string>().empty());
      CHECK(std::set<std::string>{"info", "minor", "major", "critical", "blocker"}.contains(entry["severity"]));
      CHECK(entry["location"].size() == 2);
      CHECK_FALSE(entry["location"]["path"].get<std::string>().starts_with("./"));
      CHECK(entry["location"]["lines"]["begin"].get<int>() >= 1);
      CHECK(fingerprints.insert(entry["fingerprint"]).second);
    }
  }
  CHECK(json::parse(written(write_gitlab, {}, {})) == json::array());
}

TEST_CASE("gitlab: paths are relative to where the run started") {
  const Report report = report_of({known_finding("small-shared-memory", "/builds/group/project/a/b.yaml", 1), known_finding("small-shared-memory", "/etc/c.yaml", 1)});
  const json entries = json::parse(written(write_gitlab, report, {.working_directory = "/builds/group/project"}));
  CHECK(entries[0]["location"]["path"] == "a/b.yaml");
  CHECK(entries[1]["location"]["path"] == "/etc/c.yaml");
}

TEST_CASE("checkstyle: files and their errors") {
  check_golden("testdata/reports/checkstyle.xml", written(write_checkstyle, full_report(), all_shown()));
  CHECK(written(write_checkstyle, {}, {}) == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n</checkstyle>\n");
  for (const Report& report : {Report{}, full_report(), hostile_report()}) CHECK(xml_faults("", written(write_checkstyle, report, all_shown())) == "");
}

TEST_CASE("infos are listed when shown, suppressed findings never") {
  for (auto* write : {write_github, write_gitlab, write_checkstyle}) {
    const std::string few = written(write, full_report(), {.show_suppressed = true, .summary = false}), more = written(write, full_report(), {.show_infos = true, .summary = false});
    CHECK(few.find("missing-runtime-class") == std::string::npos);
    CHECK(more.find("missing-runtime-class") != std::string::npos);
    CHECK(few == written(write, full_report(), {.summary = false}));
  }
}
