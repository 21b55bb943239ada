#include "rules/engine/context.h"
#include "rules/engine/variable_patch.h"
#include "rules/kube/pod_template.h"
#include "rules/kube/visible_devices.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVariable = "NVIDIA_VISIBLE_DEVICES";

/// `all`, or an index outside the limit: devices that belong to others.
bool takes_more(std::string_view value, const Ask& ask) {
  if (value == "all") return true;
  return ask.quantity.known() && names_devices_beyond(value, ask.quantity.value.whole());
}

Severity severity_of(bool more, Injection injection) {
  switch (injection) {
    case Injection::envvar: return more ? Severity::error : Severity::warning;
    case Injection::unknown: return more ? Severity::warning : Severity::info;
    case Injection::cdi:
    case Injection::own: break;
  }
  return Severity::info;
}

std::string_view effect_of(bool more, std::string_view value, Injection injection) {
  if (injection == Injection::cdi || injection == Injection::own) return "on this cluster nothing reads it";
  if (more) return "the container sees devices that it did not ask for";
  return shows_nvidia_devices(value) ? "it overrides the device that the plugin chooses" : "it hides the device that the plugin chooses";
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const EnvironmentVariable* variable = container.variable(kVariable);
  const Ask* ask = container.first_ask(Vendor::nvidia);
  if (!variable || !ask) return;
  const Field<std::string_view>& value = variable->value;
  if (value.unknown() || value.invalid() || variable->node->find("$patch")) return;
  if (!value.known() && pod.values) return;  // Helm takes a null for "not set", the API server takes it for ""
  const bool more = takes_more(value.value, *ask);
  const Injection injection = context.cluster.injection();
  context
      .report(severity_of(more, injection), value.node,
              fmt::format("{}: NVIDIA_VISIBLE_DEVICES is \"{}\" beside {}; {}", container.label(), value.value, ask->resource,
                          effect_of(more, value.value, injection)))
      .fix(Safety::unsafe, "Remove NVIDIA_VISIBLE_DEVICES", remove_variable(container, kVariable, context));
}

constexpr std::string_view kSources[] = {
    "NVIDIA container toolkit: NVIDIA_VISIBLE_DEVICES",
    "kubelet: the environment of the pod comes after that of the device plugin",
    "NVIDIA/k8s-device-plugin#1432",
    "NVIDIA/nvidia-docker#900",
    "NVIDIA/k8s-device-plugin#1294",
    "NVIDIA/gpu-operator#2115",
};

}  // namespace

extern constinit const Rule visible_devices_override{
    .id = "visible-devices-override",
    .group = Group::visibility,
    .severity = Severity::error,
    .fixability = Fixability::unsafe,
    .summary = "NVIDIA_VISIBLE_DEVICES is set in a container that asks for an NVIDIA GPU.",
    .rationale =
        "The device plugin hands the chosen device to the container runtime in this very variable. A value in the manifest overrides or conflicts with "
        "it: with `all` the container works on GPUs that the scheduler has given to others, with an index two pods share one GPU while another idles.",
    .remediation = "Remove the variable and let the device plugin set it.",
    .details =
        "`all`, or an index that is not below the number asked for: error where the runtime reads the variable (gpu-operator-legacy, eks, aks, k3s, "
        "containerd, docker), warning in `generic`.\n\n"
        "Other values (an index inside the limit, a UUID, `none`, `void`, empty): warning there, info in `generic`.\n\n"
        "Info, whatever the value, where devices are injected by CDI (gpu-operator, gpu-operator-nri, openshift) and on GKE: nothing reads it.\n\n"
        "A command that only reads the variable is fine. Values from `valueFrom` and placeholders are not judged.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
