// SARIF 2.1.0: the published schema, GitHub code scanning's limits, and what each finding says of itself.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/report_samples.h"

using namespace gpulint;
using namespace gpulint::testing;
using nlohmann::json;

namespace {

constexpr const char* kSchema = "testdata/schemas/sarif-2.1.0.json";

std::string sarif(const Report& report, ReportOptions options = all_shown()) {
  options.working_directory = "/work folder/re:po";
  return written(write_sarif, report, options);
}

json run_of(const Report& report, const ReportOptions& options = all_shown()) { return json::parse(sarif(report, options))["runs"][0]; }

std::size_t code_points(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

TEST_CASE("every report keeps to the published schema") {
  for (const Report& report : {Report{}, full_report(), hostile_report()}) {
    CHECK(json_faults(kSchema, sarif(report)) == "");
    CHECK(json_faults(kSchema, sarif(report, {})) == "");
  }
  CHECK(json_faults(kSchema, R"({"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]})") == "/runs/0/tool/driver: 'name' is a required property\n (status 1)");
}

TEST_CASE("all but the rules, as it is written") {
  json report = json::parse(sarif(full_report()));
  report["runs"][0]["tool"]["driver"].erase("rules");
  report["runs"][0]["tool"]["driver"].erase("semanticVersion");
  for (json& result : report["runs"][0]["results"]) result.erase("ruleIndex");
  check_golden("testdata/reports/sarif.json", report.dump(2) + "\n");
}

TEST_CASE("rules are all there, whatever was found, in the form code scanning takes") {
  const json rules = run_of({})["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == all_rules().size());
  CHECK(rules == run_of(full_report())["tool"]["driver"]["rules"]);
  for (const json& rule : rules) {
    CAPTURE(rule["id"].get<std::string>());
    for (const char* part : {"shortDescription", "fullDescription"}) {
      const std::string text = rule[part]["text"];
      CHECK_FALSE(text.empty());
      CHECK(code_points(text) <= 1024);
    }
    CHECK(rule["help"]["text"].get<std::string>().starts_with(rule["id"].get<std::string>()));
    CHECK(rule["help"]["markdown"].get<std::string>().find("- Severity: ") != std::string::npos);
    CHECK(std::set<std::string>{"error", "warning", "note"}.contains(rule["defaultConfiguration"]["level"]));
    CHECK(rule["properties"]["tags"].size() <= 10);
    CHECK_FALSE(rule.contains("helpUri"));
  }
}

TEST_CASE("a result names its rule by place too") {
  const json run = run_of(full_report());
  REQUIRE(run["results"].size() == 5);
  for (const json& result : run["results"]) CHECK(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
}

TEST_CASE("infos and suppressed findings are results where they are shown: code scanning knows no suppression and would open an alert for each") {
  CHECK(run_of(full_report(), {})["results"].size() == 2);
  CHECK(run_of(full_report(), {.show_infos = true})["results"].size() == 3);
  CHECK(run_of(full_report(), {.show_suppressed = true})["results"].size() == 4);
}

TEST_CASE("where a file lies") {
  struct Row { const char *what, *file, *uri; bool below_root; };
  for (const Row& row : std::vector<Row>{
           {"below the working directory", "a/b.yaml", "a/b.yaml", true},
           {"named from the root, and below the working directory", "/work folder/re:po/a/b.yaml", "a/b.yaml", true},
           {"a neighbour with the same beginning", "/work folder/re:po2/b.yaml", "file:///work%20folder/re%3Apo2/b.yaml", false},
           {"above the working directory", "../b.yaml", "../b.yaml", true},
           {"a colon would be a scheme", "c:d.yaml", "c%3Ad.yaml", true},
           {"what a URI gives another meaning", "a b/%41#?&\".yaml", "a%20b/%2541%23%3F%26%22.yaml", true},
           {"no UTF-8", "caf\xE9.yaml", "caf%E9.yaml", true},
           {"standard input", "<standard input>", "%3Cstandard%20input%3E", true},
       }) {
    INFO(row.what);
    const json location = run_of(report_of({known_finding("small-shared-memory", row.file, 1)}))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    CHECK(location["uri"] == row.uri);
    CHECK(location.contains("uriBaseId") == row.below_root);
  }
  CHECK(run_of({})["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///work%20folder/re%3Apo/");
}

TEST_CASE("a run with more results than code scanning takes keeps the most severe ones and says so") {
  std::vector<Finding> findings;
  for (std::uint32_t i = 0; i < 25010; ++i) {
    Finding finding = known_finding("small-shared-memory", "many.yaml", i + 1);
    finding.severity = i % 2500 == 1 ? Severity::error : Severity::warning;
    findings.push_back(std::move(finding));
  }
  const json run = run_of(report_of(std::move(findings)), {});
  CHECK(run["results"].size() == 25000);
  std::size_t errors = 0;
  for (const json& result : run["results"]) errors += result["level"] == "error";
  CHECK(errors == 11);
  CHECK(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1);
  const json notifications = run["invocations"][0]["toolExecutionNotifications"];
  REQUIRE(notifications.size() == 1);
  CHECK(notifications[0]["message"]["text"] == "10 of 25010 results are left out, the least severe: code scanning takes 25000 in a run");
}
