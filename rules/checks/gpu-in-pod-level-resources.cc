#include "rules/document/document.h"
#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/embedded_text.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

/// Adds the limit to the container, in as much of `resources` as it has.
PatchOp limit_of(const Container& container, std::string_view name, const std::string& value, const Context& context) {
  PatchOp op;
  op.path = context.pointer(*container.node).append("resources");
  const Resources& resources = container.resources;
  const std::string entry = fmt::format("{{{}:{}}}", json_string(name), value);
  if (mapping_of(resources.limits_node)) {
    op.path = op.path.append("limits").append(name);
    op.value = value;
  } else if (mapping_of(resources.node)) {
    op.path = op.path.append("limits");
    op.value = entry;
  } else {
    op.value = fmt::format("{{\"limits\":{}}}", entry);
  }
  return op;
}

/// Only one container can have been meant: the resource moves there, once, as its limit.
void offer_fix(FindingBuilder finding, const ResourceEntry& entry, const Resources& of_pod, const PodTemplate& pod, const Context& context) {
  if (pod.containers.size() != 1 || !pod.init_containers.empty() || entry.node->is_null() || &place_of(*entry.node) != entry.node) return;
  const Container& container = pod.containers.front();
  if (container.resources.limit(entry.name) || container.resources.request(entry.name)) return;
  std::vector<PatchOp> ops{limit_of(container, entry.name, to_json(*entry.node), context)};
  for (const ResourceEntry* old : {of_pod.limit(entry.name), of_pod.request(entry.name)}) {
    if (old) ops.push_back(remove_op(context.pointer(*old->node)));
  }
  finding.fix(Safety::safe, fmt::format("Move {} to the limits of {}", entry.name, container.label()), std::move(ops));
}

void check(const PodTemplate& pod, Context& context) {
  if (!pod.pod_resources) return;
  const Resources resources = decode_resources(pod.pod_resources);
  const auto report = [&](const ResourceEntry& entry) {
    if (!context.accelerators.resource(entry.name)) return;
    offer_fix(context.error(entry.node, "{} stands in the resources of the pod, which take only cpu, memory and hugepages; devices belong to a container",
                            entry.name),
              entry, resources, pod, context);
  };
  for (const ResourceEntry& limit : resources.limits) report(limit);
  for (const ResourceEntry& request : resources.requests)
    if (!resources.limit(request.name)) report(request);
}

constexpr std::string_view kSources[] = {
    "PodSpec.resources (core/v1): pod-level resources",
    "intel/intel-device-plugins-for-kubernetes#2305",
};

}  // namespace

extern constinit const Rule gpu_in_pod_level_resources{
    .id = "gpu-in-pod-level-resources",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A GPU is asked for in the resources of the pod instead of those of a container.",
    .rationale =
        "`spec.resources` of a pod takes cpu, memory and hugepages only: devices are allotted to containers. The API server refuses the pod "
        "(\"Unsupported value\"); where a custom resource carries the pod spec it is accepted, and its pods cannot be created. Servers before pod-level "
        "resources drop the field, and the pod runs without a GPU.",
    .remediation = "Move the resource to `resources.limits` of the container that uses it.",
    .details =
        "Judged are all accelerator resources under `limits` and `requests`, modifiers such as nvidia.com/gpumem included. The fix moves the resource "
        "when the pod has a single container, which can only have been meant.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
