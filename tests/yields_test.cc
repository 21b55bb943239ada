// Which rule yields to which: one mistake, one finding. Where two rules could speak of the same thing the better one does, and the other says
// nothing; each row shows the manifest where it yields, and the change after which it speaks.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "rules/engine/engine.h"
#include "tests/corpus/manifests.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

/// A Pod, from lines of its metadata, of its spec and of its only container.
std::string pod(std::string_view metadata, std::string_view spec, std::string_view container) {
  return fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n{}spec:\n{}  containers:\n  - name: main\n{}", metadata, spec, container);
}

const std::string kImage = "    image: example/app:1.0\n";
const std::string kClass = "  runtimeClassName: nvidia\n";

std::string device_plugin(std::string_view tolerations) {
  return fmt::format(
      "apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: plugin\nspec:\n  selector:\n    matchLabels: {{app: plugin}}\n  template:\n"
      "    metadata:\n      labels: {{app: plugin}}\n    spec:\n      nodeSelector: {{nvidia.com/gpu.present: \"true\"}}\n{}      containers:\n"
      "      - name: plugin\n        image: nvcr.io/nvidia/k8s-device-plugin:v0.17.0\n        volumeMounts:\n"
      "        - {{name: sockets, mountPath: /var/lib/kubelet/device-plugins}}\n      volumes:\n"
      "      - {{name: sockets, hostPath: {{path: /var/lib/kubelet/device-plugins}}}}\n",
      tolerations);
}

FileReport judged(const std::string& manifest, std::string_view cluster) {
  const Source source("yields.yaml", manifest);
  return inspect(source, testing::policy_for(cluster));
}

bool speaks(const FileReport& report, std::string_view rule) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) { return finding.rule->id == rule; });
}

std::string listed(const FileReport& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    text += fmt::format("{} {} {}: {}\n", finding.pointer.text(), name_of(finding.severity), finding.rule->id, finding.message);
  return text;
}

struct Side {
  std::string cluster, manifest;
};

struct Row {
  std::string_view rule, yields_to;
  Side yields;  ///< `yields_to` speaks, `rule` does not
  Side speaks;  ///< the other way round
};

const std::string kLegacyClaim = "  resourceClaims:\n  - name: gpu\n    source:\n      resourceClaimTemplateName: one\n";
const std::string kClaim = "  resourceClaims:\n  - name: gpu\n    resourceClaimTemplateName: one\n";
const std::string kAccess = "  annotations:\n    nvidia.cdi.k8s.io/container.main: nvidia.com/gpu=all\n";
const std::string kTaint = "generic+taint:nvidia.com/gpu=present:NoSchedule";
const std::string kGpu = kImage + "    resources: {limits: {nvidia.com/gpu: 1}}\n";

std::vector<Row> claim_rows() {
  return {
      {"unused-resource-claim", "legacy-claim-source", {"generic", pod("", kLegacyClaim, kImage)}, {"generic", pod("", kClaim, kImage)}},
      {"undeclared-resource-claim", "legacy-claim-source",
       {"generic", pod("", "", kImage + "    resources: {claims: [gpu]}\n")},
       {"generic", pod("", "", kImage + "    resources: {claims: [{name: gpu}]}\n")}},
  };
}

std::vector<Row> class_rows() {
  return {
      {"runtime-class-without-gpu", "unknown-runtime-class", {"gke", pod("", kClass, kImage)}, {"generic", pod("", kClass, kImage)}},
      {"runtime-class-without-gpu", "zero-gpu-limit",
       {"generic", pod("", kClass, kImage + "    resources: {limits: {nvidia.com/gpu: 0}}\n")},
       {"generic", pod("", kClass, kImage + "    resources: {limits: {memory: 1Gi}}\n")}},
      {"runtime-class-without-gpu", "gpu-access-without-request",
       {"generic", pod("", kClass, kImage + "    env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]\n")},
       {"generic", pod("", kClass, kImage + "    env: [{name: NVIDIA_VISIBLE_DEVICES, value: void}]\n")}},
      {"runtime-class-without-gpu", "gpu-access-without-request",
       {"generic", pod("", kClass, "    image: nvidia/cuda:12.4.1-base-ubuntu22.04\n")},
       {"generic", pod("", kClass, "    image: ubuntu:24.04\n")}},
  };
}

