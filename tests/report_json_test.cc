// The report for programs: every key, what is left out, and that nothing breaks it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "gpulint_version.h"
#include "tests/support/golden.h"
#include "tests/support/gpulint_program.h"
#include "tests/support/report_samples.h"

using namespace gpulint;
using namespace gpulint::testing;
using nlohmann::json;

namespace {

json report_json(const Report& report, const ReportOptions& options = {}) { return json::parse(written(write_json, report, options)); }

void check_json(const json& expected, const json& actual) {
  const std::string found = difference(expected.dump(2), actual.dump(2));
  CHECK_MESSAGE(found.empty(), found);
}

Finding full_finding() {
  Finding finding = finding_of(kLimitRule, Severity::error, "not in the report", 5, 14);
  finding.document = 3;
  finding.pointer = JsonPointer("/spec/containers/0/resources");
  finding.object = {"apps/v1", "Deployment", "ml", "infer"};
  finding.container = "main";
  finding.fingerprint = "0123";
  finding.fix = Fix{"Add it",
                    Safety::safe,
                    {{PatchOp::Kind::add, JsonPointer("/spec/a~1b"), R"({"x": [1, "y", null]})", JsonPointer()},
                     {PatchOp::Kind::move, JsonPointer("/new"), "", JsonPointer("/old")},
                     {PatchOp::Kind::remove, JsonPointer("/gone"), "", JsonPointer()}}};
  finding.suppressed = Suppression{"configuration", "known"};
  return finding;
}

}  // namespace

TEST_CASE("a finding of which everything is known") {
  check_json(json::parse(R"({
      "rule": "some-limit", "severity": "error", "message": "container \"main\": something is wrong", "file": "a/b.yaml", "document": 3,
      "pointer": "/spec/containers/0/resources", "range": {"start": {"line": 12, "column": 5}, "end": {"line": 12, "column": 14}},
      "object": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "ml", "name": "infer"}, "container": "main",
      "fix": {"title": "Add it", "safety": "safe", "patch": [
          {"op": "add", "path": "/spec/a~1b", "value": {"x": [1, "y", null]}}, {"op": "move", "path": "/new", "from": "/old"},
          {"op": "remove", "path": "/gone"}]},
      "fingerprint": "0123", "suppressed": {"by": "configuration", "reason": "known"}})"),
             report_json(report_of({full_finding()}))["findings"][0]);
}

TEST_CASE("absent facts are absent keys") {
  check_json(json::parse(R"({"rule": "some-class", "severity": "info", "message": "container \"main\": something is wrong", "file": "a/b.yaml",
      "document": 0, "pointer": "", "range": {"start": {"line": 12, "column": 1}, "end": {"line": 12, "column": 2}}})"),
             report_json(report_of({finding_of(kClassRule, Severity::info)}))["findings"][0]);
  Finding named = finding_of(kClassRule, Severity::info);
  named.object = {"v1", "Pod", "", "p"};
  check_json(json::parse(R"({"apiVersion": "v1", "kind": "Pod", "name": "p"})"), report_json(report_of({named}))["findings"][0]["object"]);
}

TEST_CASE("the summary") {
  Report report = report_of({full_finding(), finding_of(kLimitRule, Severity::error), finding_of(kClassRule, Severity::info)});
  report.counts = {.files = 1, .documents = 2, .skipped_documents = 1, .pod_templates = 3, .gpu_requests = 4};
  report.undecided = {{"some-class", 2}};
  report.not_judged = {{"x.yaml", 1, "unrendered template"}};
  const json all = report_json(report);
  check_json(json::parse(R"({"files": 1, "documents": 2, "podTemplates": 3, "gpuRequests": 4, "errors": 1, "warnings": 0, "infos": 1, "suppressed": 1,
      "undecided": {"some-class": 2}, "notJudged": [{"file": "x.yaml", "reason": "unrendered template"}]})"),
             all["summary"]);
  CHECK(all["schemaVersion"] == 1);
  CHECK(all["version"] == kVersion);
  CHECK(all.size() == 4);
}

TEST_CASE("all findings are in it, whatever is shown elsewhere") {
  const Report report = report_of({full_finding(), finding_of(kClassRule, Severity::info), finding_of(kClassRule, Severity::warning)});
  CHECK(report_json(report)["findings"].size() == 3);
  CHECK(written(write_json, report) == written(write_json, report, {.colour = true, .show_infos = true, .show_suppressed = true, .summary = false}));
}

TEST_CASE("no finding: an empty list, and counts of nothing") {
  check_json(json::parse(R"({"findings": [], "summary": {"files": 0, "documents": 0, "podTemplates": 0, "gpuRequests": 0, "errors": 0, "warnings": 0,
      "infos": 0, "suppressed": 0, "undecided": {}, "notJudged": []}, "schemaVersion": 1, "version": ")" + std::string(kVersion) + "\"}"),
             report_json({}));
}

TEST_CASE("names and messages that are no UTF-8 still give JSON") {
  Finding finding = finding_of(kLimitRule, Severity::error);
  finding.file = "caf\xE9.yaml";
  finding.message = std::string("a\0b\x1b", 4);
  const json found = report_json(report_of({finding}))["findings"][0];
  CHECK(found["file"] == "caf\xEF\xBF\xBD.yaml");
  CHECK(found["message"] == finding.message);
}

TEST_CASE("numbers of a patch stay as they stand in the fix") {
  Finding finding = finding_of(kLimitRule, Severity::error);
  finding.fix = Fix{"t", Safety::safe, {{PatchOp::Kind::add, JsonPointer("/a"), "9007199254740993", JsonPointer()}}};
  CHECK(written(write_json, report_of({finding})).find("9007199254740993") != std::string::npos);
}

TEST_CASE("what is written is what the schema documents, and nothing more") {
  constexpr const char* kSchema = "lint/report_schema.json";
  CHECK(json_faults(kSchema, written(write_json, full_report()), true) == "");
  CHECK(json_faults(kSchema, written(write_json, {}), true) == "");
  const Outcome outcome = program({"testdata", "--output", "json"});
  REQUIRE(json::parse(outcome.out)["findings"].size() > 100);
  CHECK(json_faults(kSchema, outcome.out, true) == "");
  json changed = json::parse(written(write_json, full_report()));
  changed["findings"][0]["extra"] = 1;
  CHECK(json_faults(kSchema, changed.dump(), true) != "");
  CHECK(json_faults(kSchema, changed.dump()) == "");
  changed["findings"][0].erase("rule");
  CHECK(json_faults(kSchema, changed.dump()) != "");
}
