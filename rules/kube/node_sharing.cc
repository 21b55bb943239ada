#include "rules/kube/node_sharing.h"

#include <algorithm>

namespace gpulint {
namespace {

/// A label and a value that tell; an empty value stands for any.
struct SharingLabel {
  std::string_view key, value;
  GpuSharing how;
};

// NVIDIA GPU feature discovery, and GKE's node labels for shared GPUs.
constexpr SharingLabel kSharingLabels[] = {
    {"nvidia.com/gpu.sharing-strategy", "time-slicing", GpuSharing::time_slicing},
    {"nvidia.com/gpu.sharing-strategy", "mps", GpuSharing::mps},
    {"cloud.google.com/gke-gpu-sharing-strategy", "time-sharing", GpuSharing::gke_time_sharing},
    {"cloud.google.com/gke-gpu-sharing-strategy", "mps", GpuSharing::gke_mps},
    {"cloud.google.com/gke-max-shared-clients-per-gpu", "", GpuSharing::unspecified},
};

constexpr std::string_view kMigLabels[] = {"cloud.google.com/gke-gpu-partition-size", "nvidia.com/mig.config"};
constexpr std::string_view kProductLabel = "nvidia.com/gpu.product";

GpuSharing sharing_of(std::string_view key, std::string_view value) {
  if (key == kProductLabel && value.ends_with("-SHARED")) return GpuSharing::unspecified;
  for (const SharingLabel& label : kSharingLabels)
    if (label.key == key && (label.value.empty() || label.value == value)) return label.how;
  return GpuSharing::none;
}

/// Calls `visit(requirement, value)` for each label that the pod's nodes must have with this one value.
template <class Visit>
void for_each_required_value(const PodTemplate& pod, Visit visit) {
  const bool alternatives =
      std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(), [](const NodeRequirement& requirement) { return requirement.term > 0; });
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (!requirement.required || requirement.operation != "In" || requirement.values.size() != 1) continue;
    if (requirement.from_selector || !alternatives) visit(requirement, requirement.values.front());
  }
}

}  // namespace

SelectedSharing selected_sharing(const PodTemplate& pod) {
  SelectedSharing selected;
  for_each_required_value(pod, [&](const NodeRequirement& requirement, std::string_view value) {
    const GpuSharing how = sharing_of(requirement.key, value);
    if (how != GpuSharing::none && (selected.how == GpuSharing::none || selected.how == GpuSharing::unspecified)) selected = {how, &requirement};
  });
  return selected;
}

bool selects_gpu_parts(const PodTemplate& pod) {
  bool parts = selected_sharing(pod).how != GpuSharing::none;
  for_each_required_value(pod, [&](const NodeRequirement& requirement, std::string_view value) {
    parts = parts || std::find(std::begin(kMigLabels), std::end(kMigLabels), requirement.key) != std::end(kMigLabels) ||
            (requirement.key == kProductLabel && value.find("-MIG-") != std::string_view::npos);
  });
  return parts;
}

}  // namespace gpulint
