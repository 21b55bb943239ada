#include <algorithm>

#include "rules/cluster/toleration.h"
#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

const Taint* declared_taint(std::string_view key, const Context& context) {
  const auto& taints = context.cluster.taints();
  const auto found = std::find_if(taints.begin(), taints.end(), [&](const Taint& taint) { return taint.key == key; });
  return found == taints.end() ? nullptr : &*found;
}

/// Keys that are put on GPU nodes: the resource, a label of accelerators, or a declared one.
bool is_gpu_key(std::string_view key, const Context& context) {
  return context.accelerators.resource(key) || context.accelerators.node_label(key) || declared_taint(key, context);
}

/// Another toleration of the pod does what this one does not.
bool is_covered(const Toleration& toleration, const PodTemplate& pod) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [&](const Toleration& other) {
    const bool same_key = other.key.value_or(toleration.key.value) == toleration.key.value;  // without a key: every taint
    return same_key && other.operation.value_or("") == "Exists" && covers_effect(other, toleration.effect.value_or(""));
  });
}

std::vector<PatchOp> set_exists(const Toleration& toleration, const Context& context) {
  return {(toleration.operation.present() ? replace_op : add_op)(context.pointer(*toleration.node).append("operator"), json_string("Exists"))};
}

void check(const PodTemplate& pod, Context& context) {
  for (const Toleration& toleration : pod.tolerations) {
    if (!matches_empty_value_only(toleration)) continue;
    const std::string_view key = toleration.key.value;
    const Taint* taint = declared_taint(key, context);
    if (!is_gpu_key(key, context) || is_covered(toleration, pod) || (taint && taint->value.empty())) continue;
    FindingBuilder finding =
        taint ? context.warning(toleration.node, "the toleration of {} gives no value and matches the empty one only, but the taint is {}", key,
                                text_of(*taint))
              : context.info(toleration.node, "the toleration of {} gives no value: operator Equal then matches a taint without a value only", key);
    finding.fix(Safety::safe, "Set operator: Exists", set_exists(toleration, context));
  }
}

constexpr std::string_view kSources[] = {
    "Toleration.operator, Toleration.value (core/v1): Equal is the default",
    "Kubernetes documentation: Taints and Tolerations",
    "NVIDIA/k8s-device-plugin#1934",
};

}  // namespace

extern constinit const Rule ineffective_toleration{
    .id = "ineffective-toleration",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "A toleration of a GPU taint compares with the empty value, because it has operator Equal and no value.",
    .rationale =
        "Without an operator a toleration means Equal, and Equal without a value matches a taint whose value is empty. GPU nodes are mostly tainted with "
        "one (`nvidia.com/gpu=present:NoSchedule`): the toleration looks right and matches nothing, and a DaemonSet then runs on no node without any event.",
    .remediation = "Set `operator: Exists`, or write the taint's value.",
    .details =
        "Warning: the cluster's declared taints have the key with a value. Info: nothing is known of the taint's value.\n\n"
        "No finding where the declared taint has no value, or where another toleration of the pod matches every value of the key.\n\n"
        "Keys of GPU taints are names of GPU resources, labels of GPU nodes, and what is declared with `--cluster NAME+taint:key=value:effect`.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
