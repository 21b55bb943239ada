// Cloud instance types and the accelerators they have, as one table, and what a pod's node selectors say with it: how many devices a node
// can have at most that the pod may run on. Used where there is no inventory.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rules/kube/pod_template.h"

namespace gpulint {

/// A type of AWS, Google Cloud or Azure as node.kubernetes.io/instance-type names it.
struct InstanceType {
  std::string_view name;
  Vendor vendor;
  std::int64_t devices;
};
std::span<const InstanceType> instance_types();

/// Nothing for types that the table does not know: they may have anything.
const InstanceType* find_instance_type(std::string_view name);

struct NodeDevices {
  std::int64_t most = 0;                      ///< of one node that the selectors leave
  const NodeRequirement* said_by = nullptr;   ///< the selector that says so
};
/// From required selectors by instance type, family of types, or number of devices (Karpenter, EKS, GKE). Nothing when they leave it open.
/// ORed affinity terms: the largest counts.
std::optional<NodeDevices> most_devices(const PodTemplate& pod, Vendor vendor);

}  // namespace gpulint
