#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/object_view.h"
#include "rules/kube/placeholder.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kPresent = "nvidia.com/gpu.present";

/// Labels that nodes with and without GPUs have alike. Any other one may well be how this cluster marks its GPU pool.
bool says_nothing_of_gpus(std::string_view key) {
  constexpr std::string_view kKeys[] = {"karpenter.sh/capacity-type", "cloud.google.com/gke-spot", "eks.amazonaws.com/capacityType",
                                        "kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/os-sku"};
  constexpr std::string_view kPrefixes[] = {"kubernetes.io/", "beta.kubernetes.io/", "topology.kubernetes.io/",
                                            "failure-domain.beta.kubernetes.io/", "node-role.kubernetes.io/"};
  if (key == "kubernetes.io/hostname") return false;
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes), [&](std::string_view prefix) { return key.starts_with(prefix); });
}

bool limits_to_gpus(const NodeRequirement& requirement) {
  constexpr std::string_view kOperations[] = {"In", "Exists", "Gt", "Lt"};
  return requirement.required && !says_nothing_of_gpus(requirement.key) &&
         std::find(std::begin(kOperations), std::end(kOperations), requirement.operation) != std::end(kOperations);
}

/// By the nodeSelector, or in each of the ORed terms: one term that says nothing of GPUs lets every node in.
bool has_gpu_selector(const PodTemplate& pod) {
  int terms = 0;
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (requirement.from_selector && limits_to_gpus(requirement)) return true;
    terms = std::max(terms, requirement.term + 1);
  }
  for (int term = 0; term < terms; ++term)
    if (std::none_of(pod.node_requirements.begin(), pod.node_requirements.end(),
                     [&](const NodeRequirement& requirement) { return requirement.term == term && limits_to_gpus(requirement); }))
      return false;
  return terms > 0;
}

/// Whether the constraint counts pods of other templates only. Controllers outside the API server add labels of their own, and so do
/// StatefulSet, Job and Deployment under names of the project: a key that the template lacks misses it only when neither can be.
bool misses_template(const SpreadConstraint& spread, const PodTemplate& pod) {
  if (!spread.label_selector || spread.label_selector->is_null()) return true;  // no selector counts no pod
  const Node* wanted = spread.label_selector->find("matchLabels");
  if (!wanted) return false;
  for (const Node& member : *wanted) {
    const Node* label = pod.labels ? pod.labels->find(member.key) : nullptr;
    const bool added = !pod.object->built_in || member.key.find("kubernetes.io/") != std::string_view::npos || member.key == "pod-template-hash" ||
                       member.key == "job-name" || member.key == "controller-uid";
    if (label ? label->text != member.text && !holds_placeholder(label->text) && !holds_placeholder(member.text) : !added) return true;
  }
  return false;
}

/// Surging Deployments count old and new pods together, so even one replica can block its successor; elsewhere so few never do.
bool never_binds(const SpreadConstraint& spread, const PodTemplate& pod) {
  if (pod.object->kind == "DaemonSet") return true;  // each pod is bound to its node by affinity
  return pod.object->kind != "Deployment" && pod.replicas.known() && spread.max_skew.known() && pod.replicas.value <= spread.max_skew.value;
}

void set_honor(const Field<std::string_view>& policy, std::string_view key, const JsonPointer& constraint, std::vector<PatchOp>& ops) {
  ops.push_back((policy.absent() ? add_op : replace_op)(constraint.append(key), json_string("Honor")));
}