std::vector<Row> access_rows() {
  return {
      {"gpu-monitoring-resource", "gpu-access-without-request", {"generic", pod(kAccess, "", kImage)}, {"generic", pod(kAccess, "", kGpu)}},
      {"gpu-access-without-request", "zero-gpu-limit",
       {"generic", pod("", "", "    image: nvidia/cuda:12.4.1-base-ubuntu22.04\n    resources: {limits: {nvidia.com/gpu: 0}}\n")},
       {"generic", pod("", "", "    image: nvidia/cuda:12.4.1-base-ubuntu22.04\n    resources: {limits: {memory: 1Gi}}\n")}},
      {"vgpu-modifier-conflict", "privileged-gpu-container",
       {"hami", pod("", "", kImage + "    securityContext: {privileged: true}\n    resources: {limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 3000}}\n")},
       {"hami", pod("", "", kImage + "    securityContext: {privileged: true}\n    resources: {limits: {nvidia.com/gpumem: 3000}}\n")}},
      {"joined-arguments", "docker-gpus-flag",
       {"generic", pod("", "", "    image: vllm/vllm-openai:v0.8.5\n    args: [\"--gpus all\"]\n    resources: {limits: {nvidia.com/gpu: 1}}\n")},
       {"generic", pod("", "", "    image: vllm/vllm-openai:v0.8.5\n    args: [\"--model m\"]\n    resources: {limits: {nvidia.com/gpu: 1}}\n")}},
      {"node-name-bypasses-scheduler", "vgpu-modifier-conflict",
       {"generic", pod("", "  nodeName: gpu-1\n", kImage + "    resources: {limits: {volcano.sh/vgpu-number: 1}}\n")},
       {"generic", pod("", "  nodeName: gpu-1\n", kGpu)}},
      {"mixed-gpu-resources", "gke-mig-resource-name",
       {"gke", pod("", "", kImage + "    resources: {limits: {nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb: 1}}\n")},
       {"eks", pod("", "", kImage + "    resources: {limits: {nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb: 1}}\n")}},
  };
}

std::vector<Row> toleration_rows() {
  const std::string other_key = "      tolerations: [{key: sku, operator: Exists}]\n", other_value = "      tolerations: [{key: nvidia.com/gpu, value: other}]\n";
  return {
      {"missing-gpu-toleration", "device-plugin-without-toleration", {kTaint, device_plugin(other_key)}, {kTaint, device_plugin(other_value)}},
      {"missing-gpu-toleration", "device-plugin-without-toleration", {"generic", device_plugin("")}, {"generic+taint:sku=gpu:NoSchedule", device_plugin("")}},
      {"missing-gpu-toleration", "ineffective-toleration",
       {kTaint, pod("", "  tolerations: [{key: nvidia.com/gpu}]\n", kGpu)},
       {kTaint, pod("", "  tolerations: [{key: nvidia.com/gpu, value: other}]\n", kGpu)}},
  };
}

TEST_CASE("the rule that says less yields, and speaks where the other has nothing to say") {
  std::vector<Row> rows;
  for (const auto& part : {claim_rows(), class_rows(), access_rows(), toleration_rows()}) rows.insert(rows.end(), part.begin(), part.end());
  for (const Row& row : rows) {
    CAPTURE(row.rule);
    CAPTURE(row.yields_to);
    REQUIRE(find_rule(row.rule));
    REQUIRE(find_rule(row.yields_to));
    const FileReport yields = judged(row.yields.manifest, row.yields.cluster), alone = judged(row.speaks.manifest, row.speaks.cluster);
    CHECK_MESSAGE((speaks(yields, row.yields_to) && !speaks(yields, row.rule)), row.yields.manifest, listed(yields));
    CHECK_MESSAGE(speaks(alone, row.rule), row.speaks.manifest, listed(alone));
  }
}

