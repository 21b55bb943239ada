#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

enum class HostPath : std::uint8_t { other, device, driver_state, driver_library, docker_socket };

std::string_view without_slash(std::string_view path) { return path.size() > 1 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path; }

bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

/// Where distributions and the older plugins keep the driver's libraries. /home/kubernetes/bin/nvidia is GKE's documented place, and none of these.
bool is_driver_library(std::string_view path) {
  constexpr std::string_view kFolders[] = {"/usr/local/nvidia", "/var/lib/nvidia-docker", "/usr/bin/nvidia-smi"};
  constexpr std::string_view kNames[] = {"libcuda.so", "libnvidia-", "libnvcuvid.so"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::any_of(std::begin(kFolders), std::end(kFolders), [&](std::string_view folder) { return is_at_or_below(path, folder); }) ||
         std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view known) { return name.starts_with(known); }) ||
         path.starts_with("/usr/lib/nvidia") || path.starts_with("/usr/lib64/nvidia");
}

HostPath kind_of(std::string_view path) {
  if (path.starts_with("/dev/nvidia") || is_at_or_below(path, "/dev/dri") || path == "/dev/kfd") return HostPath::device;
  if (path.starts_with("/proc/driver/nvidia")) return HostPath::driver_state;
  if (path == "/var/run/docker.sock" || path == "/run/docker.sock") return HostPath::docker_socket;
  return is_driver_library(path) ? HostPath::driver_library : HostPath::other;
}

/// The first container that mounts the volume, or null.
const Container* mounting_container(const Volume& volume, const PodTemplate& pod) {
  const Container* found = nullptr;
  pod.for_each_container([&](const Container& container) {
    const bool mounts = std::any_of(container.mounts.begin(), container.mounts.end(), [&](const VolumeMount& mount) { return mount.name == volume.name; });
    if (mounts && !found) found = &container;
  });
  return found;
}

void check_volume(const Volume& volume, const PodTemplate& pod, Context& context) {
  const std::string_view path = without_slash(volume.host_path.value);
  const Container* mounting = mounting_container(volume, pod);
  const std::string what = mounting ? fmt::format("{} mounts {} of the node", mounting->label(), path)
                                    : fmt::format("the volume \"{}\" is {} of the node", volume.name, path);
  const Node* place = volume.host_path.node;
  FindingBuilder finding(nullptr, false);
  switch (kind_of(path)) {
    case HostPath::device: finding = context.warning(place, "{}: GPU device files past the device plugin", what); break;
    case HostPath::driver_state: finding = context.warning(place, "{}: the driver's view of every GPU there, not of those allotted", what); break;
    case HostPath::driver_library: finding = context.warning(place, "{}: driver files that have to match the node's driver version", what); break;
    case HostPath::docker_socket: {
      const PodTemplate::Asked asked = pod.first_ask();
      if (!pod.asks_for_device()) return;
      finding = context.warning(place, "{} in a pod that asks for {}: what is started through it is outside the pod, and so is its GPU", what,
                                asked ? asked.ask->resource : "a claimed device");
      break;
    }
    case HostPath::other: return;
  }
  finding.in(mounting ? *mounting : Container{});
}

/// Runs on containers because partial templates (predictors, Argo templates) have volumes too; reports once a pod.
void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure || pod.values) return;
  const Container* first = nullptr;
  pod.for_each_container([&](const Container& each) { first = first ? first : &each; });
  if (first != &container) return;
  for (const Volume& volume : pod.volumes)
    if (volume.host_path.known()) check_volume(volume, pod, context);
}

constexpr std::string_view kSources[] = {
    "HostPathVolumeSource.path (core/v1)",
    "Linux device cgroup: a device file is of no use where the container has no rule for its device",
    "Google Cloud documentation: /home/kubernetes/bin/nvidia and /usr/local/nvidia on GKE",
    "NVIDIA/k8s-device-plugin#336",
    "kubernetes/kubernetes#81256",
};

// The library's name holds none of the words by which documents with GPUs are found.
constexpr std::string_view kRuleWords[] = {"libnvcuvid.so"};

}  // namespace

extern constinit const Rule host_gpu_device_path{
    .id = "host-gpu-device-path",
    .group = Group::visibility,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A pod mounts GPU device files, driver files or the Docker socket of the node.",
    .rationale =
        "A device file from the node comes without a permission in the container's device cgroup: opening it fails, unless the container is privileged "
        "and then sees every GPU, whoever has asked for it. Driver libraries of the node stop to fit at the next driver update. The scheduler knows "
        "of none of this, and places others on the same GPU.",
    .remediation =
        "Ask for the GPU as a resource (`nvidia.com/gpu`, `amd.com/gpu`, `gpu.intel.com/i915`): the device plugin and the runtime bring in the devices "
        "and libraries that belong to it. Then remove the volume and its mounts.",
    .details =
        "Warning: a hostPath volume of `/dev/nvidia*`, `/dev/dri`, `/dev/kfd`, `/proc/driver/nvidia` or of driver libraries, whether or not the pod asks "
        "for a GPU; `/var/run/docker.sock` in a pod that asks for one.\n\n"
        "No finding for device plugins, drivers, exporters and the like, nor for `/home/kubernetes/bin/nvidia`, GKE's documented place of the driver. "
        "Not judged in chart values.",
    .sources = kSources,
    .words = kRuleWords,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
