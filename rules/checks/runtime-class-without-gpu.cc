#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/pod_shape.h"
#include "rules/kube/visible_devices.h"

namespace gpulint::checks {
namespace {

/// Asks of any kind: a quantity of 0, of which zero-gpu-limit says more, a modifier, to which HAMi's webhook adds the device, and a claim of the
/// pod, even where no container names it.
bool asks(const PodTemplate& pod, const Context& context) {
  bool found = pod.asks_for_device() || pod.asks_by_annotation() || (pod.resource_claims && pod.resource_claims->size > 0);
  pod.for_each_container([&](const Container& container) {
    found = found || !container.asks.empty();
    for (const ResourceEntry& entry : container.resources.limits) found = found || context.accelerators.resource(entry.name).has_value();
  });
  return found;
}

/// Whether the container may see devices without asking, by a variable, a device list or its image: gpu-access-without-request says more of it.
bool sees_devices(const Container& container, const Context& context) {
  const Injection injection = context.cluster.injection();
  const EnvironmentVariable* variable = container.variable("NVIDIA_VISIBLE_DEVICES");
  const bool shown = variable && !variable->value.null() && (!variable->value.known() || shows_nvidia_devices(variable->value.value));
  const bool image = (injection == Injection::unknown || injection == Injection::envvar) && !variable &&
                     context.accelerators.is_gpu_image(container.image.value);
  const bool mount = std::any_of(container.mounts.begin(), container.mounts.end(), [](const VolumeMount& entry) {
    return entry.path.starts_with("/var/run/nvidia-container-devices");
  });
  return shown || container.has_env_from || image || mount;
}

void check(const PodTemplate& pod, Context& context) {
  const Field<std::string_view>& name = pod.runtime_class;
  if (pod.infrastructure || !name.known() || !name.value.starts_with("nvidia") || completed_elsewhere(pod) || asks(pod, context)) return;
  // There the class does not exist, and unknown-runtime-class says so.
  if (context.cluster.preset().has_only_those_classes == Answer::yes && !context.cluster.ships_runtime_class(name.value)) return;
  bool sees = false;
  pod.for_each_container([&](const Container& container) { sees = sees || sees_devices(container, context); });
  if (sees) return;
  context.warning(name.node, "the pod has runtimeClassName {}, but none of its containers asks for a GPU", name.value);
}

constexpr std::string_view kSources[] = {
    "PodSpec.runtimeClassName (core/v1); RuntimeClass.scheduling (node.k8s.io/v1)",
    "NVIDIA/OSMO#937",
    "NVIDIA/k8s-device-plugin#61",
};

}  // namespace

extern constinit const Rule runtime_class_without_gpu{
    .id = "runtime-class-without-gpu",
    .group = Group::runtime,
    .severity = Severity::warning,
    .summary = "A pod has an NVIDIA runtime class but asks for no GPU.",
    .rationale =
        "The class ties the pod to nodes that have the NVIDIA handler: on any other node the pod is placed and its containers cannot be created. Where "
        "the GPU was meant, the limit is missing: the scheduler reserves nothing and the program finds no device, or those of others.",
    .remediation = "Ask for the GPU in `resources.limits`, or remove `runtimeClassName`.",
    .details =
        "A limit, a claim and an annotation of a GPU scheduler are asks, and so are HAMi's modifiers.\n\n"
        "Device plugins, exporters, validators and the like are exempt: they need the class and no GPU of their own. Silent where another rule says "
        "more: a quantity of 0 (zero-gpu-limit); NVIDIA_VISIBLE_DEVICES, a device list or an image that shows devices (gpu-access-without-request); a "
        "class that the cluster does not have (unknown-runtime-class). Silent too where the variable may come from `envFrom`, where a container has no "
        "image (a patch), and for serving runtimes and configurations that another object completes.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
