#include "rules/engine/context.h"
#include "rules/kube/device_plugin.h"

namespace gpulint::checks {
namespace {

void check(const PodTemplate& pod, Context& context) {
  const auto plugin = device_plugin_in(pod);
  if (!plugin || pod.runtime_class.present()) return;
  if (context.cluster.needs_runtime_class() == Answer::unknown) {
    context.undecided();
    context.info(pod.spec, "the device plugin names no runtimeClassName; whether it needs one to load the driver's library depends on the cluster")
        .in(*plugin->container);
    return;
  }
  context
      .error(pod.spec, "the device plugin names no runtimeClassName; on {} it starts under runc, finds no NVML library and offers no GPU",
             context.cluster.preset().name)
      .in(*plugin->container)
      .fix(context.cluster.ships_runtime_class("nvidia") ? Safety::safe : Safety::unsafe, "Set runtimeClassName: nvidia",
           {add_op(context.pointer(*pod.spec).append("runtimeClassName"), json_string("nvidia"))});
}

constexpr std::string_view kSources[] = {"NVIDIA/k8s-device-plugin#406", "NVIDIA/k8s-device-plugin#478", "NVIDIA/k8s-device-plugin#1011",
                                         "NVIDIA/k8s-device-plugin#23", "PodSpec.runtimeClassName (core/v1)"};

}  // namespace

extern constinit const Rule device_plugin_without_runtime_class{
    .id = "device-plugin-without-runtime-class",
    .group = Group::components,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "The device plugin itself runs without the nvidia runtime class where nvidia is not the default handler.",
    .rationale = "The plugin loads the driver's library like any GPU program, but asks for no GPU, so nothing brings the library into its container except "
                 "the nvidia runtime handler. Under runc it reports \"could not load NVML library\" or \"Incompatible platform detected\", and the node "
                 "offers no GPU.",
    .remediation = "Set `runtimeClassName: nvidia` on the plugin's pod.",
    .details = "Error under k3s and containerd. Info where the cluster is not named. Off where nvidia is the default handler or devices come another way.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.needs_runtime_class() != Answer::no; },
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
