// Kustomizations through the program: what is said of bases, overlays and patches, and where.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/helm.h"
#include "tests/support/render_place.h"

using namespace gpulint::testing;

namespace {

std::string deployment(const std::string& resources) {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: infer\nspec:\n  selector: {matchLabels: {app: infer}}\n  template:\n    metadata: {labels: {app: infer}}\n"
         "    spec:\n      containers:\n        - name: main\n          image: example/infer:1.0\n          resources: " + resources + "\n";
}

std::string patch(const std::string& resources) {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: infer\nspec:\n  template:\n    spec:\n      containers:\n        - name: main\n          resources: " + resources + "\n";
}

/// kubectl alone, so that it does the work of kustomize whatever is installed; false where there is none.
bool with_real_kubectl(const Place& place) {
  const std::string kubectl = kubectl_of_tests();
  if (!kubectl.empty()) place.link("kubectl", std::filesystem::absolute(kubectl));
  return !kubectl.empty();
}

}  // namespace

TEST_CASE("kustomize is called for what no other kustomization builds on") {
  const Place place;
  write_file(place.here / "base/kustomization.yaml", "resources: [deploy.yaml]\n");
  write_file(place.here / "base/deploy.yaml", deployment("{limits: {nvidia.com/gpu: 1}}"));
  write_file(place.here / "over/kustomization.yaml", "resources: [../base]\n");
  write_file(place.here / "plain/kustomization.yaml", "resources: [map.yaml]\n");
  write_file(place.here / "plain/map.yaml", kGood);
  write_file(place.here / "part/kustomization.yaml", "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\npatches: [{path: p.yaml}]\n");
  write_file(place.here / "flux/kustomization.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: nvidia.com}\n");
  place.install("kustomize", fmt::format("echo kustomize \"$@\" >> '{}'\n", place.here / "calls"));
  place.install("kubectl", fmt::format("echo kubectl \"$@\" >> '{}'\n", place.here / "calls"));
  CHECK(place.lint({}, false).status == 0);
  CHECK(read_file(place.here / "calls") == "kustomize build over\n");
  std::filesystem::remove(place.here / "calls");
  CHECK(place.lint({"base", "over/kustomization.yaml"}, false).status == 0);
  CHECK(read_file(place.here / "calls") == "kustomize build over\n");
  std::filesystem::remove(place.here / "calls");
  std::filesystem::remove(place.programs + "/kustomize");
  CHECK(place.lint({"base"}, false).status == 0);
  CHECK(read_file(place.here / "calls") == "kubectl kustomize base\n");
}

TEST_CASE("what overlays make of a base") {
  struct Row { const char* what; std::string base, overlay, patch, expected; };
  const std::string asks = "{requests: {nvidia.com/gpu: 1}}", right = "{limits: {nvidia.com/gpu: 1}}", wrong = "{limits: {nvidia.com/gpu: 0.5}}";
  for (const Row& row : std::vector<Row>{
           {"a fault of the base stands at the base, once, with its fix", asks, "namePrefix: prod-\nresources: [../base]\n", "",
            "base/deploy.yaml:13 gpu-request-without-limit fix\n"},
           {"a fault of the base that every overlay mends is none", asks, "resources: [../base]\npatches: [{path: patch.yaml}]\n", patch(right), ""},
           {"a fault of a patch stands at the patch", right, "resources: [../base]\npatches: [{path: patch.yaml}]\n", patch(wrong),
            "over/patch.yaml:10 gpu-quantity-not-integer\n"},
           {"a patch alone is no workload", right, "resources: [../base]\npatchesStrategicMerge: [patch.yaml]\n", patch("{requests: {nvidia.com/gpu: 1}}"), ""},
           {"a fault of an inline patch stands at the kustomization", right,
            "resources: [../base]\npatches:\n- target: {kind: Deployment}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/resources/limits\", \"value\": {\"nvidia.com/gpu\": 0.5}}]'\n",
            "", "over/kustomization.yaml:1 gpu-quantity-not-integer\n"},
           {"a patch of operations", right, "resources: [../base]\npatches: [{path: patch.yaml, target: {kind: Deployment, name: infer}}]\n",
            "- op: replace\n  path: /spec/template/spec/containers/0/resources/limits\n  value:\n    nvidia.com/gpu: 0.5\n", "over/patch.yaml:4 gpu-quantity-not-integer\n"},
           {"a patch of operations in JSON, of the value alone", right, "resources: [../base]\npatches: [{path: patch.yaml, target: {kind: Deployment}}]\n",
            "[\n{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu\", \"value\": \"1.5\"}]\n",
            "over/patch.yaml:2 gpu-quantity-not-integer\n"},
           {"a patch for a target bears any name", right, "resources: [../base]\npatches: [{path: patch.yaml, target: {kind: Deployment}}]\n",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: any}\nspec:\n  template:\n    spec:\n      containers:\n        - name: main\n          resources: " + wrong + "\n",
            "over/patch.yaml:9 gpu-quantity-not-integer\n"},
           {"what only the kustomization adds stands there", right,
            "resources: [../base]\npatches:\n- target: {kind: Deployment}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/template/spec/containers/0/env\", \"value\": [{\"name\": \"NVIDIA_VISIBLE_DEVICES\", \"value\": \"all\"}]}]'\n",
            "", "over/kustomization.yaml:1 visible-devices-override\n"},
       }) {
    CAPTURE(row.what);
    const Place place;
    if (!with_real_kubectl(place)) return;
    write_file(place.here / "base/kustomization.yaml", "resources: [deploy.yaml]\n");
    write_file(place.here / "base/deploy.yaml", deployment(row.base));
    write_file(place.here / "over/kustomization.yaml", row.overlay);
    if (!row.patch.empty()) write_file(place.here / "over/patch.yaml", row.patch);
    const json report = place.report({}, false);
    std::string found;
    for (const json& finding : report["findings"])
      if (finding["severity"] != "info")
        found += fmt::format("{}:{} {}{}\n", finding["file"].get<std::string>(), finding["range"]["start"]["line"].get<int>(), finding["rule"].get<std::string>(),
                             finding.contains("fix") ? " fix" : "");
    CHECK(found == row.expected);
    CHECK(not_judged(report) == "");
    CHECK(report["summary"]["podTemplates"] == 1);
  }
}

