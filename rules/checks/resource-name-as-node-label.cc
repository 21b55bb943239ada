#include "rules/engine/context.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

void check(const PodTemplate& pod, Context& context) {
  for (const NodeRequirement& requirement : pod.node_requirements) {
    const auto accelerator = context.accelerators.resource(requirement.key);
    if (!accelerator || !asks_for_device(accelerator->role)) continue;
    const bool discovered = requirement.key == "nvidia.com/gpu";
    context.info(requirement.node, "{} is the name of a resource: unless somebody labels nodes so, none has this label{}", requirement.key,
                 discovered ? "; feature discovery writes nvidia.com/gpu.present" : "");
  }
}

constexpr std::string_view kSources[] = {
    "PodSpec.nodeSelector, NodeAffinity (core/v1)",
    "NVIDIA GPU operator and GPU feature discovery: node labels",
};

}  // namespace

extern constinit const Rule resource_name_as_node_label{
    .id = "resource-name-as-node-label",
    .group = Group::scheduling,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "A node selector or node affinity uses the name of a GPU resource as a label.",
    .rationale =
        "Device plugins advertise `nvidia.com/gpu` as a resource, never as a label. A selector on it matches no node unless the labels are kept by hand, "
        "and the pod stays pending; asking for the resource already limits it to nodes that have one.",
    .remediation = "Remove the selector, or select a label that discovery writes, such as `nvidia.com/gpu.present`.",
    .details =
        "Info: the key of a nodeSelector or of a node affinity, required or preferred, is the exact name of an accelerator resource (`nvidia.com/gpu`, "
        "`amd.com/gpu`, `google.com/tpu` …). Some node pools are labelled so on purpose, hence no more than info.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
