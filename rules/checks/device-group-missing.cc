#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

/// The container's own setting counts before the pod's.
template <class T>
const Field<T>& effective(const Field<T>& own, const Field<T>& of_pod) {
  return own.absent() || own.null() ? of_pod : own;
}

/// AMD and Intel devices; not Intel's GPU of Windows Subsystem for Linux, whose device file is open to all.
const Ask* guarded_device(const Container& container) {
  for (const Ask& ask : container.asks) {
    const Vendor vendor = ask.accelerator.vendor;
    if (ask.positive() && (vendor == Vendor::amd || vendor == Vendor::intel) && ask.resource != "gpu.intel.com/dxg") return &ask;
  }
  return nullptr;
}

/// A group beside the user's own may be the one that the device files belong to.
bool has_other_group(const Field<std::int64_t>& user, const Field<std::int64_t>& group, const PodTemplate& pod) {
  if (pod.fs_group || pod.supplemental_groups) return true;
  if (group.absent() || group.null()) return false;
  return !group.known() || !user.known() || group.value != user.value;
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const Ask* ask = guarded_device(container);
  if (!ask || context.flag("deviceOwnershipFromSecurityContext")) return;
  const Field<std::int64_t>& user = effective(container.run_as_user, pod.run_as_user);
  const Field<bool>& non_root = effective(container.run_as_non_root, pod.run_as_non_root);
  const bool other_user = user.known() && user.value != 0;
  if (!other_user && (user.known() || !non_root.value_or(false))) return;
  if (has_other_group(user, effective(container.run_as_group, pod.run_as_group), pod)) return;
  const std::string_view files = ask->accelerator.vendor == Vendor::amd ? "/dev/kfd and /dev/dri/renderD*" : "/dev/dri/renderD*";
  const std::string who = other_user ? fmt::format("as user {}", user.value) : std::string("as another user than root");
  context.warning(other_user ? user.node : non_root.node,
                  "{}: {} is asked for and used {} without a further group; {} are open to root and the node's render group only",
                  container.label(), ask->resource, who, files);
}

constexpr Parameter kParameters[] = {
    {.name = "deviceOwnershipFromSecurityContext",
     .type = Parameter::Type::boolean,
     .description = "The nodes' runtime gives device files to the container's user and group (device_ownership_from_security_context): nothing is missing.",
     .default_value = "false"},
};

constexpr std::string_view kSources[] = {
    "PodSecurityContext.supplementalGroups, fsGroup, runAsGroup (core/v1)",
    "containerd and CRI-O: device_ownership_from_security_context",
    "ROCm documentation: members of the groups video and render have access to the GPU",
    "ollama/ollama#8259",
    "jellyfin/jellyfin#9229",
};

}  // namespace

extern constinit const Rule device_group_missing{
    .id = "device-group-missing",
    .group = Group::visibility,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A container asks for an AMD or Intel GPU and runs as another user than root, without the group that its device files belong to.",
    .rationale =
        "The device plugin puts `/dev/kfd` and `/dev/dri/renderD*` into the container as they are on the node: owned by root and the group render, closed "
        "to everybody else. A program under another user gets \"permission denied\", mostly reported as \"no GPU found\", and works on the CPU.",
    .remediation =
        "Add the node's render group to `securityContext.supplementalGroups` of the pod (`getent group render` on the node tells its number: often 109, "
        "110, 992 or 993). Or let the runtime hand over the files: device_ownership_from_security_context.",
    .details =
        "Warning: runAsUser is not 0, or runAsNonRoot is set without a user; the pod has neither supplementalGroups nor fsGroup; and runAsGroup (the "
        "container's, else the pod's) is absent or the same number as the user.\n\n"
        "No finding with any other group, as the number differs from node to node, nor with `deviceOwnershipFromSecurityContext: true`. NVIDIA's device "
        "files are open to all users.",
    .parameters = kParameters,
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
