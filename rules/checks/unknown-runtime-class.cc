#include "rules/engine/context.h"
#include "rules/kube/pod_shape.h"

namespace gpulint::checks {
namespace {

/// Runs on containers because pods of predictors count too; reports once a pod.
void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.values || !is_first_container(container, pod)) return;
  const Field<std::string_view>& name = pod.runtime_class;
  if (!name.known() || !name.value.starts_with("nvidia") || context.cluster.ships_runtime_class(name.value)) return;
  context.enter(nullptr);
  context.warning(name.node, "the pod names runtimeClassName {}, which {} does not have: without that RuntimeClass no pod is created", name.value,
                  context.cluster.preset().name);
}

constexpr std::string_view kSources[] = {
    "PodSpec.runtimeClassName (core/v1); the RuntimeClass admission plugin acts on pods only",
    "NVIDIA GPU Operator documentation: NRI plugin",
    "LMCache/LMCache#5056",
    "sgl-project/sglang#5515",
    "aws-samples/aws-do-eks#96",
    "truenas/middleware#11178",
};

}  // namespace

extern constinit const Rule unknown_runtime_class{
    .id = "unknown-runtime-class",
    .group = Group::runtime,
    .severity = Severity::warning,
    .summary = "A pod names an NVIDIA runtime class that the cluster does not have.",
    .rationale =
        "A pod that names a RuntimeClass that is not there is refused (\"pod rejected: RuntimeClass \"nvidia\" not found\"). The check acts on pods "
        "only: the Deployment or Job is accepted without a word, and its controller fails to create pods over and over.",
    .remediation =
        "Remove `runtimeClassName`: on these clusters GPUs come without one. Where somebody has created the class on purpose, allow this finding.",
    .details =
        "Warning on gke, gke-autopilot, eks, aks, gpu-operator-nri and docker, which have no NVIDIA class of their own. The GPU operator with its NRI "
        "plugin deletes those that it had; cri-dockerd knows no handlers at all.\n\n"
        "Other classes (gvisor, kata) are not judged. Silent in chart values.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.preset().has_only_those_classes == Answer::yes; },
    .check = on_container<check>,
};

}  // namespace gpulint::checks
