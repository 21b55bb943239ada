#include <algorithm>
#include <unordered_set>

#include "rules/kube/decode.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"
#include "rules/kube/placeholder.h"

namespace gpulint {
namespace {

enum class Type { text, boolean, integer, integer_or_text, quantity, list, mapping };

constexpr std::string_view kExpected[] = {"a string", "true or false", "an integer", "an integer or a string", "a quantity", "a list", "a mapping"};

struct TypeRow {
  std::string_view path;
  Type type;
};

// The types of the API's Go structs, of the fields that rules read and those that people get wrong.
constexpr TypeRow kObjectTypes[] = {
    {"metadata", Type::mapping},
    {"metadata.name", Type::text},
    {"metadata.namespace", Type::text},
    {"metadata.labels", Type::mapping},
    {"metadata.labels.*", Type::text},
    {"metadata.annotations", Type::mapping},
    {"metadata.annotations.*", Type::text},
};
constexpr TypeRow kWorkloadTypes[] = {
    {"spec", Type::mapping},
    {"spec.replicas", Type::integer},
    {"spec.parallelism", Type::integer},
    {"spec.completions", Type::integer},
    {"spec.template", Type::mapping},
    {"spec.template.spec", Type::mapping},
    {"spec.strategy", Type::mapping},
    {"spec.strategy.type", Type::text},
    {"spec.strategy.rollingUpdate", Type::mapping},
    {"spec.strategy.rollingUpdate.maxSurge", Type::integer_or_text},
    {"spec.strategy.rollingUpdate.maxUnavailable", Type::integer_or_text},
};
constexpr TypeRow kMetadataTypes[] = {
    {"labels", Type::mapping},
    {"labels.*", Type::text},
    {"annotations", Type::mapping},
    {"annotations.*", Type::text},
};
constexpr TypeRow kPodTypes[] = {
    {"containers", Type::list},
    {"initContainers", Type::list},
    {"ephemeralContainers", Type::list},
    {"runtimeClassName", Type::text},
    {"schedulerName", Type::text},
    {"priorityClassName", Type::text},
    {"serviceAccountName", Type::text},
    {"restartPolicy", Type::text},
    {"nodeName", Type::text},
    {"hostIPC", Type::boolean},
    {"hostPID", Type::boolean},
    {"hostNetwork", Type::boolean},
    {"enableServiceLinks", Type::boolean},
    {"nodeSelector", Type::mapping},
    {"nodeSelector.*", Type::text},
    {"affinity", Type::mapping},
    {"tolerations", Type::list},
    {"tolerations[*]", Type::mapping},
    {"tolerations[*].key", Type::text},
    {"tolerations[*].operator", Type::text},
    {"tolerations[*].value", Type::text},
    {"tolerations[*].effect", Type::text},
    {"tolerations[*].tolerationSeconds", Type::integer},
    {"topologySpreadConstraints", Type::list},
    {"topologySpreadConstraints[*].maxSkew", Type::integer},
    {"topologySpreadConstraints[*].topologyKey", Type::text},
    {"securityContext", Type::mapping},
    {"securityContext.runAsUser", Type::integer},
    {"securityContext.runAsNonRoot", Type::boolean},
    {"securityContext.fsGroup", Type::integer},
    {"securityContext.supplementalGroups", Type::list},
    {"securityContext.supplementalGroups[*]", Type::integer},
    {"resourceClaims", Type::list},
    {"resourceClaims[*]", Type::mapping},
    {"volumes", Type::list},
    {"volumes[*]", Type::mapping},
    {"volumes[*].name", Type::text},
    {"volumes[*].hostPath.path", Type::text},
    {"volumes[*].emptyDir.medium", Type::text},
    {"volumes[*].emptyDir.sizeLimit", Type::quantity},
};
constexpr TypeRow kContainerTypes[] = {
    {"", Type::mapping},
    {"name", Type::text},
    {"image", Type::text},
    {"command", Type::list},
    {"command[*]", Type::text},
    {"args", Type::list},
    {"args[*]", Type::text},
    {"env", Type::list},
    {"env[*]", Type::mapping},
    {"env[*].name", Type::text},
    {"env[*].value", Type::text},
    {"envFrom", Type::list},
    {"resources", Type::mapping},
    {"resources.limits", Type::mapping},
    {"resources.limits.*", Type::quantity},
    {"resources.requests", Type::mapping},
    {"resources.requests.*", Type::quantity},
    {"resources.claims", Type::list},
    {"securityContext", Type::mapping},
    {"securityContext.privileged", Type::boolean},
    {"securityContext.runAsUser", Type::integer},
    {"securityContext.runAsGroup", Type::integer},
    {"securityContext.runAsNonRoot", Type::boolean},
    {"securityContext.readOnlyRootFilesystem", Type::boolean},
    {"securityContext.capabilities", Type::mapping},
    {"securityContext.capabilities.add", Type::list},
    {"securityContext.capabilities.add[*]", Type::text},
    {"ports", Type::list},
    {"ports[*].containerPort", Type::integer},
    {"volumeMounts", Type::list},
    {"volumeMounts[*]", Type::mapping},
    {"volumeMounts[*].name", Type::text},
    {"volumeMounts[*].mountPath", Type::text},
    {"volumeMounts[*].readOnly", Type::boolean},
};

/// A whole number however it was written: `1.0` reaches the server as 1.
bool is_whole(const Node& node) {
  return node.kind == NodeKind::integer || (node.kind == NodeKind::real && node.text.find_first_of(".eE") == std::string_view::npos);
}

/// A null counts as absent everywhere; a text with a placeholder may become anything.
bool fits(const Node& node, Type type) {
  if (node.is_null() || (node.is_string() && holds_placeholder(node.text))) return true;
  switch (type) {
    case Type::text: return node.is_string();
    case Type::boolean: return node.kind == NodeKind::boolean;
    case Type::integer: return is_whole(node) || (node.is_string() && is_number_placeholder(node.text));
    case Type::integer_or_text: return is_whole(node) || node.is_string();
    case Type::quantity: return node.is_scalar();  // what is no Quantity is judged by another rule
    case Type::list: return node.is_sequence();
    case Type::mapping: return node.is_mapping();
  }
  return true;
}

class Checker {
 public:
  template <std::size_t count>
  void check(const Node* root, const TypeRow (&rows)[count]) {
    if (!root) return;
    for (const TypeRow& row : rows)
      for_each_match(*root, row.path, [&](const Node& node, const Node*) {
        if (!fits(node, row.type) && seen_.insert(&node).second) wrong_.push_back({&node, kExpected[static_cast<std::size_t>(row.type)]});
      });
  }
  std::vector<WrongType> take() { return std::move(wrong_); }

 private:
  std::unordered_set<const Node*> seen_;
  std::vector<WrongType> wrong_;
};

}  // namespace

std::vector<WrongType> wrong_types(const ObjectView& object, const std::vector<PodTemplate>& templates) {
  if (!object.built_in || !object.root) return {};
  Checker checker;
  checker.check(object.root, kObjectTypes);
  if (object.group == "apps" || object.group == "batch" || object.kind == "Pod" || object.kind == "ReplicationController") checker.check(object.root, kWorkloadTypes);
  for (const PodTemplate& pod : templates) {
    checker.check(pod.metadata, kMetadataTypes);
    checker.check(pod.spec, kPodTypes);
    for (std::string_view key : {"initContainers", "containers", "ephemeralContainers"})
      if (const Node* list = sequence_of(pod.spec->find(key)))
        for (const Node& container : *list) checker.check(&container, kContainerTypes);
  }
  return checker.take();
}

}  // namespace gpulint
