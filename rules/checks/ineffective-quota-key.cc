#include <algorithm>
#include <set>

#include "rules/engine/context.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

/// Where quotas stand: the API's own kind and those that make one of it.
struct QuotaPlace {
  std::string_view group, kind, path;
};
constexpr QuotaPlace kPlaces[] = {
    {"", "ResourceQuota", "spec.hard"},
    {"quota.openshift.io", "ClusterResourceQuota", "spec.quota.hard"},
    {"hnc.x-k8s.io", "HierarchicalResourceQuota", "spec.hard"},
    {"kubeflow.org", "Profile", "spec.resourceQuotaSpec.hard"},
    {"capsule.clastix.io", "Tenant", "spec.resourceQuotas.items[*].hard"},
};
constexpr std::string_view kLimits = "limits.";

/// The extended resource that a key was meant to count; empty where the key is right, or about something else.
std::string_view meant_for(std::string_view key, const Context& context) {
  if (key.starts_with(kLimits)) return is_extended_resource(key.substr(kLimits.size())) ? key.substr(kLimits.size()) : std::string_view();
  return is_extended_resource(key) && context.accelerators.resource(key) ? key : std::string_view();
}

/// HAMi counts its virtual GPUs itself, from keys of its own: the limits of its modifiers.
bool is_hami_quota(const Node& hard, const Context& context) {
  return std::any_of(hard.begin(), hard.end(), [&](const Node& entry) {
    if (!entry.key.starts_with(kLimits)) return false;
    const auto accelerator = context.accelerators.resource(entry.key.substr(kLimits.size()));
    return accelerator && accelerator->role == ResourceRole::modifier;
  });
}

void check_hard(const Node& hard, Context& context) {
  if (!hard.is_mapping() || is_hami_quota(hard, context)) return;
  std::set<std::string> taken;  // two wrong keys of one resource cannot both become the right one
  for (const Node& entry : hard) {
    const std::string_view resource = meant_for(entry.key, context);
    if (resource.empty()) continue;
    const std::string right = fmt::format("requests.{}", resource);
    FindingBuilder finding = context.warning(&entry, "the quota key {} limits nothing: extended resources are counted as {}", entry.key, right);
    if (hard.find(right) || !taken.insert(right).second) continue;
    finding.fix(Safety::safe, fmt::format("Rename the key to {}", right), {move_op(context.pointer(entry), context.pointer(hard).append(right))});
  }
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  for (const QuotaPlace& place : kPlaces)
    if (object.is(place.group, place.kind)) for_each_match(*object.root, place.path, [&](const Node& hard, const Node*) { check_hard(hard, context); });
}

constexpr std::string_view kSources[] = {
    "ResourceQuota.spec.hard (core/v1); Kubernetes documentation: Resource quota for extended resources",
    "NVIDIA/k8s-device-plugin#211",
    "kubeflow/website#2460",
    "kubernetes/kubernetes#46639",
    "Project-HAMi/website#104",
};

}  // namespace

extern constinit const Rule ineffective_quota_key{
    .id = "ineffective-quota-key",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "A ResourceQuota names a GPU by a key that the quota controller does not count.",
    .rationale =
        "Of extended resources only `requests.<name>` is counted. `nvidia.com/gpu` and `limits.nvidia.com/gpu` are accepted and never appear in the quota's "
        "status: the namespace has no GPU quota at all.",
    .remediation = "Write `requests.nvidia.com/gpu`. Requests equal limits for extended resources, so this one key is enough.",
    .details =
        "Judged are accelerators by their bare names and any extended resource with `limits.` in front: in ResourceQuota, ClusterResourceQuota (OpenShift), "
        "HierarchicalResourceQuota, Profile (Kubeflow) and Tenant (Capsule). The fix renames the key unless the right one is there already.\n\n"
        "No finding with HAMi, which counts `limits.nvidia.com/gpumem` and the like itself; a quota that holds such a key is taken for one of HAMi's.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return !cluster.has(AddOn::hami); },
    .check = on_object<check>,
};

}  // namespace gpulint::checks
