// What a pod's node selectors say about GPUs that are handed out in parts: shared in time, by MPS, or cut by MIG. Where they do, the
// resource nvidia.com/gpu counts parts and not devices.
#pragma once
#include <cstdint>

#include "rules/kube/pod_template.h"

namespace gpulint {

enum class GpuSharing : std::uint8_t {
  none,
  unspecified,       ///< shared, the selector does not say how
  time_slicing,      ///< NVIDIA device plugin
  mps,               ///< NVIDIA device plugin
  gke_time_sharing,  ///< GKE's own plugin
  gke_mps,           ///< GKE's own plugin
};

struct SelectedSharing {
  GpuSharing how = GpuSharing::none;
  const NodeRequirement* said_by = nullptr;
};
/// From required selectors with one value. ORed affinity terms leave it open.
SelectedSharing selected_sharing(const PodTemplate& pod);

/// Whether the selectors ask for nodes whose GPUs are shared or cut by MIG.
bool selects_gpu_parts(const PodTemplate& pod);

}  // namespace gpulint
