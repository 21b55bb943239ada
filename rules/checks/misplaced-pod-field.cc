#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kPodFields[] = {"runtimeClassName", "tolerations", "nodeSelector", "affinity", "hostIPC"};
/// Mappings of chart values that charts read a few fixed keys from; a setting of the pod in one of them is read by nobody.
constexpr std::string_view kNarrowValues[] = {"serviceAccount", "image", "persistence", "ingress", "service", "probes"};
/// Keys of a chart's component. A `service` or `ingress` that has one is a component of that name and has a pod of its own.
constexpr std::string_view kComponentKeys[] = {"image", "replicas", "replicaCount", "command", "args", "env", "containers"};

bool is_narrow(const Node& mapping) {
  if (!mapping.is_mapping() || std::find(std::begin(kNarrowValues), std::end(kNarrowValues), mapping.key) == std::end(kNarrowValues)) return false;
  return std::none_of(std::begin(kComponentKeys), std::end(kComponentKeys), [&](std::string_view key) { return mapping.find(key); });
}

/// Whether the mapping stands in a list or a map of containers: pod specs, and the charts that copy their form into values.
bool is_listed_container(const Node& mapping) {
  const Node* parent = mapping.parent;
  if (!parent || (parent->key != "containers" && parent->key != "initContainers")) return false;
  if (parent->is_sequence()) return true;
  // A map of containers by name: `controllers: {main: {containers: {app: ...}}}`.
  return parent->parent && parent->parent->parent && parent->parent->parent->key == "controllers";
}

/// Where a kind keeps resources in the pod's own mapping (SparkApplication, NIMService), the fields beside them are in their place.
bool is_container(const Container& container, const PodTemplate& pod) {
  return pod.values ? is_listed_container(*container.node) : container.node != pod.spec;
}

/// Moves the field to the pod, where the pod has none of its own.
void offer_fix(FindingBuilder finding, const Node& field, const PodTemplate& pod, const Context& context) {
  if (pod.partial || !pod.spec || pod.spec->find(field.key)) return;
  finding.fix(Safety::safe, fmt::format("Move {} to the pod spec", field.key),
              {move_op(context.pointer(field), context.pointer(*pod.spec).append(field.key))});
}

void check_container(const Container& container, const PodTemplate& pod, Context& context) {
  for (std::string_view key : kPodFields) {
    const Node* field = container.node->find(key);
    if (!field) continue;
    FindingBuilder finding =
        context.error(field, "{}: {} is a field of the pod, not of a container, and has no effect here", container.label(), key);
    offer_fix(finding, *field, pod, context);
  }
}

void check_narrow(const Node& mapping, const Container& container, Context& context) {
  for (std::string_view key : kPodFields)
    if (const Node* field = mapping.find(key))
      context.error(field, "{}: {} stands under {}, where a chart does not read it", container.label(), key, mapping.key);
}

/// What a wrong indentation does to chart values: the settings of the pod slip into the mapping above them.
void check_values(const Container& container, Context& context) {
  if (!is_narrow(*container.node)) {
    for (const Node& member : *container.node)
      if (is_narrow(member)) check_narrow(member, container, context);
    return;
  }
  const Node* resources = container.resources.node;
  if (resources && resources != container.node && !container.asks.empty())
    context.error(resources, "{}: resources with a GPU stand under {}, where a chart does not read them", container.label(), container.node->key);
  check_narrow(*container.node, container, context);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (!container.node) return;
  if (is_container(container, pod)) check_container(container, pod, context);
  if (pod.values) check_values(container, context);
}

constexpr std::string_view kSources[] = {
    "PodSpec and Container (core/v1)",
    "canonical/microk8s#4408",
    "Kubernetes documentation: kubectl apply --validate",
};

}  // namespace

extern constinit const Rule misplaced_pod_field{
    .id = "misplaced-pod-field",
    .group = Group::runtime,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A field of the pod, such as runtimeClassName or tolerations, stands under a container.",
    .rationale =
        "Containers have no such field. kubectl refuses the manifest, but Helm 3, `--validate=false`, most controllers and most custom resources "
        "drop the field without a word: the pod then runs on the wrong handler or nodes, and the GPU is missing or never scheduled.",
    .remediation = "Move the field to the pod spec, beside `containers`; in chart values, to the level where the chart reads it.",
    .details =
        "Judged are runtimeClassName, tolerations, nodeSelector, affinity and hostIPC. The fix moves the field, unless the pod has one of its "
        "own.\n\n"
        "In chart values the same fields, and a `resources` mapping with a GPU, are judged directly under serviceAccount, image, persistence, "
        "ingress, service and probes: nearly always a wrong indentation. A `service` or `ingress` with an image, replicas or a command is a "
        "component of that name and no finding.\n\n"
        "The API server drops the field of a built-in kind before webhooks see it: there only the linter can find it.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
