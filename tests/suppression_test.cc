// Setting findings aside: by annotation of the object or its template, by the configuration, and what is said about suppressions that do nothing.
#include "rules/engine/suppression.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rules/engine/engine.h"

namespace gpulint {
namespace {

/// A Deployment of two containers, `main` and `side`, that each ask for a GPU without a limit; annotations of the object and of the template.
std::string deployment(std::string_view object = "", std::string_view pod = "") {
  return fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\n  annotations: {{{}}}\nspec:\n  replicas: 1\n"
      "  strategy: {{type: RollingUpdate, rollingUpdate: {{maxSurge: 1, maxUnavailable: 0}}}}\n  template:\n    metadata:\n"
      "      annotations: {{{}}}\n    spec:\n      containers:\n"
      "        - name: main\n          resources: {{requests: {{nvidia.com/gpu: 1}}}}\n"
      "        - name: side\n          resources: {{requests: {{nvidia.com/gpu: 1}}}}\n",
      object, pod);
}

FileReport judged(std::string text, const Policy& policy = Policy(), std::string name = "a.yaml") {
  return inspect(Source(std::move(name), std::move(text)), policy);
}

/// What became of the findings of the rules these tests are about: `rule[container]: open`, or how and why it is suppressed.
std::string listed(const FileReport& report) {
  std::string out;
  for (const Finding& f : report.findings) {
    const std::string_view id = f.rule->id;
    if (id != "gpu-request-without-limit" && id != "rollout-deadlock" && id != "unused-suppression" && id != "unknown-rule") continue;
    out += fmt::format("{}{}: {}\n", id, f.container.empty() ? "" : "[" + f.container + "]",
                       f.suppressed ? fmt::format("{}, {}", f.suppressed->by, f.suppressed->reason) : std::string("open"));
  }
  return out;
}

constexpr std::string_view kOpen = "rollout-deadlock: open\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: open\n";

TEST_CASE("annotations") {
  struct Row {
    std::string_view what, object, pod, found;
  };
  constexpr Row kRows[] = {
      {"none", "", "", kOpen},
      {"on the object: all of it", "ignore.gpulint.dev/gpu-request-without-limit: mutated later", "",
       "rollout-deadlock: open\ngpu-request-without-limit[main]: annotation, mutated later\ngpu-request-without-limit[side]: annotation, mutated later\n"},
      {"on the template: what is inside", "", "ignore.gpulint.dev/gpu-request-without-limit: why",
       "rollout-deadlock: open\ngpu-request-without-limit[main]: annotation, why\ngpu-request-without-limit[side]: annotation, why\n"},
      {"on the template, for a finding outside", "", "ignore.gpulint.dev/rollout-deadlock: why",
       "rollout-deadlock: open\nunused-suppression: open\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: open\n"},
      {"on the object, for it", "ignore.gpulint.dev/rollout-deadlock: spare node", "",
       "rollout-deadlock: annotation, spare node\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: open\n"},
      {"for one container", "side.ignore.gpulint.dev/gpu-request-without-limit: why", "",
       "rollout-deadlock: open\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: annotation, why\n"},
      {"for a container that is not there", "other.ignore.gpulint.dev/gpu-request-without-limit: why", "",
       "unused-suppression: open\nrollout-deadlock: open\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: open\n"},
      {"blanks around the reason", "ignore.gpulint.dev/rollout-deadlock: \" why \"", "",
       "rollout-deadlock: annotation, why\ngpu-request-without-limit[main]: open\ngpu-request-without-limit[side]: open\n"},
      {"another domain", "xignore.gpulint.dev/rollout-deadlock: why, .ignore.gpulint.dev/rollout-deadlock: why, gpulint.dev/rollout-deadlock: why", "", kOpen},
      {"no name part", "ignore.gpulint.dev: why", "", kOpen},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.what);
    CHECK(listed(judged(deployment(row.object, row.pod))) == row.found);
  }
}

TEST_CASE("an annotation of one template does not reach into another") {
  const std::string job =
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: j}\nspec:\n  pytorchReplicaSpecs:\n    Master:\n      template:\n"
      "        metadata: {annotations: {ignore.gpulint.dev/gpu-request-without-limit: why}}\n"
      "        spec: {containers: [{name: a, resources: {requests: {nvidia.com/gpu: 1}}}]}\n"
      "    Worker:\n      template:\n        spec: {containers: [{name: b, resources: {requests: {nvidia.com/gpu: 1}}}]}\n";
  CHECK(listed(judged(job)) == "gpu-request-without-limit[a]: annotation, why\ngpu-request-without-limit[b]: open\n");
}

