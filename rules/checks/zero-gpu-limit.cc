#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/engine/variable_patch.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVariable = "NVIDIA_VISIBLE_DEVICES";

/// Values by which a container says that it wants to see no device, of the runtime's variable and of the process's ones.
bool hides_devices(std::string_view value) {
  constexpr std::string_view kHiding[] = {"", "void", "none", "-1", "NoDevFiles"};
  return std::find(std::begin(kHiding), std::end(kHiding), value) != std::end(kHiding);
}

bool hides_gpus(const Container& container) {
  const EnvironmentVariable* variable = container.variable(kVariable);
  return variable && (variable->value.null() || (variable->value.known() && hides_devices(variable->value.value)));
}

/// Why the container sees or wants GPUs all the same; empty when nothing shows it.
std::string reason(const Container& container, const PodTemplate& pod, const Context& context) {
  for (const EnvironmentVariable& variable : container.env) {
    const std::optional<Vendor> vendor = context.accelerators.visibility_variable(variable.name);
    if (vendor == Vendor::nvidia && variable.value.known() && !hides_devices(variable.value.value))
      return fmt::format("{} is {}", variable.name, json_string(variable.value.value));
  }
  const Injection injection = context.cluster.injection();
  const bool image_counts = injection == Injection::unknown || injection == Injection::envvar;
  if (image_counts && container.image.known() && context.accelerators.is_gpu_image(container.image.value))
    return "its image sets NVIDIA_VISIBLE_DEVICES and sees every GPU of the node";
  if (pod.runtime_class.known() && pod.runtime_class.value.starts_with("nvidia"))
    return fmt::format("its pod has runtimeClassName {}", pod.runtime_class.value);
  return {};
}

void check_ask(const Ask& ask, const Container& container, const PodTemplate& pod, Context& context) {
  if (ask.quantity.null()) {
    context.warning(ask.node, "{}: the quantity of {} is empty, which counts as 0: the container gets no device", container.label(), ask.resource);
    return;
  }
  if (!ask.quantity.known() || !ask.quantity.value.is_zero()) return;
  if (ask.accelerator.vendor == Vendor::nvidia && hides_gpus(container)) return;  // says both: no device, and none to be seen
  const bool can_leak = ask.accelerator.vendor == Vendor::nvidia && !container.asks_for_device();
  const std::string why = can_leak ? reason(container, pod, context) : std::string();
  if (why.empty()) {
    context.info(ask.node, "{}: asks for 0 of {}, which gives no device and hides none", container.label(), ask.resource);
    return;
  }
  context.warning(ask.node, "{}: asks for 0 of {}, which hides no GPU, and {}", container.label(), ask.resource, why)
      .fix(Safety::unsafe, "Set NVIDIA_VISIBLE_DEVICES to void", set_variable(container, pod, kVariable, "void", context));
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  for (const Ask& ask : container.asks) check_ask(ask, container, pod, context);
}

constexpr std::string_view kSources[] = {
    "kubernetes/kubernetes#59629",
    "NVIDIA/k8s-device-plugin#61",
    "NVIDIA/OSMO#937",
    "NVIDIA container toolkit: NVIDIA_VISIBLE_DEVICES",
};

}  // namespace

extern constinit const Rule zero_gpu_limit{
    .id = "zero-gpu-limit",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::unsafe,
    .summary = "A container asks for 0 GPUs, or writes a GPU quantity without a value.",
    .rationale =
        "A quantity of 0 means that the device plugin is not called at all. It does not hide GPUs: where the NVIDIA runtime handles the "
        "container, NVIDIA_VISIBLE_DEVICES of the image or the manifest decides, and most CUDA images set it to `all`. A quantity without a "
        "value is stored as 0 without a word, so a GPU workload silently runs without a GPU.",
    .remediation =
        "Ask for the devices that the container needs. For a container that shall see none, remove the resource and set "
        "NVIDIA_VISIBLE_DEVICES to `void`.",
    .details =
        "Warning: the quantity is empty; or it is 0 for an NVIDIA resource and the container has a GPU image, a device variable such as "
        "NVIDIA_VISIBLE_DEVICES with a value that shows devices, or an nvidia runtime class. The image counts only where the runtime reads "
        "the variable: not under CDI and not on GKE.\n\n"
        "Info: any other quantity of 0.\n\n"
        "No finding where the quantity is 0 and NVIDIA_VISIBLE_DEVICES is `void`, `none` or empty: nothing is left to be seen.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
