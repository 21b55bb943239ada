#include "rules/cluster/shared_gpu.h"
#include "rules/engine/context.h"
#include "rules/kube/scheduled_pod.h"

namespace gpulint::checks {
namespace {

void check(const PodTemplate& pod, Context& context) {
  if (!pod.node_name.known() || pod.node_name.value.empty()) return;
  if (!pod.asks_for_device() && !pod.asks_by_annotation()) return;
  if (was_scheduled(*pod.object)) return;
  bool shared = false;  // vgpu-modifier-conflict says more about these: their scheduler cannot be left out at all
  pod.for_each_container([&](const Container& container) { shared = shared || shared_gpu_entry(container, pod, context.cluster); });
  if (shared) return;
  context.warning(pod.node_name.node, "nodeName {} skips the scheduler: if that node has no free GPU, the kubelet fails the pod instead of letting it wait",
                  pod.node_name.value);
}

constexpr std::string_view kSources[] = {
    "PodSpec.nodeName (core/v1)",
    "Project-HAMi/HAMi#71",
    "kubernetes/kubernetes#125579",
};

}  // namespace

extern constinit const Rule node_name_bypasses_scheduler{
    .id = "node-name-bypasses-scheduler",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A GPU pod is bound to its node by nodeName.",
    .rationale =
        "A pod with nodeName is never scheduled: nobody counts the GPUs that are free on the node, looks at taints or asks the schedulers that share "
        "GPUs. Where none is left the kubelet refuses the pod for good (OutOfnvidia.com/gpu, UnexpectedAdmissionError), and its controller makes the next.",
    .remediation = "Select the node by `nodeSelector: {kubernetes.io/hostname: ...}`, or better by what the nodes have in common.",
    .details =
        "Warning: nodeName is set in a pod template that asks for a GPU. Pods that were read from a cluster (with a status or an owner) have it from "
        "their scheduler and are no finding.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