TEST_CASE("annotations that do nothing are findings") {
  struct Row {
    std::string_view annotation, rule, severity, message;
  };
  constexpr Row kRows[] = {
      {"ignore.gpulint.dev/gpu-request-without-limit: ''", "unused-suppression", "warning",
       "annotation \"ignore.gpulint.dev/gpu-request-without-limit\" gives no reason and suppresses nothing"},
      {"ignore.gpulint.dev/gpu-request-without-limit: true", "unused-suppression", "warning",
       "annotation \"ignore.gpulint.dev/gpu-request-without-limit\" gives no reason and suppresses nothing"},
      {"ignore.gpulint.dev/zero-gpu-limit: why", "unused-suppression", "warning",
       "annotation \"ignore.gpulint.dev/zero-gpu-limit\" suppresses nothing: zero-gpu-limit finds nothing here"},
      {"ignore.gpulint.dev/zero-gpu-limits: why", "unknown-rule", "error",
       "annotation \"ignore.gpulint.dev/zero-gpu-limits\" names no rule; did you mean \"zero-gpu-limit\"?"},
      {"main.ignore.gpulint.dev/xyz: why", "unknown-rule", "error", "annotation \"main.ignore.gpulint.dev/xyz\" names no rule"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.annotation);
    const FileReport report = judged(deployment(row.annotation));
    std::string found;
    for (const Finding& f : report.findings) {
      if (f.rule->id != "unused-suppression" && f.rule->id != "unknown-rule") continue;
      found += fmt::format("{} {} {}", name_of(f.severity), f.rule->id, f.message);
      CHECK(f.pointer.parent().text() == "/metadata/annotations");
      CHECK(f.object.name == "d");
    }
    CHECK(found == fmt::format("{} {} {}", row.severity, row.rule, row.message));
  }
}

TEST_CASE("a suppression is not called unused where its rule could not fire") {
  const std::string text = deployment("ignore.gpulint.dev/zero-gpu-limit: why");
  Policy off;
  off.rules["zero-gpu-limit"].off = true;
  CHECK(listed(judged(text, off)) == kOpen);
  Policy admission;
  admission.lint = false;
  CHECK(listed(judged(text, admission)) == kOpen);
}

TEST_CASE("without suppressions everything is open, and none is called unused") {
  Policy audit;
  audit.honour_suppressions = false;
  audit.ignore.push_back({"rollout-deadlock", {}, "why", ""});
  CHECK(listed(judged(deployment("ignore.gpulint.dev/gpu-request-without-limit: why, ignore.gpulint.dev/zero-gpu-limit: why"), audit)) == kOpen);
}

TEST_CASE("a suppressed finding keeps its severity and counts apart") {
  std::vector<FileReport> reports;
  reports.push_back(judged(deployment("ignore.gpulint.dev/gpu-request-without-limit: why")));
  const Policy policy;
  const Report report = conclude(std::move(reports), policy);
  CHECK(report.errors == 0);
  CHECK(report.suppressed == 2);
  CHECK_FALSE(decide(report, policy).failed);
}

TEST_CASE("entries of the configuration") {
  struct Row {
    std::string_view what;
    IgnoreEntry entry;
    bool suppressed;
  };
  const Row rows[] = {
      {"everywhere", {"rollout-deadlock", {}, "why", ""}, true},
      {"a path that matches", {"rollout-deadlock", {"lab/**"}, "why", ""}, true},
      {"one of several paths", {"rollout-deadlock", {"x/**", "*.yaml"}, "why", ""}, true},
      {"a path that does not match", {"rollout-deadlock", {"prod/**"}, "why", ""}, false},
      {"another rule", {"zero-gpu-limit", {}, "why", ""}, false},
      {"expired long ago", {"rollout-deadlock", {}, "why", "2001-01-01"}, false},
      {"not expired yet", {"rollout-deadlock", {}, "why", "9999-12-31"}, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Policy policy;
    policy.ignore.push_back(row.entry);
    const std::string found = listed(judged(deployment(), policy, "lab/x/a.yaml"));
    CHECK(found.starts_with(row.suppressed ? "rollout-deadlock: configuration, why\n" : "rollout-deadlock: open\n"));
  }
}

TEST_CASE("a finding about the document is covered by the object that it stands in") {
  const std::string twice = deployment("ignore.gpulint.dev/duplicate-key: generated") + "          resources: {requests: {nvidia.com/gpu: 1}}\n";
  std::size_t found = 0;
  for (const Finding& f : judged(twice).findings) {
    if (f.rule->id != "duplicate-key") continue;
    ++found;
    CHECK(f.object.name == "d");
    CHECK(f.suppressed.value_or(Suppression{}).reason == "generated");
  }
  CHECK(found == 1);
}

TEST_CASE("values of a file that cannot be read are suppressed by the configuration only") {
  Policy policy;
  policy.ignore.push_back({"invalid-manifest", {"broken/**"}, "kept as a test", ""});
  const FileReport report = judged("x: [nvidia.com/gpu\n", policy, "broken/a.yaml");
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].suppressed.has_value());
  CHECK(report.not_judged.size() == 1);
}

}  // namespace
}  // namespace gpulint
