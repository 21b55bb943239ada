#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/object_view.h"
#include "rules/kube/pod_shape.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kAccelerator = "cloud.google.com/gke-accelerator";
constexpr std::string_view kComputeClass = "cloud.google.com/compute-class";

/// Whether what is read is all that the pod will have. Of a partial template that is only so for a KServe predictor, which lacks the image alone.
bool is_whole(const PodTemplate& pod) {
  if (pod.values || pod.containers.empty()) return false;
  return pod.partial ? pod.object->kind == "InferenceService" : !completed_elsewhere(pod);
}

bool names_accelerator(const PodTemplate& pod) {
  const auto by_label = [](const NodeRequirement& requirement) {
    return requirement.required && (requirement.key == kAccelerator || requirement.key == kComputeClass) && requirement.operation != "NotIn" &&
           requirement.operation != "DoesNotExist";
  };
  if (std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(), by_label)) return true;
  // KServe turns the annotation into the selector.
  for (const Node* annotations : {pod.object->annotations, pod.annotations})
    if (annotations)
      for (const Node& annotation : *annotations)
        if (annotation.key.ends_with("/gke-accelerator")) return true;
  return false;
}

bool has_queue(const PodTemplate& pod) {
  for (const Node* labels : {pod.object->labels, pod.labels})
    if (labels && labels->find("kueue.x-k8s.io/queue-name")) return true;
  return false;
}

void check_selector(const PodTemplate& pod, Context& context) {
  const auto asking = std::find_if(pod.containers.begin(), pod.containers.end(), [](const Container& one) { return one.first_ask(Vendor::nvidia); });
  if (asking == pod.containers.end() || names_accelerator(pod)) return;
  const bool queue = has_queue(pod);
  context.report(queue ? Severity::warning : Severity::error, pod.spec,
                 fmt::format("{} asks for {}, but neither {} nor a compute class is selected{}", asking->label(),
                             asking->first_ask(Vendor::nvidia)->resource, kAccelerator, queue ? ", unless the queue's flavor adds it" : ""));
}

void check_init_containers(const PodTemplate& pod, Context& context) {
  for (const Container& container : pod.init_containers)
    if (const Ask* ask = container.first_ask(Vendor::nvidia))
      context.error(ask->node, "{}: an init container asks for {}, which Autopilot does not support", container.label(), ask->resource).in(container);
}

void check_tolerations(const PodTemplate& pod, Context& context) {
  if (pod.asks_for_device() || pod.asks_by_annotation()) return;
  for (const Toleration& toleration : pod.tolerations)
    if (toleration.key.value_or("") == "nvidia.com/gpu" && toleration.operation.value_or("") == "Exists")
      context.error(toleration.node, "the pod tolerates nvidia.com/gpu with Exists and asks for no GPU, which Autopilot refuses");
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (!is_whole(pod) || !is_first_container(container, pod)) return;
  context.enter(nullptr);
  check_selector(pod, context);
  check_init_containers(pod, context);
  check_tolerations(pod, context);
}

constexpr std::string_view kSources[] = {
    "GKE Autopilot: deploy GPU workloads",
    "GoogleCloudPlatform/ai-on-gke#983",
    "GoogleCloudPlatform/k8s-stackdriver#1079",
    "ray-project/kuberay#1349",
};

}  // namespace

extern constinit const Rule autopilot_rejects_pod{
    .id = "autopilot-rejects-pod",
    .group = Group::scheduling,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "GKE Autopilot refuses the pod: no accelerator is chosen, an init container asks for a GPU, or a pod without one tolerates GPU nodes.",
    .rationale =
        "Autopilot makes the node for the pod, and its admission refuses what it cannot make one for: a GPU without a model, a GPU in an init container, "
        "and a CPU pod that asks to run on GPU nodes. A Deployment is accepted all the same, and none of its pods are created.",
    .remediation =
        "Select `cloud.google.com/gke-accelerator` (or a compute class) in each pod that asks for a GPU, move GPU work out of init containers, and remove "
        "the `nvidia.com/gpu` toleration from pods without one: GKE adds it where it is needed.",
    .details =
        "Only with the cluster gke-autopilot; GKE Standard accepts all three.\n\n"
        "Error: an NVIDIA GPU and neither a required selector on `cloud.google.com/gke-accelerator` or `cloud.google.com/compute-class` nor KServe's "
        "`…/gke-accelerator` annotation; warning beside a Kueue queue label, as the flavor of the queue may add the selector. Error: a toleration of "
        "`nvidia.com/gpu` with operator Exists on a pod that asks for no device. Error: a GPU in an init container.\n\n"
        "Patches (containers without an image), chart values and serving or training runtimes are not judged.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.is_autopilot(); },
    .check = on_container<check>,
};

}  // namespace gpulint::checks
