// What a Ray group says to Ray's own scheduler about GPUs. Ray counts what it is told (`num-gpus`, `resources`); Kubernetes allots what the
// pod asks for. KubeRay derives the first from the second where nothing is said.
#pragma once
#include "rules/kube/pod_template.h"

namespace gpulint {

/// Where the group that holds this pod template declares GPUs: `rayStartParams.num-gpus`, `resources.GPU`, or custom resources in
/// `rayStartParams.resources`. Null when it declares none, or 0, or is no Ray group.
const Node* gpus_declared_to_ray(const PodTemplate& pod);

}  // namespace gpulint
