#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

/// Kinds whose replicas are copies that stand in for each other.
bool has_copies(const ObjectView& object) {
  struct Kind { std::string_view group, kind; };
  constexpr Kind kKinds[] = {{"apps", "Deployment"}, {"apps", "StatefulSet"},      {"apps", "ReplicaSet"},          {"", "ReplicationController"},
                             {"extensions", "Deployment"}, {"argoproj.io", "Rollout"}, {"apps.kruise.io", "CloneSet"}, {"apps.kruise.io", "StatefulSet"}};
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& row) { return object.is(row.group, row.kind); });
}

void check(const PodTemplate& pod, Context& context) {
  if (!has_copies(*pod.object) || pod.infrastructure || pod.is_incomplete() || !pod.replicas.known() || pod.replicas.value < 2) return;
  if (!pod.asks_for_device() && !pod.asks_by_annotation()) return;
  if (!pod.spread.empty() || pod.has_pod_anti_affinity) return;
  context.info(pod.replicas.node, "{} GPU replicas and neither a topology spread nor a pod anti-affinity: all of them may land on one node",
               pod.replicas.value);
}

constexpr std::string_view kSources[] = {
    "PodSpec.topologySpreadConstraints, PodAntiAffinity (core/v1)",
};

}  // namespace

extern constinit const Rule missing_spread{
    .id = "missing-spread",
    .group = Group::scheduling,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "Several GPU replicas of a server are not spread over nodes.",
    .rationale =
        "A GPU node holds many GPUs, and the scheduler often fills it first. One node that is drained, or one driver that fails, then takes every "
        "replica at once.",
    .remediation =
        "Add a topology spread over `kubernetes.io/hostname` with `whenUnsatisfiable: ScheduleAnyway`, or a preferred pod anti-affinity.",
    .details =
        "Info: two or more replicas of a Deployment, StatefulSet, ReplicaSet, Rollout or CloneSet that ask for GPUs, with neither. The scheduler's own "
        "default spread is a preference only. Jobs, DaemonSets and single replicas are no finding; nor are patches, and replicas that are not written or not known.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
