#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/object_view.h"
#include "rules/kube/pod_group.h"

namespace gpulint::checks {
namespace {

/// Kinds whose pods only work when all of them run.
bool trains_in_several_pods(const ObjectView& object) {
  struct Kind { std::string_view group, kind; };
  constexpr Kind kKinds[] = {
      {"kubeflow.org", "MPIJob"},    {"kubeflow.org", "PyTorchJob"}, {"kubeflow.org", "TFJob"},           {"kubeflow.org", "MXJob"},
      {"kubeflow.org", "PaddleJob"}, {"kubeflow.org", "XGBoostJob"}, {"kubeflow.org", "JAXJob"},          {"jobset.x-k8s.io", "JobSet"},
      {"batch", "Job"},              {"batch", "CronJob"},           {"trainer.kubeflow.org", "TrainJob"}, {"sagemaker.amazonaws.com", "HyperPodPyTorchJob"},
  };
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& row) { return object.is(row.group, row.kind); });
}

/// Pods of a Job that has no index take work from a queue and need no one.
bool works_alone(const PodTemplate& pod) {
  if (pod.object->group != "batch") return false;
  const Node* mode = pod.owner_spec ? pod.owner_spec->find("completionMode") : nullptr;
  return !mode || mode->text != "Indexed";
}

/// Labels and annotations by which Kueue, Volcano, KAI, coscheduling, YuniKorn and Koordinator know their gangs.
bool names_queue(const Node* mapping) {
  constexpr std::string_view kPrefixes[] = {"kueue.x-k8s.io/", "kai.scheduler/", "runai/", "scheduling.volcano.sh/", "volcano.sh/", "scheduling.k8s.io/group-name",
                                            "scheduling.x-k8s.io/", "pod-group.scheduling.sigs.k8s.io", "yunikorn.apache.org/", "gang.scheduling.koordinator.sh/"};
  if (!mapping) return false;
  return std::any_of(mapping->begin(), mapping->end(), [&](const Node& member) {
    return std::any_of(std::begin(kPrefixes), std::end(kPrefixes), [&](std::string_view prefix) { return member.key.starts_with(prefix); });
  });
}

bool pod_is_queued(const PodTemplate& pod) {
  const std::string_view scheduler = pod.scheduler_name.value_or("");
  const bool other_scheduler = pod.scheduler_name.unknown() || (!scheduler.empty() && scheduler != "default-scheduler");
  return other_scheduler || pod.spec->find("schedulingGroup") || pod.spec->find("workloadRef") || names_queue(pod.labels) ||
         names_queue(pod.annotations);
}

/// What the object itself says: a queue, the gang settings of the training operator, JobSet's or TrainJob's, or another manager.
bool object_is_queued(const ObjectView& object) {
  if (names_queue(object.labels) || names_queue(object.annotations)) return true;
  const Node* spec = object.root->find("spec");
  if (!spec) return false;
  for (std::string_view key : {"managedBy", "podGroupPolicy", "gangPolicy", "schedulingPolicy", "schedulingGroup"})
    if (spec->find(key)) return true;
  if (spec->at("runPolicy", "schedulingPolicy") || spec->at("runPolicy", "managedBy")) return true;
  return names_queue(spec->find("labels")) || names_queue(spec->find("annotations"));
}

/// An elastic job begins with any number of pods from its minimum on.
bool begins_with_one(const ObjectView& object) {
  const Node* least = object.root->at("spec", "elasticPolicy", "minReplicas");
  return object.root->at("spec", "elasticPolicy") && (!least || least->text == "0" || least->text == "1");
}

void check(const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  if (!trains_in_several_pods(object) || object_is_queued(object) || begins_with_one(object)) return;
  if (context.cluster.has(AddOn::kai) || context.cluster.has(AddOn::volcano)) return;
  if (std::any_of(templates.begin(), templates.end(), pod_is_queued)) return;
  std::int64_t pods = 0;
  const Node* place = nullptr;
  for (const PodTemplate& pod : templates) {
    if (!pod.partial && pod.is_incomplete()) return;  // a patch: the labels stand elsewhere
    if (works_alone(pod) || !pod.asks_for_device()) continue;
    const std::optional<std::int64_t> count = pods_in_group(pod);
    if (!count) return;
    pods += *count;
    // Roles are a mapping, whose order means nothing.
    const Node* here = pod.owner_spec ? pod.owner_spec : pod.spec;
    if (!place || here->key < place->key) place = here;
  }
  if (pods < 2) return;
  context.info(place, "{} GPU pods of the {} {} start one by one: without a queue or gang scheduling a part of them can hold GPUs and wait for the rest", pods,
               object.kind, object.name);
}

constexpr std::string_view kSources[] = {
    "Kueue: label kueue.x-k8s.io/queue-name",
    "PodSpec.schedulingGroup (core/v1)",
    "Kubeflow training operator: runPolicy.schedulingPolicy",
    "kubeflow/trainer#165",
    "kubernetes-sigs/kueue#2796",
    "kubeflow/mpi-operator#608",
    "volcano-sh/volcano#1959",
};

}  // namespace

extern constinit const Rule gang_without_queue{
    .id = "gang-without-queue",
    .group = Group::scheduling,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "GPU training in several pods has neither a queue nor gang scheduling.",
    .rationale =
        "The scheduler places pod by pod, and the training begins only when all of them run. Two jobs that compete for the same GPUs can each get a part, "
        "wait for the rest for ever, and hold GPUs that do nothing.",
    .remediation = "Submit the job through Kueue (`kueue.x-k8s.io/queue-name`), or let Volcano, KAI or coscheduling start its pods together.",
    .details =
        "Info, once for each object: an MPIJob, PyTorchJob (and its family), TrainJob, JobSet or indexed Job with two or more pods that ask for GPUs, and "
        "no label or annotation of a queue, no other scheduler, no `schedulingPolicy` and no `schedulingGroup`.\n\n"
        "Serving, RayService and LeaderWorkerSet, which starts each group as one, are no finding, nor are Jobs without an index, whose pods do not need "
        "each other, elastic jobs that begin with one pod, and numbers of pods that are not written.",
    .sources = kSources,
    .check = on_object<check>,
};

}  // namespace gpulint::checks