TEST_CASE("an overlay alone, and two of one base") {
  const Place place;
  if (!with_real_kubectl(place)) return;
  write_file(place.here / "base/kustomization.yaml", "resources: [deploy.yaml]\n");
  write_file(place.here / "base/deploy.yaml", deployment("{requests: {nvidia.com/gpu: 1}}"));
  write_file(place.here / "dev/kustomization.yaml", "resources: [../base]\n");
  write_file(place.here / "prod/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]\n");
  write_file(place.here / "prod/patch.yaml", patch("{limits: {nvidia.com/gpu: 1}}"));
  CHECK(found(place.report({"dev"}, false)) == "base/deploy.yaml:13 gpu-request-without-limit\n");
  CHECK(found(place.report({"prod"}, false)) == "");
  CHECK_MESSAGE(found(place.report({}, false)) == "base/deploy.yaml:13 gpu-request-without-limit\n", "one overlay still shows it");
  CHECK_MESSAGE(found(place.report({"prod/patch.yaml"}, false)) == "", "a hook names the patch");
  CHECK(found(place.report({"base/deploy.yaml"}, false)) == "base/deploy.yaml:13 gpu-request-without-limit\n");
  CHECK(found(place.report({"--render", "never", "prod"}, false)) == "");
  CHECK(found(place.report({"--render", "never", "base"}, false)) == "base/deploy.yaml:13 gpu-request-without-limit\n");
}

TEST_CASE("a kustomization that cannot be built: said, and its files are judged as they stand") {
  const Place place;
  if (!with_real_kubectl(place)) return;
  write_file(place.here / "k/kustomization.yaml", "resources: [deploy.yaml, missing.yaml]\n");
  write_file(place.here / "k/deploy.yaml", deployment("{requests: {nvidia.com/gpu: 1}}"));
  const json report = place.report({}, false);
  CHECK(found(report) == "k/deploy.yaml:13 gpu-request-without-limit\n");
  const std::string left = not_judged(report);
  CHECK_MESSAGE(left.starts_with("k: kubectl kustomize: error: accumulating resources"), left);
  CHECK(place.lint({"--strict-input"}, false).status == 2);
}

TEST_CASE("what a component says stands at the component; what is excluded is not said") {
  const Place place;
  if (!with_real_kubectl(place)) return;
  write_file(place.here / "base/kustomization.yaml", "resources: [deploy.yaml]\n");
  write_file(place.here / "base/deploy.yaml", deployment("{limits: {nvidia.com/gpu: 1}}"));
  write_file(place.here / "over/kustomization.yaml", "resources: [../base]\ncomponents: [../part]\n");
  const std::string component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
  const std::string operation = "[{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/resources/limits\", \"value\": {\"nvidia.com/gpu\": 0.5}}]";
  write_file(place.here / "part/patch.yaml", operation);
  write_file(place.here / "part/kustomization.yaml", component + "patches: [{path: patch.yaml, target: {kind: Deployment}}]\n");
  CHECK(found(place.report({"over"}, false)) == "part/patch.yaml:1 gpu-quantity-not-integer\n");
  write_file(place.here / "part/kustomization.yaml", component + "patches: [{patch: '" + operation + "', target: {kind: Deployment}}]\n");
  CHECK(found(place.report({"over"}, false)) == "part/kustomization.yaml:1 gpu-quantity-not-integer\n");
  CHECK(found(place.report({"over", "--exclude", "part"}, false)) == "");
  write_file(place.here / "base/deploy.yaml", deployment("{requests: {nvidia.com/gpu: 1}}"));
  write_file(place.here / "over/kustomization.yaml", "resources: [../base]\n");
  CHECK(found(place.report({"--exclude", "base"}, false)) == "");
  write_file(place.here / ".gpulint.yaml", "exclude: [base/]\n");
  CHECK(found(place.report({}, false)) == "");
}

TEST_CASE("ignore entries hold for the place that a finding is said at") {
  const Place place;
  if (!with_real_kubectl(place)) return;
  write_file(place.here / "base/kustomization.yaml", "resources: [deploy.yaml]\n");
  write_file(place.here / "base/deploy.yaml", deployment("{requests: {nvidia.com/gpu: 1}}"));
  write_file(place.here / "dev/kustomization.yaml", "resources: [../base]\n");
  write_file(place.here / ".gpulint.yaml", "ignore: [{rule: gpu-request-without-limit, paths: [base/**], reason: known}]\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"dev"}}) {
    const json report = place.report(words, false);
    CHECK(report["summary"]["errors"] == 0);
    CHECK(report["summary"]["suppressed"] == 1);
  }
}
