// What node selectors say about GPUs that are handed out in parts.
#include "rules/kube/node_sharing.h"

#include <doctest/doctest.h>

#include "tests/support/kube_sample.h"

namespace gpulint {
namespace {

struct Selected {
  std::string sharing;
  bool parts;
};

Selected selected(const std::string& spec) {
  const test::Sample sample("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}], " + spec + "}");
  constexpr const char* kNames[] = {"none", "unspecified", "time-slicing", "mps", "gke time-sharing", "gke mps"};
  return {kNames[static_cast<int>(selected_sharing(sample.pod()).how)], selects_gpu_parts(sample.pod())};
}

TEST_CASE("labels of shared and cut GPUs") {
  struct Row {
    const char* labels;
    const char* sharing;
    bool parts;
  };
  constexpr Row kRows[] = {
      {"disk: ssd", "none", false},
      {"nvidia.com/gpu.sharing-strategy: none", "none", false},
      {"nvidia.com/gpu.sharing-strategy: time-slicing", "time-slicing", true},
      {"nvidia.com/gpu.sharing-strategy: mps", "mps", true},
      {"nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB", "none", false},
      {"nvidia.com/gpu.product: Tesla-T4-SHARED", "unspecified", true},
      {"nvidia.com/gpu.product: Tesla-T4-SHARED, nvidia.com/gpu.sharing-strategy: mps", "mps", true},
      {"nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "none", true},
      {"nvidia.com/mig.config: all-1g.5gb", "none", true},
      {"cloud.google.com/gke-gpu-partition-size: 1g.5gb", "none", true},
      {"cloud.google.com/gke-max-shared-clients-per-gpu: '4'", "unspecified", true},
      {"cloud.google.com/gke-max-shared-clients-per-gpu: '4', cloud.google.com/gke-gpu-sharing-strategy: mps", "gke mps", true},
      {"cloud.google.com/gke-gpu-sharing-strategy: time-sharing", "gke time-sharing", true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.labels);
    const Selected found = selected("nodeSelector: {" + std::string(row.labels) + "}");
    CHECK(found.sharing == row.sharing);
    CHECK(found.parts == row.parts);
  }
}

TEST_CASE("affinity counts where it leaves one way") {
  const std::string mps = "{matchExpressions: [{key: nvidia.com/gpu.sharing-strategy, operator: In, values: [mps]}]}";
  const std::string other = "{matchExpressions: [{key: disk, operator: Exists}]}";
  const auto required = [](const std::string& terms) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + terms + "]}}}";
  };
  CHECK(selected(required(mps)).sharing == "mps");
  CHECK(selected(required(mps + ", " + other)).sharing == "none");
  CHECK(selected("affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: " + mps + "}]}}").sharing == "none");
}

}  // namespace
}  // namespace gpulint
