// Settings of NVIDIA's device plugin, given as variables or options, that contradict its own manifest or have no such value.
#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/device_plugin.h"

namespace gpulint::checks {
namespace {

bool is_privileged(const Container& container) {
  return container.privileged.value_or(false) || container.privileged.unknown() || container.added_capability("SYS_ADMIN");
}

void check_device_specs(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || is_privileged(*plugin->container)) return;
  const PluginSetting setting = plugin->setting("--pass-device-specs", "PASS_DEVICE_SPECS");
  if (!setting.known || setting.value != "true") return;
  context.error(setting.node, "{}: passes device specs, but is not privileged: it cannot read the device nodes it has to name", plugin->container->label())
      .in(*plugin->container);
}

void check_volume_mounts(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || is_privileged(*plugin->container)) return;
  const PluginSetting setting = plugin->setting("--device-list-strategy", "DEVICE_LIST_STRATEGY");
  if (!setting.known || setting.value.find("volume-mounts") == std::string::npos) return;
  context
      .error(setting.node, "{}: hands devices over as volume mounts, but has neither privileged nor SYS_ADMIN, so it gets no device itself",
             plugin->container->label())
      .in(*plugin->container);
}

void check_mig_strategy(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin) return;
  const PluginSetting setting = plugin->setting("--mig-strategy", "MIG_STRATEGY");
  if (!setting.known || setting.value == "none" || setting.value == "single" || setting.value == "mixed") return;
  context.error(setting.node, "{}: MIG strategy \"{}\" does not exist; the plugin knows none, single and mixed", plugin->container->label(), setting.value)
      .in(*plugin->container);
}

void check_init_error(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin) return;
  const PluginSetting setting = plugin->setting("--fail-on-init-error", "FAIL_ON_INIT_ERROR");
  if (!setting.known || setting.value != "false") return;
  context.info(setting.node, "{}: waits silently when it finds no driver, so a node without GPUs looks like one whose plugin runs", plugin->container->label())
      .in(*plugin->container);
}

constexpr std::string_view kSpecsSources[] = {"NVIDIA/k8s-device-plugin#145", "kubernetes/kubernetes#77073", "NVIDIA/k8s-device-plugin README: PASS_DEVICE_SPECS"};
constexpr std::string_view kMountsSources[] = {"NVIDIA/k8s-device-plugin README: DEVICE_LIST_STRATEGY", "NVIDIA/k8s-device-plugin CHANGELOG v0.17.0"};
constexpr std::string_view kMigSources[] = {"NVIDIA/k8s-device-plugin README: MIG_STRATEGY"};
constexpr std::string_view kInitSources[] = {"NVIDIA/k8s-device-plugin README: FAIL_ON_INIT_ERROR", "NVIDIA/k8s-device-plugin#406"};

}  // namespace

extern constinit const Rule device_plugin_unprivileged_device_specs{
    .id = "device-plugin-unprivileged-device-specs",
    .group = Group::components,
    .severity = Severity::error,
    .summary = "The device plugin passes device specs without being privileged.",
    .rationale = "With a static CPU manager the plugin has to name each device node to the kubelet (PASS_DEVICE_SPECS). It can do so only in a privileged "
                 "container; otherwise pods lose their GPU or never get it.",
    .remediation = "Set `privileged: true` on the plugin's container, or leave PASS_DEVICE_SPECS out.",
    .sources = kSpecsSources,
    .check = on_pod_template<check_device_specs>,
};

extern constinit const Rule device_plugin_unprivileged_volume_mounts{
    .id = "device-plugin-unprivileged-volume-mounts",
    .group = Group::components,
    .severity = Severity::error,
    .summary = "The device plugin uses the strategy volume-mounts without privileged or SYS_ADMIN.",
    .rationale = "Where the toolkit accepts devices only as volume mounts, the plugin's own container needs SYS_ADMIN to see the devices at all.",
    .remediation = "Add the capability SYS_ADMIN, or `privileged: true`, to the plugin's container.",
    .sources = kMountsSources,
    .check = on_pod_template<check_volume_mounts>,
};

extern constinit const Rule device_plugin_bad_mig_strategy{
    .id = "device-plugin-bad-mig-strategy",
    .group = Group::components,
    .severity = Severity::error,
    .summary = "The device plugin's MIG strategy is none of none, single and mixed.",
    .rationale = "The plugin ends with an error at its start, and the node offers no GPU.",
    .remediation = "Use none, single or mixed.",
    .sources = kMigSources,
    .check = on_pod_template<check_mig_strategy>,
};

extern constinit const Rule device_plugin_hidden_init_error{
    .id = "device-plugin-hidden-init-error",
    .group = Group::components,
    .severity = Severity::info,
    .summary = "The device plugin is told to go on when it finds no GPU (FAIL_ON_INIT_ERROR=false).",
    .rationale = "On a node whose driver or runtime is broken the plugin's pod stays Running and says so in its log only; the node offers no GPU and nothing "
                 "in the cluster shows why.",
    .remediation = "Select GPU nodes by a label and leave the setting out.",
    .details = "The setting is right for a DaemonSet that runs on nodes without GPUs as well.",
    .sources = kInitSources,
    .check = on_pod_template<check_init_error>,
};

}  // namespace gpulint::checks
