#include "rules/cluster/instance_types.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace gpulint {
namespace {

using enum Vendor;

// AWS: EC2 instance types, accelerated computing. Google Cloud: accelerator-optimised machine types, Cloud TPU machine types.
// Azure: the NC, ND and NV series; types with a part of a GPU count as one device, as the device plugin does.
constexpr InstanceType kTypes[] = {
    {"p2.xlarge", nvidia, 1}, {"p2.8xlarge", nvidia, 8}, {"p2.16xlarge", nvidia, 16},
    {"p3.2xlarge", nvidia, 1}, {"p3.8xlarge", nvidia, 4}, {"p3.16xlarge", nvidia, 8}, {"p3dn.24xlarge", nvidia, 8},
    {"p4d.24xlarge", nvidia, 8}, {"p4de.24xlarge", nvidia, 8},
    {"p5.4xlarge", nvidia, 1}, {"p5.48xlarge", nvidia, 8}, {"p5e.48xlarge", nvidia, 8}, {"p5en.48xlarge", nvidia, 8},
    {"p6-b200.48xlarge", nvidia, 8}, {"p6-b300.48xlarge", nvidia, 8}, {"p6e-gb200.36xlarge", nvidia, 4},
    {"g2.2xlarge", nvidia, 1}, {"g2.8xlarge", nvidia, 4},
    {"g3s.xlarge", nvidia, 1}, {"g3.4xlarge", nvidia, 1}, {"g3.8xlarge", nvidia, 2}, {"g3.16xlarge", nvidia, 4},
    {"g4dn.xlarge", nvidia, 1}, {"g4dn.2xlarge", nvidia, 1}, {"g4dn.4xlarge", nvidia, 1}, {"g4dn.8xlarge", nvidia, 1},
    {"g4dn.12xlarge", nvidia, 4}, {"g4dn.16xlarge", nvidia, 1}, {"g4dn.metal", nvidia, 8},
    {"g4ad.xlarge", amd, 1}, {"g4ad.2xlarge", amd, 1}, {"g4ad.4xlarge", amd, 1}, {"g4ad.8xlarge", amd, 2}, {"g4ad.16xlarge", amd, 4},
    {"g5.xlarge", nvidia, 1}, {"g5.2xlarge", nvidia, 1}, {"g5.4xlarge", nvidia, 1}, {"g5.8xlarge", nvidia, 1},
    {"g5.12xlarge", nvidia, 4}, {"g5.16xlarge", nvidia, 1}, {"g5.24xlarge", nvidia, 4}, {"g5.48xlarge", nvidia, 8},
    {"g5g.xlarge", nvidia, 1}, {"g5g.2xlarge", nvidia, 1}, {"g5g.4xlarge", nvidia, 1}, {"g5g.8xlarge", nvidia, 1},
    {"g5g.16xlarge", nvidia, 2}, {"g5g.metal", nvidia, 2},
    {"g6.xlarge", nvidia, 1}, {"g6.2xlarge", nvidia, 1}, {"g6.4xlarge", nvidia, 1}, {"g6.8xlarge", nvidia, 1},
    {"g6.12xlarge", nvidia, 4}, {"g6.16xlarge", nvidia, 1}, {"g6.24xlarge", nvidia, 4}, {"g6.48xlarge", nvidia, 8},
    {"gr6.4xlarge", nvidia, 1}, {"gr6.8xlarge", nvidia, 1},
    {"g6e.xlarge", nvidia, 1}, {"g6e.2xlarge", nvidia, 1}, {"g6e.4xlarge", nvidia, 1}, {"g6e.8xlarge", nvidia, 1},
    {"g6e.12xlarge", nvidia, 4}, {"g6e.16xlarge", nvidia, 1}, {"g6e.24xlarge", nvidia, 4}, {"g6e.48xlarge", nvidia, 8},
    {"g7e.2xlarge", nvidia, 1}, {"g7e.4xlarge", nvidia, 1}, {"g7e.8xlarge", nvidia, 1}, {"g7e.12xlarge", nvidia, 2},
    {"g7e.24xlarge", nvidia, 4}, {"g7e.48xlarge", nvidia, 8},
    {"dl1.24xlarge", habana, 8},
    {"inf1.xlarge", neuron, 1}, {"inf1.2xlarge", neuron, 1}, {"inf1.6xlarge", neuron, 4}, {"inf1.24xlarge", neuron, 16},
    {"inf2.xlarge", neuron, 1}, {"inf2.8xlarge", neuron, 1}, {"inf2.24xlarge", neuron, 6}, {"inf2.48xlarge", neuron, 12},
    {"trn1.2xlarge", neuron, 1}, {"trn1.32xlarge", neuron, 16}, {"trn1n.32xlarge", neuron, 16},
    {"trn2.3xlarge", neuron, 1}, {"trn2.48xlarge", neuron, 16}, {"trn2u.48xlarge", neuron, 16},

    {"a2-highgpu-1g", nvidia, 1}, {"a2-highgpu-2g", nvidia, 2}, {"a2-highgpu-4g", nvidia, 4}, {"a2-highgpu-8g", nvidia, 8},
    {"a2-megagpu-16g", nvidia, 16}, {"a2-ultragpu-1g", nvidia, 1}, {"a2-ultragpu-2g", nvidia, 2}, {"a2-ultragpu-4g", nvidia, 4},
    {"a2-ultragpu-8g", nvidia, 8},
    {"a3-highgpu-1g", nvidia, 1}, {"a3-highgpu-2g", nvidia, 2}, {"a3-highgpu-4g", nvidia, 4}, {"a3-highgpu-8g", nvidia, 8},
    {"a3-edgegpu-8g", nvidia, 8}, {"a3-megagpu-8g", nvidia, 8}, {"a3-ultragpu-8g", nvidia, 8},
    {"a4-highgpu-8g", nvidia, 8}, {"a4x-highgpu-4g", nvidia, 4}, {"a4x-maxgpu-4g-metal", nvidia, 4},
    {"g2-standard-4", nvidia, 1}, {"g2-standard-8", nvidia, 1}, {"g2-standard-12", nvidia, 1}, {"g2-standard-16", nvidia, 1},
    {"g2-standard-24", nvidia, 2}, {"g2-standard-32", nvidia, 1}, {"g2-standard-48", nvidia, 4}, {"g2-standard-96", nvidia, 8},
    {"g4-standard-48", nvidia, 1}, {"g4-standard-96", nvidia, 2}, {"g4-standard-192", nvidia, 4}, {"g4-standard-384", nvidia, 8},
    {"ct4p-hightpu-4t", tpu, 4}, {"ct5lp-hightpu-1t", tpu, 1}, {"ct5lp-hightpu-4t", tpu, 4}, {"ct5lp-hightpu-8t", tpu, 8},
    {"ct5p-hightpu-1t", tpu, 1}, {"ct5p-hightpu-2t", tpu, 2}, {"ct5p-hightpu-4t", tpu, 4},
    {"ct6e-standard-1t", tpu, 1}, {"ct6e-standard-4t", tpu, 4}, {"ct6e-standard-8t", tpu, 8}, {"tpu7x-standard-4t", tpu, 4},

    {"Standard_NC6", nvidia, 1}, {"Standard_NC12", nvidia, 2}, {"Standard_NC24", nvidia, 4}, {"Standard_NC24r", nvidia, 4},
    {"Standard_NC6s_v2", nvidia, 1}, {"Standard_NC12s_v2", nvidia, 2}, {"Standard_NC24s_v2", nvidia, 4}, {"Standard_NC24rs_v2", nvidia, 4},
    {"Standard_NC6s_v3", nvidia, 1}, {"Standard_NC12s_v3", nvidia, 2}, {"Standard_NC24s_v3", nvidia, 4}, {"Standard_NC24rs_v3", nvidia, 4},
    {"Standard_NC4as_T4_v3", nvidia, 1}, {"Standard_NC8as_T4_v3", nvidia, 1}, {"Standard_NC16as_T4_v3", nvidia, 1},
    {"Standard_NC64as_T4_v3", nvidia, 4},
    {"Standard_NC24ads_A100_v4", nvidia, 1}, {"Standard_NC48ads_A100_v4", nvidia, 2}, {"Standard_NC96ads_A100_v4", nvidia, 4},
    {"Standard_NC40ads_H100_v5", nvidia, 1}, {"Standard_NC80adis_H100_v5", nvidia, 2}, {"Standard_NCC40ads_H100_v5", nvidia, 1},
    {"Standard_ND6s", nvidia, 1}, {"Standard_ND12s", nvidia, 2}, {"Standard_ND24s", nvidia, 4}, {"Standard_ND24rs", nvidia, 4},
    {"Standard_ND40rs_v2", nvidia, 8}, {"Standard_ND96asr_v4", nvidia, 8}, {"Standard_ND96amsr_A100_v4", nvidia, 8},
    {"Standard_ND96isr_H100_v5", nvidia, 8}, {"Standard_ND96isr_H200_v5", nvidia, 8}, {"Standard_ND96isr_MI300X_v5", amd, 8},
    {"Standard_ND128isr_NDR_GB200_v6", nvidia, 4},
    {"Standard_NV6", nvidia, 1}, {"Standard_NV12", nvidia, 2}, {"Standard_NV24", nvidia, 4},
    {"Standard_NV12s_v3", nvidia, 1}, {"Standard_NV24s_v3", nvidia, 2}, {"Standard_NV48s_v3", nvidia, 4},
    {"Standard_NV6ads_A10_v5", nvidia, 1}, {"Standard_NV12ads_A10_v5", nvidia, 1}, {"Standard_NV18ads_A10_v5", nvidia, 1},
    {"Standard_NV36ads_A10_v5", nvidia, 1}, {"Standard_NV36adms_A10_v5", nvidia, 1}, {"Standard_NV72ads_A10_v5", nvidia, 2},
};

/// Node labels that say how many devices a node has, and how their value says it.
struct CountLabel {
  enum class Says : std::uint8_t { type, family, count };
  std::string_view key;
  Says says;
  char separator = 0;      ///< family: what follows it in the name of a type
  Vendor vendor = none;    ///< count: of which devices; none: of any vendor's GPUs
};

constexpr CountLabel kCountLabels[] = {
    {"node.kubernetes.io/instance-type", CountLabel::Says::type},
    {"beta.kubernetes.io/instance-type", CountLabel::Says::type},
    {"karpenter.k8s.aws/instance-family", CountLabel::Says::family, '.'},
    {"eks.amazonaws.com/instance-family", CountLabel::Says::family, '.'},
    {"cloud.google.com/machine-family", CountLabel::Says::family, '-'},
    {"karpenter.k8s.aws/instance-gpu-count", CountLabel::Says::count},
    {"eks.amazonaws.com/instance-gpu-count", CountLabel::Says::count},
    {"cloud.google.com/gke-accelerator-count", CountLabel::Says::count, 0, nvidia},
};

std::optional<std::int64_t> devices_of_family(std::string_view family, char separator, Vendor vendor) {
  std::optional<std::int64_t> most;
  for (const InstanceType& type : kTypes) {
    if (!type.name.starts_with(family) || type.name.size() <= family.size() || type.name[family.size()] != separator) continue;
    most = std::max(most.value_or(0), type.vendor == vendor ? type.devices : 0);
  }
  return most;
}

std::optional<std::int64_t> devices_of_value(const CountLabel& label, std::string_view value, Vendor vendor) {
  switch (label.says) {
    case CountLabel::Says::type: {
      const InstanceType* type = find_instance_type(value);
      if (!type) return std::nullopt;
      return type->vendor == vendor ? type->devices : 0;
    }
    case CountLabel::Says::family:
      return devices_of_family(value, label.separator, vendor);
    case CountLabel::Says::count:
      break;
  }
  const bool counts = label.vendor == vendor || (label.vendor == none && (vendor == nvidia || vendor == amd));
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (!counts || error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return count;
}

/// What one selector leaves; nothing as soon as one of its values leaves it open.
std::optional<NodeDevices> devices_of(const NodeRequirement& requirement, Vendor vendor) {
  if (!requirement.required || requirement.operation != "In" || requirement.values.empty()) return std::nullopt;
  const auto label = std::find_if(std::begin(kCountLabels), std::end(kCountLabels), [&](const CountLabel& row) { return row.key == requirement.key; });
  if (label == std::end(kCountLabels)) return std::nullopt;
  NodeDevices devices{0, &requirement};
  for (std::string_view value : requirement.values) {
    const std::optional<std::int64_t> count = devices_of_value(*label, value, vendor);
    if (!count) return std::nullopt;
    devices.most = std::max(devices.most, *count);
  }
  return devices;
}

void narrow(std::optional<NodeDevices>& known, const std::optional<NodeDevices>& more) {
  if (more && (!known || more->most < known->most)) known = more;
}

}  // namespace

std::span<const InstanceType> instance_types() { return kTypes; }

const InstanceType* find_instance_type(std::string_view name) {
  for (const InstanceType& type : kTypes)
    if (type.name == name) return &type;
  return nullptr;
}

std::optional<NodeDevices> most_devices(const PodTemplate& pod, Vendor vendor) {
  std::optional<NodeDevices> selected;
  std::map<int, std::optional<NodeDevices>> terms;
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (!requirement.required) continue;
    narrow(requirement.term < 0 ? selected : terms[requirement.term], devices_of(requirement, vendor));
  }
  std::optional<NodeDevices> largest;
  for (const auto& [term, devices] : terms) {
    if (!devices) return selected;
    if (!largest || devices->most > largest->most) largest = devices;
  }
  narrow(selected, largest);
  return selected;
}

}  // namespace gpulint
