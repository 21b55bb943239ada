#include <algorithm>

#include "rules/engine/context.h"
#include "rules/engine/run_facts.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kPool = "pool", kPromise = "promise";

/// Labels that feature discovery writes once a node runs; nvidia.com/gpu.deploy.* and the like are written by the operator, as late.
bool is_discovery_label(std::string_view key) {
  return key.starts_with("nvidia.com/gpu.") || key.starts_with("nvidia.com/mig") || key.starts_with("nvidia.com/cuda.") ||
         key.starts_with("feature.node.kubernetes.io/");
}

/// What a Karpenter pool says about its nodes: NodePool (karpenter.sh/v1, v1beta1) under a template, Provisioner (v1alpha5) at the top.
struct PoolShape {
  const Node* labels = nullptr;
  const Node* requirements = nullptr;
  const Node* taints = nullptr;
  const Node* limits = nullptr;
};

PoolShape shape_of(const ObjectView& object) {
  const Node& root = *object.root;
  if (object.kind == "NodePool")
    return {root.at("spec", "template", "metadata", "labels"), root.at("spec", "template", "spec", "requirements"), root.at("spec", "template", "spec", "taints"),
            root.at("spec", "limits")};
  return {root.at("spec", "labels"), root.at("spec", "requirements"), root.at("spec", "taints"), root.at("spec", "limits", "resources")};
}

template <class Test>
bool any_key(const Node* list, Test test) {
  if (!list) return false;
  return std::any_of(list->begin(), list->end(), [&](const Node& element) {
    const Node* key = list->is_mapping() ? nullptr : element.find("key");
    return test(list->is_mapping() ? element.key : key ? key->text : std::string_view());
  });
}

bool offers_gpus(const PoolShape& pool, const AcceleratorTable& accelerators) {
  const auto is_resource = [&](std::string_view key) { return accelerators.resource(key).has_value(); };
  const auto tells = [&](std::string_view key) { return accelerators.node_label(key).has_value() || key.find("instance-gpu-") != std::string_view::npos; };
  return any_key(pool.limits, is_resource) || any_key(pool.requirements, tells) || any_key(pool.taints, is_resource);
}

void note_pool(const ObjectView& object, Context& context) {
  const PoolShape pool = shape_of(object);
  if (!offers_gpus(pool, context.accelerators)) return;
  context.note(kPool, std::string(object.name));
  for (const Node* list : {pool.labels, pool.requirements})
    any_key(list, [&](std::string_view key) {
      if (!key.empty()) context.note(kPromise, std::string(key));
      return false;
    });
}

bool wants_label(const NodeRequirement& requirement) {
  const std::string_view operation = requirement.operation;
  return requirement.required && is_discovery_label(requirement.key) &&
         (operation == "In" || operation == "Exists" || operation == "Gt" || operation == "Lt");
}

void collect(const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  if (object.group == "karpenter.sh" && (object.kind == "NodePool" || object.kind == "Provisioner")) note_pool(object, context);
  if (object.kind == "DaemonSet") return;
  for (const PodTemplate& pod : templates)
    if (pod.asks_for_device())
      for (const NodeRequirement& requirement : pod.node_requirements)
        if (wants_label(requirement))
          context.propose(std::string(requirement.key), Severity::warning, requirement.node,
                          fmt::format("the label {} exists only after a node has started, and no GPU pool of this run promises it: no node is provisioned for the pod",
                                      requirement.key));
}

bool confirm(std::string_view label, const RunFacts& facts) { return !facts.all(kPool).empty() && facts.count(kPromise, label) == 0; }

/// Pools of providers whose labels are not known otherwise.
constexpr std::string_view kWords[] = {"instance-gpu-"};
constexpr std::string_view kSources[] = {"NVIDIA/OSMO#1039", "kubernetes/autoscaler#5278", "Karpenter documentation: NodePools, requirements and labels"};

}  // namespace

extern constinit const Rule discovery_label_on_autoscaled_pool{
    .id = "discovery-label-on-autoscaled-pool",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .summary = "A pod selects a label of feature discovery, and the Karpenter pools of the run do not promise it.",
    .rationale = "Feature discovery labels a node after it has started. An autoscaler that starts from no node only knows the labels its pool declares, concludes that a "
                 "new node would not match, and provisions nothing: the pod stays Pending.",
    .remediation = "Declare the label on the NodePool (template labels or requirements), or select a label that the pool already has, such as "
                   "karpenter.k8s.aws/instance-gpu-name.",
    .details = "Judged when NodePools or Provisioners that offer GPUs, by limits, requirements or taints, are part of the same run. DaemonSets are left out: they follow "
               "nodes that exist. gpulint lint only.",
    .sources = kSources,
    .words = kWords,
    .check = on_run<collect, confirm>,
};

}  // namespace gpulint::checks
