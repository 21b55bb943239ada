// PodGroup: the pods that work on one model or one training run together. A program that spreads over them counts their GPUs, not those
// of its own pod. Which pods belong together depends on the kind: one replica of a LeaderWorkerSet, a Ray cluster, all pods of a job.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "rules/kube/pod_template.h"

namespace gpulint {

/// How many pods of this template one group has; where pods can be added by an autoscaler, the most there can be. Nothing where that is not
/// written in the object. Replicas that work each by itself (Deployment, StatefulSet ...) are groups of one.
std::optional<std::int64_t> pods_in_group(const PodTemplate& pod);

struct PodGroup {
  std::int64_t pods = 1;  ///< those with GPUs
  std::int64_t gpus = 0;  ///< of the resource, in all of them
};

/// The group that pods of this template belong to. Nothing where its size or its GPUs cannot be known, or how the kind groups its pods.
std::optional<PodGroup> pod_group(const PodTemplate& pod, std::string_view resource, const AcceleratorTable& accelerators);

/// Whether the group is a Ray cluster, which works for several programs and knows about GPUs what it is told.
bool is_ray_group(const PodTemplate& pod);

}  // namespace gpulint