/// Honor alone would leave the finding: it is offered together with a selector that is there or that this cluster is known to serve.
std::vector<PatchOp> repair(const SpreadConstraint& spread, const PodTemplate& pod, const Context& context) {
  const bool has_selector = has_gpu_selector(pod);
  if (!has_selector && !(context.cluster.is_gpu_operator() && pod.first_ask(Vendor::nvidia))) return {};
  std::vector<PatchOp> ops;
  const JsonPointer constraint = context.pointer(*spread.node);
  const Field<std::string_view>& taints = spread.node_taints_policy;
  if (!taints.unknown() && taints.value != "Honor") set_honor(taints, "nodeTaintsPolicy", constraint, ops);
  if (spread.node_affinity_policy.value_or("") == "Ignore") set_honor(spread.node_affinity_policy, "nodeAffinityPolicy", constraint, ops);
  if (has_selector) return ops;
  const JsonPointer spec = context.pointer(*pod.spec);
  const JsonPointer path = pod.node_selector ? context.pointer(*pod.node_selector).append(kPresent) : spec.append("nodeSelector");
  const std::string value = pod.node_selector ? json_string("true") : fmt::format(R"({{"{}":"true"}})", kPresent);
  ops.push_back(add_op(path, value));
  return ops;
}

void check_constraint(const SpreadConstraint& spread, const PodTemplate& pod, Context& context) {
  if (spread.when_unsatisfiable.value_or("") != "DoNotSchedule" || !spread.topology_key.known()) return;
  const std::string_view domain = spread.topology_key.value;
  if (misses_template(spread, pod)) {
    context.info(spread.node, "the spread over {} has a labelSelector that selects no pod of this template, so it has no effect", domain);
    return;
  }
  // Nodes without the topology's label are no domains.
  if (context.accelerators.node_label(domain) || never_binds(spread, pod)) return;
  const bool ignores_selector = spread.node_affinity_policy.value_or("") == "Ignore";
  if (has_gpu_selector(pod) && !ignores_selector) return;
  context
      .warning(spread.node, "the spread over {} counts nodes without GPUs as empty ones{}: of GPU pods, only maxSkew ({}) start in each domain", domain,
               ignores_selector ? " (nodeAffinityPolicy: Ignore)" : "", spread.max_skew.value_or(1))
      .fix(Safety::unsafe, "Count only nodes that the pod can run on", repair(spread, pod, context));
}

void check(const PodTemplate& pod, Context& context) {
  if (!pod.asks_for_device() && !pod.asks_by_annotation()) return;
  for (const SpreadConstraint& spread : pod.spread) check_constraint(spread, pod, context);
}

constexpr std::string_view kSources[] = {
    "TopologySpreadConstraint (core/v1)",
    "kubernetes/kubernetes#129762",
    "kubernetes/kubernetes#116118",
    "kubernetes/kubernetes#107464",
    "kubernetes/kops#18535",
};

}  // namespace

extern constinit const Rule spread_counts_non_gpu_nodes{
    .id = "spread-counts-non-gpu-nodes",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::unsafe,
    .summary = "A DoNotSchedule topology spread of GPU pods also counts nodes without GPUs.",
    .rationale =
        "The scheduler computes the spread over all nodes that fit the pod's selectors; whether they have a GPU to give is not asked. A node without "
        "GPUs stays an empty domain for ever, so each GPU node takes only maxSkew pods: with one GPU node of eight GPUs exactly one replica runs.",
    .remediation =
        "Limit the domains to GPU nodes by a nodeSelector or a required node affinity on a GPU label, and set `nodeTaintsPolicy: Honor` so that tainted "
        "and cordoned GPU nodes do not count either. Or spread with `whenUnsatisfiable: ScheduleAnyway`.",
    .details =
        "Warning: no nodeSelector and no required affinity limits the nodes, or `nodeAffinityPolicy: Ignore` lifts the limit. `nodeTaintsPolicy: Honor` "
        "alone is not enough: it leaves out only those nodes whose taint the pod does not tolerate, and a plain CPU node has none.\n\n"
        "Info: the labelSelector does not match the template's own labels, so the constraint has no effect.\n\n"
        "A selector on a label that every node may have (operating system, architecture, zone, capacity type) does not limit; one on an unknown label "
        "may mark the GPU pool and is taken to. ScheduleAnyway, a topology key that only GPU nodes have, a DaemonSet and fewer replicas than maxSkew "
        "are no finding. Without a selector the fix is offered only where the GPU operator runs, which writes the label `nvidia.com/gpu.present`.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
