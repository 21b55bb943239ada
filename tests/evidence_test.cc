// What an object gives away about the cluster it was written for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rules/cluster/cluster.h"

namespace gpulint {
namespace {

struct Narrowed {
  std::string name;
  std::string evidence;  ///< "gke from cloud.google.com/gke-accelerator"
};

Narrowed narrowed(std::string_view known, std::string manifest) {
  const Source source("evidence.yaml", std::move(manifest));
  const Documents documents = read_yaml(source, {});
  REQUIRE(documents.list.size() == 1);
  REQUIRE_MESSAGE(documents.list[0].state == DocumentState::parsed, documents.list[0].problem);
  const AcceleratorTable accelerators;
  const auto objects = objects_in(documents.list[0], accelerators);
  REQUIRE(objects.size() == 1);
  std::string error;
  const auto cluster = Cluster::parse(known, error);
  REQUIRE(cluster);
  std::vector<Evidence> evidence;
  const auto templates = pod_templates(objects[0], accelerators);
  Narrowed result;
  result.name = narrowed_by_evidence(*cluster, objects[0], templates, &evidence).name();
  for (const Evidence& e : evidence) {
    REQUIRE(e.node);
    result.evidence += fmt::format("{}{} from {}", result.evidence.empty() ? "" : ", ", e.conclusion, e.node->key.empty() ? "the object" : e.node->key);
  }
  return result;
}

/// A pod with one GPU and one more line in its metadata, its spec or its limits.
std::string pod(std::string_view metadata, std::string_view spec, std::string_view limit = "nvidia.com/gpu: 1") {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{}{}}}\nspec:\n{}  containers:\n  - name: main\n    image: x\n    resources: {{limits: {{{}}}}}\n",
      metadata.empty() ? "" : ", ", metadata, spec.empty() ? "" : fmt::format("  {}\n", spec), limit);
}

TEST_CASE("evidence of the platform, read only where the cluster is not named") {
  struct Row {
    std::string_view metadata, spec, name, evidence;
  };
  constexpr Row kRows[] = {
      {"", "", "generic", ""},
      {"", "nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}", "gke", "gke from cloud.google.com/gke-accelerator"},
      {"annotations: {serving.kserve.io/gke-accelerator: nvidia-l4}", "", "gke", "gke from serving.kserve.io/gke-accelerator"},
      {"labels: {eks.amazonaws.com/nodegroup: g}", "", "eks", "eks from eks.amazonaws.com/nodegroup"},
      {"", "nodeSelector: {karpenter.k8s.aws/instance-gpu-name: a100}", "eks", "eks from karpenter.k8s.aws/instance-gpu-name"},
      {"", "tolerations: [{key: kubernetes.azure.com/scalesetpriority, operator: Exists}]", "aks", "aks from key"},
      {"",
       "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: "
       "nvidia.com/gpu.deploy.driver, operator: Exists}]}]}}}",
       "gpu-operator", "gpu-operator from the object"},
      // Feature discovery runs anywhere; Karpenter too.
      {"", "nodeSelector: {nvidia.com/gpu.product: Tesla-T4, nvidia.com/gpu.present: \"true\", karpenter.sh/nodepool: gpu}", "generic", ""},
      // Written for two platforms: says nothing.
      {"labels: {eks.amazonaws.com/nodegroup: g}", "nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}", "generic", ""},
      // A value is no key.
      {"labels: {cloud: cloud.google.com/gke-accelerator}", "", "generic", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.metadata);
    CAPTURE(row.spec);
    const Narrowed found = narrowed("generic", pod(row.metadata, row.spec));
    CHECK(found.name == row.name);
    CHECK(found.evidence == row.evidence);
    CHECK(narrowed("k3s", pod(row.metadata, row.spec)).name == "k3s");
  }
}

TEST_CASE("evidence of add-ons, read on every cluster") {
  struct Row {
    std::string_view metadata, spec, limits, add_on;
  };
  constexpr Row kRows[] = {
      {"", "schedulerName: kai-scheduler", "nvidia.com/gpu: 1", "+kai"},
      {"", "schedulerName: volcano", "nvidia.com/gpu: 1", "+volcano"},
      {"", "schedulerName: hami-scheduler", "nvidia.com/gpu: 1", "+hami"},
      {"", "schedulerName: default-scheduler", "nvidia.com/gpu: 1", ""},
      {"", "", "nvidia.com/gpu: 1, nvidia.com/gpumem: 3000", "+hami"},
      {"", "", "nvidia.com/gpu: 1, nvidia.com/gpucores: 30", "+hami"},
      {"annotations: {nvidia.com/use-gpuuuid: GPU-1}", "", "nvidia.com/gpu: 1", "+hami"},
      {"", "", "volcano.sh/vgpu-number: 1", "+volcano"},
      {"", "resourceClaims: [{name: g, resourceClaimTemplateName: t}]", "cpu: 1", "+dra"},
      // Without KAI the fraction has no effect: the annotation is no evidence that it is there.
      {"annotations: {gpu-fraction: \"0.5\"}", "", "nvidia.com/gpu: 1", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.metadata);
    CAPTURE(row.spec);
    CAPTURE(row.limits);
    CHECK(narrowed("generic", pod(row.metadata, row.spec, row.limits)).name == fmt::format("generic{}", row.add_on));
    CHECK(narrowed("eks", pod(row.metadata, row.spec, row.limits)).name == fmt::format("eks{}", row.add_on));
  }
}

TEST_CASE("evidence of the kind") {
  struct Row {
    std::string_view manifest, name;
  };
  constexpr Row kRows[] = {
      {"apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: c}\nspec: {valuesContent: \"resources: {limits: {nvidia.com/gpu: 1}}\"}\n", "k3s"},
      {"apiVersion: example.com/v1\nkind: HelmChart\nmetadata: {name: c}\n", "generic"},
      {"apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n"
       "spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu.nvidia.com}}]}}\n",
       "generic+dra"},
      {"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {tasks: [{name: t, template: {spec: {containers: [{name: m, image: x}]}}}]}\n",
       "generic+volcano"},
      {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {metadata: {annotations: {cloud.google.com/gke-gpu-driver-version: latest}}, "
       "spec: {containers: [{name: m, image: x}]}}}\n",
       "gke"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.manifest);
    CHECK(narrowed("generic", std::string(row.manifest)).name == row.name);
  }
}

TEST_CASE("evidence adds to what is known and takes nothing away") {
  CHECK(narrowed("generic+taint:sku=gpu:NoSchedule+kai", pod("", "nodeSelector: {cloud.google.com/gke-accelerator: x}")).name ==
        "gke+kai+taint:sku=gpu:NoSchedule");
}

}  // namespace
}  // namespace gpulint
