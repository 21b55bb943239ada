#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

struct DomainPlace {
  std::string_view group, kind, path;
};
constexpr DomainPlace kPlaces[] = {
    {"kubevirt.io", "VirtualMachine", "spec.template.spec.domain"},
    {"kubevirt.io", "VirtualMachineInstance", "spec.domain"},
    {"kubevirt.io", "VirtualMachineInstanceReplicaSet", "spec.template.spec.domain"},
    {"pool.kubevirt.io", "VirtualMachinePool", "spec.virtualMachineTemplate.spec.template.spec.domain"},
};

/// Whether a device of that name is passed to the guest. A name that is filled in later may be this one.
bool is_passed(const Node& domain, std::string_view resource) {
  for (std::string_view list : {"gpus", "hostDevices"}) {
    const Node* devices = domain.at("devices", list);
    if (!sequence_of(devices)) continue;
    for (const Node& device : *devices)
      if (const Field<std::string_view> name = text_field(device, "deviceName"); name.unknown() || (name.known() && name.value == resource)) return true;
  }
  return false;
}

void check_domain(const Node& domain, Context& context) {
  const Resources resources = decode_resources(domain.find("resources"));
  const auto check_entry = [&](const ResourceEntry& entry) {
    const auto accelerator = context.accelerators.resource(entry.name);
    const bool zero = entry.quantity.null() || (entry.quantity.known() && entry.quantity.value.is_zero());
    if (!accelerator || !asks_for_device(accelerator->role) || zero || is_passed(domain, entry.name)) return;
    context.warning(entry.node, "the virtual machine's pod is given {}, but domain.devices.gpus passes no device of that name to the guest", entry.name);
  };
  for (const ResourceEntry& limit : resources.limits) check_entry(limit);
  for (const ResourceEntry& request : resources.requests)
    if (!resources.limit(request.name)) check_entry(request);
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  for (const DomainPlace& place : kPlaces)
    if (object.is(place.group, place.kind)) for_each_match(*object.root, place.path, [&](const Node& domain, const Node*) { check_domain(domain, context); });
}

constexpr std::string_view kSources[] = {
    "KubeVirt user guide: Host devices assignment",
    "NVIDIA/kubevirt-gpu-device-plugin#2",
};

}  // namespace

extern constinit const Rule virtual_machine_gpu_resource{
    .id = "virtual-machine-gpu-resource",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A KubeVirt virtual machine asks for a GPU as a resource, but does not pass it to the guest.",
    .rationale =
        "Resources of the domain are those of the pod around the virtual machine. The device is allotted to that pod and kept from others, and the guest never "
        "sees it: only `domain.devices.gpus` and `hostDevices` pass devices through, and KubeVirt then adds the resource itself.",
    .remediation = "List the device in `domain.devices.gpus` with its `deviceName`, and remove it from `domain.resources`.",
    .details =
        "Judged are VirtualMachine, VirtualMachineInstance, its ReplicaSet and VirtualMachinePool. A device of the same name in `gpus` or `hostDevices` makes "
        "the resource needless, but harmless.",
    .sources = kSources,
    .check = on_object<check>,
};

}  // namespace gpulint::checks
