// What the manifest of NVIDIA's device plugin (and HAMi's fork) says about its image and its place on the node.
#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/device_plugin.h"
#include "rules/kube/path_text.h"

namespace gpulint::checks {
namespace {

/// What today's documents describe (MPS, merged feature discovery, the places of the static manifests) begins with 0.15; 0.14 was the last of the old kind.
constexpr PluginVersion kOldest{.major = 0, .minor = 14};

void check_old_image(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin) return;
  const auto version = PluginVersion::parse(plugin->image.tag);
  if (!version || !version->older_than(kOldest)) return;
  context.warning(plugin->container->image.node, "{}: device plugin {} is older than 0.14", plugin->container->label(), plugin->image.tag)
      .in(*plugin->container);
}

void check_unpinned_image(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || !plugin->image.digest.empty()) return;
  if (!plugin->image.tag.empty() && plugin->image.tag != "latest") return;
  context.warning(plugin->container->image.node, "{}: the device plugin's image {} names no version", plugin->container->label(),
                  plugin->container->image.value)
      .in(*plugin->container);
}

/// Whether the pod may run on a node with the taint nvidia.com/gpu, whatever its value: what nobody can know here counts as tolerated.
bool tolerates_gpu_taint(const PodTemplate& pod) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [](const Toleration& toleration) {
    if (toleration.key.unknown()) return true;
    const std::string_view key = toleration.key.value_or("");
    return key == "nvidia.com/gpu" || (key.empty() && toleration.operation.value_or("Equal") == "Exists");
  });
}

void check_toleration(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || !pod.object->is(pod.object->group, "DaemonSet") || tolerates_gpu_taint(pod)) return;
  const std::string toleration = R"({"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"})";
  const JsonPointer list = context.pointer(*pod.spec).append("tolerations");
  PatchOp op = pod.tolerations_node ? add_op(list.append("-"), toleration) : add_op(list, "[" + toleration + "]");
  context
      .warning(pod.tolerations_node ? pod.tolerations_node : pod.spec,
               "the device plugin does not tolerate the taint nvidia.com/gpu, so it does not run on nodes that keep other pods off their GPUs")
      .in(*plugin->container)
      .fix(Safety::safe, "Tolerate the taint nvidia.com/gpu", {op});
}

void check_kubelet_path(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin) return;
  for (const VolumeMount& mount : plugin->container->mounts)
    for (const Volume& volume : pod.volumes) {
      if (volume.name != mount.name || !volume.host_path.known()) continue;
      const std::string_view host = without_trailing_slashes(volume.host_path.value), inside = without_trailing_slashes(mount.path);
      const bool host_folder = host.ends_with("/device-plugins"), inside_folder = inside == kDevicePluginFolder;
      if (inside_folder && !host_folder)
        context.warning(volume.host_path.node, "volume \"{}\": the plugin looks for the kubelet's socket in {} of the node, where no kubelet keeps it",
                        volume.name, host)
            .in(*plugin->container);
      else if (host_folder && !inside_folder)
        context.warning(mount.node, "{}: the kubelet's socket folder is mounted at {}, but the plugin looks for it in {}", plugin->container->label(),
                        inside, kDevicePluginFolder)
            .in(*plugin->container);
    }
}

void check_priority(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || pod.spec->find("priorityClassName") || pod.spec->find("priority")) return;
  context.info(pod.spec, "the device plugin has no priorityClassName: on a full node it is evicted or not started, and the GPUs vanish with it")
      .in(*plugin->container);
}

constexpr std::string_view kImageSources[] = {"NVIDIA/k8s-device-plugin: CHANGELOG", "NVIDIA/k8s-device-plugin README: versions"};
constexpr std::string_view kTolerationSources[] = {"NVIDIA/k8s-device-plugin#1934", "NVIDIA/dcgm-exporter#731", "Toleration (core/v1)"};
constexpr std::string_view kPathSources[] = {"kubelet device plugin API v1beta1: DevicePluginPath", "NVIDIA/k8s-device-plugin README: static DaemonSet"};
constexpr std::string_view kPrioritySources[] = {"NVIDIA/k8s-device-plugin README: static DaemonSet", "PriorityClass system-node-critical (scheduling.k8s.io/v1)"};

}  // namespace

extern constinit const Rule device_plugin_old_image{
    .id = "device-plugin-old-image",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "NVIDIA's device plugin runs in a version before 0.14.",
    .rationale = "Old versions know neither MPS nor the configuration of today's documents, and lack years of fixes. The versions 1.0.0-beta to 1.0.0-beta6 "
                 "came before 0.6: they look newest and are older than every 0.x.",
    .remediation = "Use a current release of the plugin, pinned by its tag.",
    .details = "A tag that is no version, a digest without a tag and an image that an operator fills in are not judged. A release candidate counts "
               "as just before its release.",
    .sources = kImageSources,
    .check = on_pod_template<check_old_image>,
};

extern constinit const Rule device_plugin_unpinned_image{
    .id = "device-plugin-unpinned-image",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "The device plugin's image has no tag, or the tag latest.",
    .rationale = "Each node pulls what the tag means on the day it joins, so nodes of one cluster offer their GPUs by different versions of the plugin.",
    .remediation = "Name a release of the plugin.",
    .sources = kImageSources,
    .check = on_pod_template<check_unpinned_image>,
};

extern constinit const Rule device_plugin_without_toleration{
    .id = "device-plugin-without-toleration",
    .group = Group::components,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "The device plugin's DaemonSet does not tolerate the taint nvidia.com/gpu.",
    .rationale = "GPU nodes commonly carry this taint. A DaemonSet without the toleration has no pod there, the node offers no GPU, and no event says so. "
                 "The API server's own toleration for extended resources does not help a pod that asks for none.",
    .remediation = "Add a toleration for nvidia.com/gpu with operator Exists.",
    .sources = kTolerationSources,
    .check = on_pod_template<check_toleration>,
};

extern constinit const Rule device_plugin_kubelet_path{
    .id = "device-plugin-kubelet-path",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "The device plugin does not see the kubelet's socket folder where it looks for it.",
    .rationale = "The plugin registers at kubelet.sock in /var/lib/kubelet/device-plugins of its container. With another folder there, or that folder "
                 "elsewhere, it never registers and the node offers no GPU.",
    .remediation = "Mount the device-plugins folder of the kubelet's root directory at /var/lib/kubelet/device-plugins.",
    .details = "The folder of the node may lie anywhere, as k0s, MicroK8s and others have their own root directory; it only has to be named device-plugins.",
    .sources = kPathSources,
    .check = on_pod_template<check_kubelet_path>,
};

extern constinit const Rule device_plugin_without_priority{
    .id = "device-plugin-without-priority",
    .group = Group::components,
    .severity = Severity::info,
    .summary = "The device plugin has no priority class.",
    .rationale = "On a full node the plugin's pod is not started, or evicted first; the node's GPUs then disappear from the scheduler's view.",
    .remediation = "Set `priorityClassName: system-node-critical`.",
    .sources = kPrioritySources,
    .check = on_pod_template<check_priority>,
};

}  // namespace gpulint::checks
