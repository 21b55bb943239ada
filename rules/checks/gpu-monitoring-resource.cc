#include <algorithm>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kAnnotation = "nvidia.cdi.k8s.io";

/// Asks in the eyes of gpu-access-without-request, which speaks of the annotation of a container without one.
bool asks(const Container& container, const PodTemplate& pod, const Context& context) {
  const auto& limits = container.resources.limits;
  return container.asks_for_device() || pod.asks_by_annotation() || std::any_of(limits.begin(), limits.end(), [&](const ResourceEntry& entry) {
           const std::optional<Accelerator> accelerator = context.accelerators.resource(entry.name);
           return accelerator && accelerator->role == ResourceRole::modifier;
         });
}

bool names_gpus(const Node* annotation) { return annotation && annotation->text.find("nvidia.com/gpu=") != std::string_view::npos; }

void check_resources(const Container& container, Context& context) {
  for (const auto* entries : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& entry : *entries) {
      const std::optional<Accelerator> accelerator = context.accelerators.resource(entry.name);
      if (!accelerator || accelerator->role != ResourceRole::monitoring) continue;
      if (entries == &container.resources.requests && container.resources.limit(entry.name)) continue;
      if (entry.quantity.value_or(Quantity()).is_zero() && !entry.quantity.unknown()) continue;
      context.warning(entry.node, "{}: {} gives it every {} GPU of the node, whoever has asked for them", container.label(), entry.name,
                      vendor_name(accelerator->vendor));
    }
}

/// The key of one container goes before those of the pod, as in the NRI plugin.
void check_annotations(const Container& container, const PodTemplate& pod, Context& context) {
  if (!pod.annotations) return;
  const Node* own = pod.annotations->find(fmt::format("{}/container.{}", kAnnotation, container.name.value));
  if (own) {
    if (names_gpus(own) && asks(container, pod, context))
      context.warning(own, "{}: an annotation gives it {} beside the devices that it asks for", container.label(), own->text);
    return;
  }
  for (const std::string& key : {fmt::format("{}/pod", kAnnotation), std::string(kAnnotation)})
    if (const Node* annotation = pod.annotations->find(key); names_gpus(annotation))
      return void(context.warning(annotation, "{}: an annotation of the pod gives it {}, which no container has to ask for", container.label(), annotation->text));
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure) return;
  check_resources(container, context);
  check_annotations(container, pod, context);
}

constexpr std::string_view kSources[] = {
    "Intel GPU device plugin: -enable-monitoring, gpu.intel.com/i915_monitoring and xe_monitoring",
    "NVIDIA container toolkit: NRI plugin, annotation nvidia.cdi.k8s.io",
    "LMCache/LMCache#5057",
};

}  // namespace

extern constinit const Rule gpu_monitoring_resource{
    .id = "gpu-monitoring-resource",
    .group = Group::visibility,
    .severity = Severity::warning,
    .summary = "A workload uses a resource or an annotation that exposes every GPU of the node and is meant for monitoring.",
    .rationale =
        "These ways in are made for exporters and the operator's own pods: they open all devices of the node, whoever has asked for them, and take none "
        "out of the count. A workload that uses them works on GPUs of others and can read what they leave behind.",
    .remediation = "Ask for the device itself: gpu.intel.com/i915, gpu.intel.com/xe or nvidia.com/gpu.",
    .details =
        "Judged are gpu.intel.com/monitoring, i915_monitoring and xe_monitoring with a quantity above 0, and annotations of nvidia.cdi.k8s.io that name "
        "GPUs. An annotation for one container that asks for no GPU is gpu-access-without-request's.\n\n"
        "Device plugins, exporters, validators and the like are exempt. The operator honours the annotation only in namespaces that it is told.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
