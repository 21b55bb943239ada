#include "rules/kube/pod_group.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "rules/kube/decode.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"

namespace gpulint {
namespace {

using Count = std::optional<std::int64_t>;

/// The number at `key`; the fallback where nothing is written, nothing where it is no number.
Count number_at(const Node* mapping, std::string_view key, Count fallback) {
  const Node* node = mapping ? mapping->find(key) : nullptr;
  if (!node || node->is_null()) return fallback;
  const Field<std::int64_t> field = integer_field(*mapping, key);
  return field.known() && field.value >= 0 ? Count(field.value) : std::nullopt;
}

Count product(Count left, Count right) {
  if (!left || !right) return std::nullopt;
  if (*right != 0 && *left > std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(*right, 1)) return std::nullopt;
  return *left * *right;
}

const Node* spec_of(const PodTemplate& pod) { return mapping_of(pod.object->root->find("spec")); }

/// Pods that a Job runs at a time.
Count pods_of_job(const Node* job) {
  const Count parallelism = number_at(job, "parallelism", 1);
  const Count completions = number_at(job, "completions", parallelism);
  return parallelism && completions ? Count(std::min(*parallelism, *completions)) : std::nullopt;
}

Count pods_of_leader_worker_set(const PodTemplate& pod) {
  const Node* set = pod.owner_spec ? mapping_of(pod.owner_spec->find("leaderWorkerTemplate")) : nullptr;
  if (!set || set->find("subGroupPolicy")) return std::nullopt;
  const Count size = number_at(set, "size", 1);
  if (!size || *size < 1) return std::nullopt;
  if (!set->find("leaderTemplate")) return size;
  return pod.role == "leaderTemplate" ? 1 : *size - 1;
}

Count pods_of_ray_group(const PodTemplate& pod) {
  if (pod.role == "headGroupSpec") return 1;
  const Count wanted = number_at(pod.owner_spec, "replicas", number_at(pod.owner_spec, "minReplicas", 1));
  const Count most = number_at(pod.owner_spec, "maxReplicas", wanted);
  if (!wanted || !most) return std::nullopt;
  return product(std::max(*wanted, *most), number_at(pod.owner_spec, "numOfHosts", 1));
}

/// KServe runs data / dataLocal pods, or one for each pipeline stage: the template is the first of them, the worker the others.
Count pods_of_inference_service(const PodTemplate& pod) {
  if (!pod.role.ends_with("worker")) return 1;
  const Node* parallelism = pod.owner_spec ? mapping_of(pod.owner_spec->find("parallelism")) : nullptr;
  if (!parallelism) return std::nullopt;
  const Count local = number_at(parallelism, "dataLocal", 1);
  if (!parallelism->find("data")) return parallelism->find("pipeline") ? number_at(parallelism, "pipeline", 1).value_or(1) - 1 : Count();
  const Count data = number_at(parallelism, "data", 1);
  if (!data || !local || *local < 1) return std::nullopt;
  return std::max<std::int64_t>(*data / *local, 1) - 1;
}

/// Rules for kinds whose pods work together. `together` says which templates form one group: all of the object, or the template alone.
struct GroupKind {
  std::string_view group, kind;  ///< an empty kind: every kind of the group
  enum class Together : std::uint8_t { all, alone, serving } together;
  Count (*pods)(const PodTemplate&);
};

Count pods_by_replicas(const PodTemplate& pod) { return number_at(pod.owner_spec, "replicas", 1); }

constexpr GroupKind kGroups[] = {
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", GroupKind::Together::all, pods_of_leader_worker_set},
    {"ray.io", "", GroupKind::Together::all, pods_of_ray_group},
    {"orchestration.aibrix.ai", "RayClusterFleet", GroupKind::Together::all, pods_of_ray_group},
    {"orchestration.aibrix.ai", "StormService", GroupKind::Together::alone,
     [](const PodTemplate& pod) { return number_at(pod.owner_spec, "podGroupSize", 1); }},
    {"nvidia.com", "DynamoGraphDeployment", GroupKind::Together::alone,
     [](const PodTemplate& pod) {
       const Node* nodes = pod.owner_spec ? mapping_of(pod.owner_spec->find("multinode")) : nullptr;
       return number_at(nodes, "nodeCount", 1);
     }},
    {"serving.kserve.io", "LLMInferenceService", GroupKind::Together::serving, pods_of_inference_service},
    {"jobset.x-k8s.io", "JobSet", GroupKind::Together::all,
     [](const PodTemplate& pod) {
       const Node* job = pod.owner_spec ? pod.owner_spec->at("template", "spec") : nullptr;
       return product(number_at(pod.owner_spec, "replicas", 1), pods_of_job(job));
     }},
    {"kubeflow.org", "PyTorchJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "TFJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "MXJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "PaddleJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "XGBoostJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "JAXJob", GroupKind::Together::all, pods_by_replicas},
    {"kubeflow.org", "MPIJob", GroupKind::Together::all, pods_by_replicas},
    {"sagemaker.amazonaws.com", "HyperPodPyTorchJob", GroupKind::Together::all, pods_by_replicas},
    {"batch.volcano.sh", "Job", GroupKind::Together::all, pods_by_replicas},
    {"trainer.kubeflow.org", "TrainJob", GroupKind::Together::alone,
     [](const PodTemplate& pod) { return number_at(pod.owner_spec, "numNodes", std::nullopt); }},
    {"trainer.kubeflow.org", "", GroupKind::Together::alone,
     [](const PodTemplate& pod) {
       const Node* spec = spec_of(pod);
       return pod.role == "node" ? number_at(spec ? mapping_of(spec->find("mlPolicy")) : nullptr, "numNodes", 1) : Count(1);
     }},
    {"batch", "Job", GroupKind::Together::alone, [](const PodTemplate& pod) { return pods_of_job(pod.owner_spec); }},
    {"batch", "CronJob", GroupKind::Together::alone, [](const PodTemplate& pod) { return pods_of_job(pod.owner_spec); }},
};

/// Charts that spread one model over nodes say so in a value of their own beside the container's.
bool is_multinode_chart(const PodTemplate& pod) {
  constexpr std::string_view kKeys[] = {"multinode", "multiNode", "multiNodeConfig", "raySpec", "rayCluster", "leaderWorkerTemplate", "nodeCount", "numNodes"};
  for (const Node* node = pod.spec; node; node = node->parent)
    for (std::string_view key : kKeys)
      if (const Node* value = node->find(key); value && value->text != "false" && value->text != "1") return true;
  return false;
}

/// Kinds whose pods are copies of each other, each working by itself.
bool has_single_pods(const PodTemplate& pod) {
  const ObjectView& object = *pod.object;
  constexpr std::string_view kGroupsOfCopies[] = {"", "apps", "extensions", "apps.kruise.io", "argoproj.io", "serving.knative.dev", "apps.nvidia.com"};
  if (pod.values) return !is_multinode_chart(pod);
  if (object.is("kubeflow.org", "Notebook")) return true;
  if (object.kind == "InferenceService") return !first_match(*object.root, "spec.predictor.workerSpec");
  return std::find(std::begin(kGroupsOfCopies), std::end(kGroupsOfCopies), object.group) != std::end(kGroupsOfCopies);
}

const GroupKind* group_kind(const ObjectView& object) {
  for (const GroupKind& row : kGroups)
    if (row.group == object.group && (row.kind.empty() || row.kind == object.kind)) return &row;
  return nullptr;
}

bool is_in_group(const PodTemplate& other, const PodTemplate& pod, const GroupKind& kind) {
  switch (kind.together) {
    case GroupKind::Together::alone: return other.spec == pod.spec;
    case GroupKind::Together::serving: return other.role != "scheduler" && other.role.starts_with("prefill") == pod.role.starts_with("prefill");
    case GroupKind::Together::all: break;
  }
  return true;
}

}  // namespace

bool is_ray_group(const PodTemplate& pod) { return pod.object->group == "ray.io" || pod.object->is("orchestration.aibrix.ai", "RayClusterFleet"); }

std::optional<std::int64_t> pods_in_group(const PodTemplate& pod) {
  if (const GroupKind* kind = group_kind(*pod.object)) return kind->pods(pod);
  return has_single_pods(pod) ? Count(1) : std::nullopt;
}

std::optional<PodGroup> pod_group(const PodTemplate& pod, std::string_view resource, const AcceleratorTable& accelerators) {
  const GroupKind* kind = group_kind(*pod.object);
  if (!kind && !has_single_pods(pod)) return std::nullopt;
  PodGroup group{.pods = 0, .gpus = 0};
  const auto add = [&](const PodTemplate& member) {
    const EffectiveRequest request = effective_request(member, resource);
    if (request.unknown) return false;
    if (request.quantity.is_zero()) return true;
    const Count pods = pods_in_group(member);
    const Count gpus = product(pods, request.quantity.whole());
    if (!gpus) return false;
    group.pods += *pods;
    group.gpus += *gpus;
    return true;
  };
  if (!kind || kind->together == GroupKind::Together::alone) return add(pod) ? std::optional(group) : std::nullopt;
  for (const PodTemplate& member : pod_templates(*pod.object, accelerators))
    if (is_in_group(member, pod, *kind) && !add(member)) return std::nullopt;
  return group;
}

}  // namespace gpulint
