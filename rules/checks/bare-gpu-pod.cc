#include "rules/engine/context.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

/// Whether something else makes the pod anew: an owner, or a kubelet that reads it from a file of the node.
bool has_owner(const ObjectView& object) {
  const Node* owners = object.root->at("metadata", "ownerReferences");
  const bool is_static = object.annotations && object.annotations->find("kubernetes.io/config.source");
  return (owners && owners->size > 0) || is_static;
}

/// restartPolicy Always, which is the default: a pod that ends is started again, so it is meant to stay.
bool is_long_running(const PodTemplate& pod) {
  const Node* policy = pod.spec->find("restartPolicy");
  return !policy || policy->is_null() || policy->text == "Always";
}

void check(const PodTemplate& pod, Context& context) {
  if (!pod.object->is("", "Pod") || pod.infrastructure || has_owner(*pod.object) || !is_long_running(pod)) return;
  if (!pod.asks_for_device() && !pod.asks_by_annotation()) return;
  context.info(pod.spec, "the pod {} has no controller: once its node fails or a device cannot be allotted, nothing starts it again", pod.object->name);
}

constexpr std::string_view kSources[] = {
    "Pod (core/v1): metadata.ownerReferences, spec.restartPolicy",
    "kubernetes/kubernetes#125579",
    "NVIDIA/k8s-device-plugin#231",
};

}  // namespace

extern constinit const Rule bare_gpu_pod{
    .id = "bare-gpu-pod",
    .group = Group::scheduling,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "A long-running GPU pod has no controller.",
    .rationale =
        "A kubelet that cannot allot the devices fails the pod for good (UnexpectedAdmissionError), and so does the loss of its node; restartPolicy acts "
        "only inside a pod that was admitted. Without a controller nobody makes a new one.",
    .remediation = "Use a Deployment or StatefulSet for what is to stay, and a Job for what is to end.",
    .details =
        "Info: a Pod that asks for a GPU, has no owner and restarts always. Pods with restartPolicy Never or OnFailure are single runs; static pods are "
        "kept by their kubelet. Device plugins, exporters and the like are exempt.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
