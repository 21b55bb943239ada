#include <algorithm>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

/// Volumes that the kubelet mounts read-only whatever the mount says.
bool is_read_only_volume(std::string_view name, const PodTemplate& pod) {
  const auto volume = std::find_if(pod.volumes.begin(), pod.volumes.end(), [&](const Volume& each) { return each.name == name; });
  if (volume == pod.volumes.end()) return false;
  const Node& node = *volume->node;
  return node.find("configMap") || node.find("secret") || node.find("projected") || node.find("downwardAPI");
}

const VolumeMount* read_only_mount(const Container& container, const PodTemplate& pod) {
  const auto found = std::find_if(container.mounts.begin(), container.mounts.end(), [&](const VolumeMount& mount) {
    return (mount.path == "/etc/nvidia" || mount.path == "/etc/nvidia/") && (mount.read_only || is_read_only_volume(mount.name, pod));
  });
  return found == container.mounts.end() ? nullptr : &*found;
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const Ask* ask = container.first_ask(Vendor::nvidia);
  if (pod.values || !ask || ask->accelerator.role == ResourceRole::passthrough) return;
  const VolumeMount* mount = read_only_mount(container, pod);
  const bool root = container.read_only_root.value_or(false);
  if (!root && !mount) return;
  if (context.cluster.injection() == Injection::unknown) return context.undecided();
  const Severity severity = context.cluster.injection() == Injection::cdi ? Severity::warning : Severity::info;
  const std::string what = root ? std::string("a read-only root") : fmt::format("a read-only mount at {}", mount->path);
  context.report(severity, root ? container.read_only_root.node : mount->node,
                 fmt::format("{} asks for {} and has {}; a hook of some NVIDIA toolkit versions writes there, and then the container is not created",
                             container.label(), ask->resource, what));
}

constexpr std::string_view kSources[] = {
    "SecurityContext.readOnlyRootFilesystem (core/v1)",
    "NVIDIA container toolkit: CDI hooks",
    "opendatahub-io/kserve#1743",
    "kserve/kserve#5711",
};

}  // namespace

extern constinit const Rule readonly_rootfs_with_gpu{
    .id = "readonly-rootfs-with-gpu",
    .group = Group::runtime,
    .severity = Severity::warning,
    .summary = "A container that asks for an NVIDIA GPU has a read-only root or a read-only mount at /etc/nvidia.",
    .rationale =
        "Where devices come by CDI, hooks of NVIDIA's container toolkit prepare the container before it starts: they update the cache of the linker "
        "and write files for the driver. With versions that write into the container's root, the hook fails on a read-only one, and the container is "
        "never created (\"nvidia-cdi-hook ... exit status 1\").",
    .remediation =
        "Try it with the toolkit's version of the cluster. Where it fails, set readOnlyRootFilesystem to false for this container, or update the "
        "toolkit.",
    .details =
        "Warning where devices are injected by CDI (gpu-operator, gpu-operator-nri, openshift). Info where the runtime reads NVIDIA_VISIBLE_DEVICES "
        "(gpu-operator-legacy, eks, aks, k3s, containerd, docker): newer toolkits run the same hooks there.\n\n"
        "No finding on GKE, whose own plugin mounts the devices. In `generic` the summary counts the object as undecided.\n\n"
        "ConfigMaps, Secrets and projected volumes are read-only whatever their mount says. Silent in chart values.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.injection() != Injection::own; },
    .check = on_container<check>,
};

}  // namespace gpulint::checks
