#include <algorithm>
#include <iterator>

#include "rules/cluster/closest_word.h"
#include "rules/engine/context.h"
#include "rules/kube/object_view.h"
#include "rules/kube/pod_shape.h"

namespace gpulint::checks {
namespace {

/// A field that carries a GPU setting, and the kind of its value: a key like it with another kind of value means something else.
struct Known {
  std::string_view key;
  NodeKind kind;
};
constexpr Known kContainerFields[] = {{"resources", NodeKind::mapping}, {"securityContext", NodeKind::mapping}};
constexpr Known kResourcesFields[] = {{"limits", NodeKind::mapping}, {"requests", NodeKind::mapping}};
constexpr Known kPodFields[] = {
    {"runtimeClassName", NodeKind::string}, {"nodeSelector", NodeKind::mapping},    {"tolerations", NodeKind::sequence},
    {"affinity", NodeKind::mapping},        {"securityContext", NodeKind::mapping}, {"resourceClaims", NodeKind::sequence},
};

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char left, char right) { return lower(left) == lower(right); });
}

bool is_slip(std::string_view written, std::string_view meant) {
  return written != meant && (same_but_for_case(written, meant) || edit_distance(written, meant) <= 2);
}

/// Whether another field of the same mapping has exactly this name: `limits` beside `limit`.
bool is_field(std::string_view key, std::span<const Known> fields) {
  return std::any_of(fields.begin(), fields.end(), [&](const Known& field) { return field.key == key; });
}

/// The API server writes `resources: {}` where none are given.
bool is_given(const Node* field) { return field && !(field->is_mapping() && field->size == 0); }

void check_mapping(const Node& mapping, std::span<const Known> fields, std::string_view what, Context& context) {
  for (const Node& member : mapping) {
    if (is_field(member.key, fields)) continue;
    for (const Known& meant : fields) {
      if (member.kind != meant.kind || !is_slip(member.key, meant.key) || is_given(mapping.find(meant.key))) continue;
      context.error(&member, "{}: {} is no field and has no effect; {} is meant", what, member.key, meant.key)
          .fix(Safety::safe, fmt::format("Rename {} to {}", member.key, meant.key),
               {move_op(context.pointer(member), context.pointer(mapping).append(meant.key))});
    }
  }
}

void check_pod(const Container& container, const PodTemplate& pod, Context& context) {
  // A kind without containers may keep both in one mapping; then what they share has been judged with the container.
  std::span<const Known> fields = kPodFields;
  std::vector<Known> without_shared;
  if (container.node == pod.spec) {
    for (const Known& field : kPodFields)
      if (!is_field(field.key, kContainerFields)) without_shared.push_back(field);
    fields = without_shared;
  }
  context.enter(nullptr);
  check_mapping(*pod.spec, fields, "the pod", context);
}

/// Runs on containers because asks without a whole pod spec count too; the pod's fields are judged with the first one.
void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.values || !container.node || !pod.spec) return;
  if (pod.partial && pod.object->group == "argoproj.io") return;  // `resource` is a type of template there
  check_mapping(*container.node, kContainerFields, container.label(), context);
  const Node* resources = container.resources.node;
  if (resources && resources != container.node && resources->is_mapping()) check_mapping(*resources, kResourcesFields, container.label(), context);
  if (is_first_container(container, pod)) check_pod(container, pod, context);
}

constexpr std::string_view kSources[] = {
    "PodSpec, Container and ResourceRequirements (core/v1)",
    "Kubernetes documentation: kubectl apply --validate; pruning of unknown fields in custom resources",
};

}  // namespace

extern constinit const Rule misspelled_field{
    .id = "misspelled-field",
    .group = Group::runtime,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A field that carries a GPU setting is misspelt.",
    .rationale =
        "kubectl refuses a field that it does not know, but Helm 3, `--validate=false` and most custom resources drop it without a word: the limit, "
        "the class or the toleration is simply not there, and the pod runs without a GPU or on the wrong node.",
    .remediation = "Write the field as the API spells it.",
    .details =
        "Judged are keys that are one or two letters, or only their case, away from resources and securityContext (of a container), limits and "
        "requests (of `resources`), runtimeClassName, nodeSelector, tolerations, affinity, securityContext and resourceClaims (of a pod spec): where "
        "the right key is absent and the value is of its kind. The fix renames the key.\n\n"
        "Not judged: chart values, whose keys are the chart's own, templates of Argo Workflows, and mappings of any other sort.\n\n"
        "The API server drops the field of a built-in kind before webhooks see it: there only the linter can find it.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
