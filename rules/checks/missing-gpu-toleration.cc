#include <algorithm>

#include "rules/cluster/toleration.h"
#include "rules/engine/context.h"
#include "rules/kube/device_plugin.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

/// What GKE, the GPU operator's documentation and most node pools use.
const Taint& usual_taint() {
  static const Taint taint{"nvidia.com/gpu", "present", "NoSchedule"};
  return taint;
}

/// The API server adds a toleration for each extended resource that a container asks for, quantities of 0 included; claims bring none.
bool added_by_server(const PodTemplate& pod, const Taint& taint, const Context& context) {
  if (context.cluster.preset().adds_tolerations != Answer::yes || taint.effect != "NoSchedule") return false;
  bool asked = false;
  pod.for_each_container([&](const Container& container) { asked |= container.resources.limit(taint.key) || container.resources.request(taint.key); });
  return asked;
}

/// Nodes tainted with the resource of one vendor are none for the devices of another.
bool is_for_other_vendor(const PodTemplate& pod, const Taint& taint, const Context& context) {
  const auto accelerator = context.accelerators.resource(taint.key);
  const PodTemplate::Asked asked = pod.first_ask();
  return accelerator && asked && !pod.first_ask(accelerator->vendor);
}

/// A toleration of the key that would match with operator Exists: ineffective-toleration says so, and repairs it.
bool is_almost_tolerated(const PodTemplate& pod, const Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [&](const Toleration& toleration) {
    return matches_empty_value_only(toleration) && toleration.key.value == taint.key && covers_effect(toleration, taint.effect);
  });
}

/// device-plugin-without-toleration speaks of a device plugin that has no toleration of this key at all.
bool is_left_to_plugin_rule(const PodTemplate& pod, const Taint& taint) {
  const auto has_key = [&](const Toleration& toleration) { return toleration.key.value_or("") == taint.key; };
  return taint.key == usual_taint().key && device_plugin_in(pod) && std::none_of(pod.tolerations.begin(), pod.tolerations.end(), has_key);
}

bool is_tolerated(const PodTemplate& pod, const Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [&](const Toleration& toleration) { return tolerates(toleration, taint); });
}

/// The label by which a DaemonSet that asks for no device selects GPU nodes, or null.
const NodeRequirement* gpu_selector(const PodTemplate& pod, const Context& context) {
  if (pod.object->kind != "DaemonSet") return nullptr;
  for (const NodeRequirement& requirement : pod.node_requirements) {
    const bool away = requirement.operation == "NotIn" || requirement.operation == "DoesNotExist" ||
                      std::find(requirement.values.begin(), requirement.values.end(), "false") != requirement.values.end();
    if (requirement.required && !away && context.accelerators.node_label(requirement.key)) return &requirement;
  }
  return nullptr;
}

/// Values that tolerations of the key name instead of the taint's.
std::string other_values(const PodTemplate& pod, const Taint& taint) {
  std::string values;
  for (const Toleration& toleration : pod.tolerations)
    if (toleration.key.value_or("") == taint.key && toleration.value.known() && covers_effect(toleration, taint.effect))
      values += fmt::format("{}\"{}\"", values.empty() ? "" : ", ", toleration.value.value);
  return values;
}

const Node* place_of_tolerations(const PodTemplate& pod) { return pod.tolerations_node ? pod.tolerations_node : pod.spec; }

std::vector<PatchOp> append_tolerations(const PodTemplate& pod, const std::vector<const Taint*>& taints, const Context& context) {
  std::vector<PatchOp> ops;
  std::string list;
  for (const Taint* taint : taints) {
    const std::string toleration =
        fmt::format(R"({{"key":{},"operator":"Exists","effect":{}}})", json_string(taint->key), json_string(taint->effect));
    if (pod.tolerations_node) ops.push_back(add_op(context.pointer(*pod.tolerations_node).append("-"), toleration));
    list += (list.empty() ? "" : ",") + toleration;
  }
  if (ops.empty()) ops.push_back(add_op(context.pointer(*pod.spec).append("tolerations"), "[" + list + "]"));
  return ops;
}

std::string fix_title(const std::vector<const Taint*>& taints) {
  std::string keys;
  for (const Taint* taint : taints) keys += fmt::format("{}{}:{}", keys.empty() ? "" : " and ", taint->key, taint->effect);
  return "Tolerate " + keys;
}

