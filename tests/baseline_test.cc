// Baselines: what they set aside, what stays new, what they say is gone, and what is wrong with a broken one.
#include "rules/engine/baseline.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace gpulint {
namespace {

struct File {
  std::string name, text;
};

/// A pod with a request without a limit in each of its containers: one error for each, at the line of its resources.
std::string pod(std::string_view name, std::vector<std::string> containers = {"main"}, std::string_view annotations = "") {
  std::string text = fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\n  annotations: {{{}}}\nspec:\n  containers:\n", name, annotations);
  for (const std::string& container : containers)
    text += fmt::format("    - name: {}\n      resources: {{requests: {{nvidia.com/gpu: 1}}}}\n", container);
  return text;
}

Report judged(const std::vector<File>& files, const Policy& policy) {
  std::vector<FileReport> reports;
  for (const File& file : files) reports.push_back(inspect(Source(file.name, file.text), policy));
  return conclude(std::move(reports), policy);
}

Policy plain() {
  Policy policy;
  policy.paths = {"/repo", "/repo"};
  return policy;
}

/// A policy with the baseline that a run over these files writes; `gone` are files that there are no more.
Policy adopted(const std::vector<File>& files, const std::vector<std::string>& gone = {}) {
  Policy writing = plain(), policy = plain();
  writing.writes_baseline = true;
  auto baseline = std::make_shared<Baseline>();
  const Source source("b.json", baseline_text(judged(files, writing).baseline));
  const auto problems = baseline->read(source);
  CHECK_MESSAGE(problems.empty(), source.bytes());
  for (BaselineEntry& entry : baseline->entries) entry.gone = std::find(gone.begin(), gone.end(), entry.file) != gone.end();
  policy.set_aside = baseline;
  policy.reads_all = true;
  return policy;
}

/// `file/object/container` of each open error, then `stale: file/object`.
std::string outcome(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    if (!finding.suppressed && finding.severity == Severity::error)
      text += fmt::format("{}{}/{}/{}", text.empty() ? "" : " ", finding.file, finding.object.name, finding.container);
  for (const BaselineEntry& entry : report.stale_baseline)
    text += fmt::format("{}stale:{}/{}", text.empty() ? "" : " ", entry.file, entry.object.substr(entry.object.rfind(' ') + 1));
  return text;
}

const std::string kP = pod("p"), kQ = pod("q"), kNone = "kind: ConfigMap\n", kBroken = "nvidia.com/gpu: [\n";

TEST_CASE("what is set aside, what is new, what is stale") {
  struct Row {
    std::string_view what;
    std::vector<File> before, after;
    std::vector<std::string> gone;
    std::string_view outcome;
  };
  const Row rows[] = {
      {"nothing changed", {{"a.yaml", kP}}, {{"a.yaml", kP}}, {}, ""},
      {"lines moved", {{"a.yaml", kP}}, {{"a.yaml", "# one\n# two\n---\n" + kP}}, {}, ""},
      {"another container in front", {{"a.yaml", kP}}, {{"a.yaml", pod("p", {"side", "main"})}}, {}, "a.yaml/p/side"},
      {"two containers, one mended", {{"a.yaml", pod("p", {"main", "side"})}}, {{"a.yaml", pod("p", {"side"})}}, {}, "stale:a.yaml/p"},
      {"a file renamed", {{"a.yaml", kP}}, {{"b.yaml", kP}}, {"a.yaml"}, ""},
      {"an object moved to another file", {{"a.yaml", kP + "---\n" + kQ}}, {{"a.yaml", kQ}, {"b.yaml", kP}}, {}, ""},
      {"a second copy in a new file", {{"b.yaml", kP}}, {{"a.yaml", kP}, {"b.yaml", kP}}, {}, "a.yaml/p/main"},
      {"a copy, while the old file is not read", {{"a.yaml", kP}}, {{"b.yaml", kP}}, {}, "b.yaml/p/main"},
      {"two copies from the start", {{"a.yaml", kP}, {"b.yaml", kP}}, {{"a.yaml", kP}, {"b.yaml", kP}}, {}, ""},
      {"one of two copies mended", {{"a.yaml", kP}, {"b.yaml", kP}}, {{"a.yaml", kNone}, {"b.yaml", kP}}, {}, "stale:a.yaml/p"},
      {"a second copy in the same file", {{"a.yaml", kP}}, {{"a.yaml", kP + "---\n" + kP}}, {}, "a.yaml/p/main"},
      {"another object", {{"a.yaml", kP}}, {{"a.yaml", kQ}}, {}, "a.yaml/q/main stale:a.yaml/p"},
      {"mended", {{"a.yaml", kP}}, {{"a.yaml", kNone}}, {}, "stale:a.yaml/p"},
      {"deleted", {{"a.yaml", kP}}, {}, {"a.yaml"}, "stale:a.yaml/p"},
      {"only another file read", {{"a.yaml", kP}}, {{"b.yaml", kNone}}, {}, ""},
      {"broken since", {{"a.yaml", kP}}, {{"a.yaml", kBroken}}, {}, "a.yaml//"},
      {"a text nobody can read, in the same file", {{"a.yaml", kBroken}}, {{"a.yaml", kBroken}}, {}, ""},
      {"such a text in another file", {{"a.yaml", kBroken}}, {{"a.yaml", kNone}, {"b.yaml", kBroken}}, {}, "b.yaml// stale:a.yaml/"},
      {"set aside by an annotation since", {{"a.yaml", kP}}, {{"a.yaml", pod("p", {"main"}, "ignore.gpulint.dev/gpu-request-without-limit: why")}}, {},
       "stale:a.yaml/p"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(outcome(judged(row.after, adopted(row.before, row.gone))) == row.outcome);
  }
  Policy part = adopted({{"a.yaml", kP}}, {"a.yaml"});
  part.reads_all = false;  // the file may have got another name in what was not read
  CHECK(outcome(judged({{"b.yaml", kNone}}, part)) == "");
}

TEST_CASE("what is set aside counts as suppressed and fails no run") {
  const Policy policy = adopted({{"a.yaml", kP}});
  const Report report = judged({{"a.yaml", kP}}, policy);
  CHECK(report.errors == 0);
  CHECK(report.suppressed == 1);
  CHECK_FALSE(decide(report, policy).failed);
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::error) CHECK(finding.suppressed.value_or(Suppression{}).by == "baseline");
  Policy audit = policy;
  audit.honour_suppressions = false;
  CHECK(judged({{"a.yaml", kP}}, audit).errors == 1);
}

TEST_CASE("infos are listed only where they can fail a run") {
  Policy policy = plain();
  policy.writes_baseline = true;
  policy.rules["gpu-request-without-limit"].severity = Severity::info;
  CHECK(judged({{"a.yaml", kP}}, policy).baseline.empty());
  policy.fail_on = Severity::info;
  CHECK_FALSE(judged({{"a.yaml", kP}}, policy).baseline.empty());
}

TEST_CASE("the text: one finding a line, in an order that moved lines do not change") {
  Policy policy = plain();
  policy.paths.working = "/repo/sub";
  policy.writes_baseline = true;
  const auto text = [&](const std::vector<File>& files) { return baseline_text(judged(files, policy).baseline); };
  const std::string one = text({{"b.yaml", kQ + "---\n" + kP}, {"a.yaml", kQ}});
  CHECK(one == text({{"a.yaml", "\n\n" + kQ}, {"b.yaml", kP + "---\n" + kQ}}));
  CHECK(std::count(one.begin(), one.end(), '\n') == 5);
  CHECK(one.starts_with("{\"schemaVersion\": 1,\n \"findings\": [\n  {\"fingerprint\":\""));
  CHECK(one.find("\"rule\":\"gpu-request-without-limit\",\"file\":\"sub/a.yaml\",\"object\":\"v1 Pod q\",\"container\":\"main\",\"message\":\"") != one.npos);
  CHECK(text({}) == "{\"schemaVersion\": 1,\n \"findings\": []}\n");
}

TEST_CASE("a broken baseline is a located problem") {
  struct Row {
    std::string_view text, problem;
  };
  constexpr Row kRows[] = {
      {"", "1:1 the file is empty; --write-baseline writes a baseline"},
      {"[]", "1:1 this is no baseline: it has no schemaVersion and list of findings; --write-baseline writes one"},
      {"{\"schemaVersion\": 1}", "1:1 this is no baseline: it has no schemaVersion and list of findings; --write-baseline writes one"},
      {"{\"schemaVersion\": 7, \"findings\": []}", "1:19 schemaVersion is 7, and this gpulint reads 1; write the baseline anew with --write-baseline"},
      {"{\"schemaVersion\": 1,\n \"findings\": [\n  {\"fingerprint\": 3, \"rule\": \"a\", \"file\": \"b\"}]}", "3:19 fingerprint of a finding must be a text"},
      {"{\"schemaVersion\": 1,\n \"findings\": [\n  {\"fingerprint\": \"0\", \"rule\": \"a\"}]}", "3:3 file of a finding must be a text; there is none"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    const Source source("b.json", std::string(row.text));
    std::string found;
    for (const PolicyProblem& p : Baseline().read(source)) found += fmt::format("{}:{} {}", p.position.line, p.position.column, p.message);
    CHECK(found == row.problem);
  }
  const std::string conflict = "{\"schemaVersion\": 1,\n \"findings\": [\n<<<<<<< HEAD\n";
  const auto problems = Baseline().read(Source("b.json", conflict));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].position.line == 3);
}

}  // namespace
}  // namespace gpulint