TEST_CASE("a class under a container is moved to the pod, and not added there too") {
  const auto fix_of = [](const FileReport& report, std::string_view rule) {
    for (const Finding& finding : report.findings)
      if (finding.rule->id == rule) return finding.fix ? finding.fix->title : std::string("none");
    return std::string("no finding");
  };
  const FileReport misplaced = judged(pod("", "", kGpu + "    runtimeClassName: nvidia\n"), "k3s");
  CHECK(fix_of(misplaced, "missing-runtime-class") == "none");
  CHECK(fix_of(misplaced, "misplaced-pod-field").find("runtimeClassName") != std::string::npos);
  CHECK(fix_of(judged(pod("", "", kGpu), "k3s"), "missing-runtime-class") == "Add runtimeClassName: nvidia");
}

/// Two rules that may speak at one place, and why one finding is not enough. Names in order of the alphabet.
struct Pair {
  std::string_view one, other, why;
};
constexpr Pair kBoth[] = {
    {"gpu-request-without-limit", "unknown-accelerator-resource", "the name is wrong and, whatever the name, the limit is missing"},
};

bool is_allowed(std::string_view one, std::string_view other) {
  return std::any_of(std::begin(kBoth), std::end(kBoth), [&](const Pair& pair) { return pair.one == one && pair.other == other; });
}

using Pairs = std::set<std::pair<std::string, std::string>>;

/// Warnings and errors of two rules at one pointer. `met` keeps those that are allowed.
void check_places(const FileReport& report, Pairs& met) {
  std::map<std::pair<std::size_t, std::string>, std::map<std::string, std::string>> places;
  for (const Finding& finding : report.findings)
    if (finding.severity != Severity::info && !finding.suppressed)
      places[{finding.document, finding.pointer.text()}].emplace(finding.rule->id, finding.message);
  for (const auto& [place, said] : places)
    for (auto one = said.begin(); one != said.end(); ++one)
      for (auto other = std::next(one); other != said.end(); ++other) {
        met.emplace(one->first, other->first);
        CHECK_MESSAGE(is_allowed(one->first, other->first), fmt::format("document {}, {}:\n{}: {}\n{}: {}", place.first, place.second, one->first,
                                                                        one->second, other->first, other->second));
      }
}

Policy policy_beside(const std::string& sample) {
  const std::string path = sample.substr(0, sample.size() - std::string_view(".yaml").size()) + ".policy.yaml";
  Policy policy;
  if (!std::filesystem::exists(path)) return policy;
  CHECK(read_policy(Source(path, testing::read_file(path)), policy).empty());
  policy.rebuild_words();
  return policy;
}

TEST_CASE("no two rules warn at the same place, but for those that have to") {
  Pairs met;
  for (const std::string& file : testing::files_below("testdata/rules")) {
    if (!file.ends_with(".yaml") || file.ends_with(".policy.yaml")) continue;
    CAPTURE(file);
    check_places(inspect(Source(file, testing::read_file(file)), policy_beside(file)), met);
  }
  if (testing::has_corpus("rules at the same place on public manifests"))
    for (const std::string& file : testing::files_below(testing::kCorpus))
      for (const std::string_view cluster : {std::string_view("generic"), testing::cluster_of(file), std::string_view("k3s")}) {
        if (cluster.empty()) continue;
        CAPTURE(file);
        CAPTURE(cluster);
        check_places(inspect(Source(file, testing::read_file(file)), testing::policy_for(cluster)), met);
      }
  for (const Pair& pair : kBoth) {
    CAPTURE(pair.other);
    CHECK_MESSAGE(met.contains({std::string(pair.one), std::string(pair.other)}), pair.one, ": no manifest has both any more");
  }
}

}  // namespace
}  // namespace gpulint