/// `container "main" asks for nvidia.com/gpu`, `the DaemonSet selects GPU nodes by nvidia.com/gpu.present`: who needs the toleration. Empty: nobody.
std::string who_needs_it(const PodTemplate& pod, const Context& context) {
  if (const PodTemplate::Asked asked = pod.first_ask()) return fmt::format("{} asks for {}", asked.container->label(), asked.ask->resource);
  if (pod.asks_for_device()) return "the pod claims a device";
  if (pod.asks_by_annotation()) return "the pod asks for a GPU by annotation";
  const NodeRequirement* selector = gpu_selector(pod, context);
  return selector ? fmt::format("the DaemonSet selects GPU nodes by {}", selector->key) : std::string();
}

void check_declared(const PodTemplate& pod, const std::string& who, Context& context) {
  std::vector<const Taint*> missing;
  std::string names, values;
  for (const Taint& taint : context.cluster.taints()) {
    if (!keeps_pods_away(taint) || is_tolerated(pod, taint) || is_almost_tolerated(pod, taint) || is_left_to_plugin_rule(pod, taint)) continue;
    if (added_by_server(pod, taint, context) || is_for_other_vendor(pod, taint, context)) continue;
    missing.push_back(&taint);
    names += (names.empty() ? "" : " and ") + text_of(taint);
    if (values.empty()) values = other_values(pod, taint);
  }
  if (missing.empty()) return;
  const std::string message =
      values.empty() || missing.size() > 1
          ? fmt::format("{}, but no toleration matches {} of the GPU nodes", who, names)
          : fmt::format("{}, but {} is tolerated only with the value {}, and the GPU nodes have {}", who, missing.front()->key, values, names);
  context.report(Severity::warning, place_of_tolerations(pod), message).fix(Safety::safe, fix_title(missing), append_tolerations(pod, missing, context));
}

void check(const PodTemplate& pod, Context& context) {
  if (pod.node_name.present() || pod.is_incomplete()) return;  // placed without the scheduler, or completed by another object
  const std::string who = who_needs_it(pod, context);
  if (who.empty()) return;
  if (!context.cluster.taints().empty()) return check_declared(pod, who, context);
  const NodeRequirement* selector = gpu_selector(pod, context);
  if (!context.cluster.is_generic() || pod.asks_for_device() || !selector) return;
  const Taint& taint = usual_taint();
  if (context.accelerators.node_label(selector->key) != Vendor::nvidia || is_tolerated(pod, taint) || is_almost_tolerated(pod, taint)) return;
  if (is_left_to_plugin_rule(pod, taint)) return;
  context.info(place_of_tolerations(pod), "{}, but no toleration matches {}, the taint that most of them have", who, taint.key)
      .fix(Safety::safe, fix_title({&taint}), append_tolerations(pod, {&taint}, context));
}

constexpr std::string_view kSources[] = {
    "PodSpec.tolerations (core/v1)",
    "Kubernetes admission plugin ExtendedResourceToleration: only for resources that the pod asks for, off by default",
    "Azure/AKS#1449",
    "NVIDIA/k8s-device-plugin#1934",
    "NVIDIA/dcgm-exporter#731",
    "Mellanox/network-operator#435",
    "NVIDIA/gpu-operator#26",
};

}  // namespace

extern constinit const Rule missing_gpu_toleration{
    .id = "missing-gpu-toleration",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "A pod for GPU nodes does not tolerate a taint that they have.",
    .rationale =
        "Pools of GPU nodes are tainted to keep other pods away. A pod that asks for a GPU and does not tolerate the taint stays pending, and a DaemonSet "
        "simply counts no node: it is complete with zero pods, without any event.",
    .remediation = "Add a toleration with the taint's key, `operator: Exists` and the taint's effect.",
    .details =
        "Warning: a taint declared for the cluster (`--cluster NAME+taint:sku=gpu:NoSchedule`, or `cluster.taints` in the configuration) is not "
        "tolerated, or only with another value; for pods that ask for a device, and for DaemonSets that select GPU nodes and ask for none.\n\n"
        "Info: nothing is known of the cluster, and a DaemonSet that selects NVIDIA nodes does not tolerate `nvidia.com/gpu`.\n\n"
        "No finding where the API server adds the toleration (GKE and EKS, for taints whose key is the resource asked for; it does nothing for a "
        "DaemonSet that asks for none, nor for claims), for taints with the resource of another vendor, with PreferNoSchedule, in patches, and for "
        "pods with a nodeName. Where the toleration only lacks `operator: Exists`, ineffective-toleration speaks; of device plugins without any, "
        "device-plugin-without-toleration.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
