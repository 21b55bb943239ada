// Reports joined and decided: fingerprints, the order of output, sums, thresholds.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/engine/engine.h"

namespace gpulint {
namespace {

constexpr std::string_view kRule = "gpu-request-without-limit";

/// A pod that asks for a GPU without a limit: one error whatever the cluster.
std::string bad_pod(std::string_view name, std::string_view container = "main") {
  return fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\nspec:\n  containers:\n    - name: {}\n      resources: {{requests: {{nvidia.com/gpu: 1}}}}\n",
                     name, container);
}

FileReport judged(std::string text, const Policy& policy = Policy(), std::string name = "a.yaml") {
  return inspect(Source(std::move(name), std::move(text)), policy);
}

std::string fingerprint(const FileReport& report) {
  std::string found;
  for (const Finding& finding : report.findings)
    if (finding.rule->id == kRule) found += finding.fingerprint;
  CHECK(found.size() == 16);  // one finding, 64 bits in hex
  return found;
}

std::string listed(const Report& report) {
  std::string out;
  for (const Finding& f : report.findings)
    out += fmt::format("{}#{} {}:{} {} {}\n", f.file, f.document, f.range.start.line, f.range.start.column, f.rule->id, f.fingerprint);
  for (const NotJudged& entry : report.not_judged) out += fmt::format("{}#{} {}\n", entry.file, entry.document, entry.reason);
  return out;
}

TEST_CASE("fingerprints survive moved lines, renamed files and reordered containers") {
  const std::string pod = bad_pod("p"), first = fingerprint(judged(pod));
  CHECK(fingerprint(judged("# moved\n\n---\n" + pod)) == first);
  CHECK(fingerprint(judged(pod, Policy(), "other/name.yaml")) == first);
  std::string behind_another = pod;
  behind_another.insert(pod.find("    - name: main"), "    - {name: side, image: x}\n");
  CHECK(fingerprint(judged(behind_another)) == first);
  CHECK(fingerprint(judged(bad_pod("q"))) != first);
  CHECK(fingerprint(judged(bad_pod("p", "other"))) != first);
}

TEST_CASE("no two findings of a run share a fingerprint") {
  const std::string nameless = "    - {resources: {requests: {nvidia.com/gpu: 1}}}\n", named = "    - {name: same, resources: {requests: {nvidia.com/gpu: 1}}}\n";
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n";
  const std::string text = head + nameless + nameless + named + named + "---\n" + bad_pod("p") + "---\n" + bad_pod("p");
  std::vector<FileReport> reports;
  for (const char* file : {"a.yaml", "b.yaml"}) reports.push_back(judged(text, Policy(), file));
  const Report report = conclude(std::move(reports), Policy());
  std::set<std::string> seen;
  for (const Finding& finding : report.findings) CHECK_MESSAGE(seen.insert(finding.fingerprint).second, finding.pointer.text());
  CHECK(seen.size() >= 12);
}

TEST_CASE("conclude: one order whatever the order of the reports, and the sums") {
  Policy policy;
  policy.rules[std::string(kRule)].severity = Severity::warning;
  const std::string text = bad_pod("p") + "---\nx: [nvidia.com/gpu\n---\n" + bad_pod("q");
  const auto reports = [&](std::vector<const char*> names) {
    std::vector<FileReport> list;
    for (const char* name : names) list.push_back(judged(text, policy, name));
    return conclude(std::move(list), policy);
  };
  const Report one = reports({"b.yaml", "a.yaml", "c.yaml"}), other = reports({"c.yaml", "a.yaml", "b.yaml"});
  CHECK(listed(one) == listed(other));
  CHECK(std::is_sorted(one.findings.begin(), one.findings.end(), in_output_order));
  CHECK(one.findings.front().file == "a.yaml");
  CHECK(one.errors == 3);
  CHECK(one.warnings == 6);
  CHECK(one.suppressed == 0);
  CHECK(one.errors + one.warnings + one.infos == one.findings.size());
  CHECK(one.counts.files == 3);
  CHECK(one.counts.documents == 9);
}

TEST_CASE("decide: what fails under which threshold") {
  struct Row {
    Severity finding, fail_on;
    bool suppressed, failed;
  };
  constexpr Row kRows[] = {
      {Severity::error, Severity::error, false, true},
      {Severity::error, Severity::warning, false, true},
      {Severity::error, Severity::error, true, false},
      {Severity::warning, Severity::error, false, false},
      {Severity::warning, Severity::warning, false, true},
      {Severity::info, Severity::warning, false, false},
      {Severity::info, Severity::info, false, true},
  };
  for (const Row& row : kRows) {
    Report report;
    report.findings.emplace_back().severity = row.finding;
    if (row.suppressed) report.findings[0].suppressed = Suppression{"annotation", "why"};
    Policy policy;
    policy.fail_on = row.fail_on;
    const Decision decision = decide(report, policy);
    CAPTURE(name_of(row.finding));
    CAPTURE(name_of(row.fail_on));
    CHECK(decision.failed == row.failed);
    CHECK(decision.errors.size() == (row.finding == Severity::error && !row.suppressed));
    CHECK(decision.warnings.size() == (row.finding == Severity::warning));
    CHECK(decision.infos.size() == (row.finding == Severity::info));
  }
}

}  // namespace
}  // namespace gpulint
