#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kClass = "nvidia";

/// The pod's first NVIDIA device that a runtime handler has to bring in; a virtual machine gets its device passed through without one.
PodTemplate::Asked nvidia_device(const PodTemplate& pod) {
  PodTemplate::Asked asked;
  pod.for_each_container([&](const Container& container) {
    for (const Ask& ask : container.asks) {
      const bool counts = ask.accelerator.vendor == Vendor::nvidia && ask.accelerator.role != ResourceRole::passthrough && ask.positive();
      if (counts && !asked) asked = {&container, &ask};
    }
  });
  return asked;
}

/// A built-in kind cannot do without an image: without one the text is a patch of an object that may name its class elsewhere.
bool is_patch(const PodTemplate& pod, const Container& container) { return pod.object->built_in && !pod.partial && container.image.absent(); }

bool names_class(const PodTemplate& pod) {
  const bool empty = pod.runtime_class.null() || (pod.runtime_class.known() && pod.runtime_class.value.empty());
  return pod.runtime_class.present() && !empty;
}

/// A class under a container is moved to the pod by misplaced-pod-field; adding another one would be in its way.
bool is_misplaced(const PodTemplate& pod) {
  bool found = false;
  pod.for_each_container([&](const Container& container) { found = found || container.node->find("runtimeClassName"); });
  return found;
}

void report_missing(const PodTemplate& pod, const PodTemplate::Asked& asked, Context& context) {
  FindingBuilder finding = context.error(pod.spec, "{} asks for {}, but the pod names no runtimeClassName; on {} the GPU comes only with one",
                                         asked.container->label(), asked.ask->resource, context.cluster.preset().name);
  if (pod.partial || is_misplaced(pod)) return;
  const Safety safety = context.cluster.ships_runtime_class(kClass) ? Safety::safe : Safety::unsafe;
  finding.fix(safety, fmt::format("Add runtimeClassName: {}", kClass),
              {add_op(context.pointer(*pod.spec).append("runtimeClassName"), json_string(kClass))});
}

/// Runs on containers because partial templates (an Argo podSpecPatch) count too; reports once a pod.
void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.values || !pod.can_have_runtime_class || names_class(pod)) return;
  const PodTemplate::Asked asked = nvidia_device(pod);
  if (asked.container != &container || is_patch(pod, container)) return;
  switch (context.cluster.needs_runtime_class()) {
    case Answer::yes:
      report_missing(pod, asked, context);
      break;
    case Answer::unknown:
      context.undecided();
      context
          .info(pod.spec, "{} asks for {}, but the pod names no runtimeClassName; whether it needs one depends on the cluster", container.label(),
                asked.ask->resource);
      break;
    case Answer::no:
      break;
  }
}

constexpr std::string_view kSources[] = {
    "PodSpec.runtimeClassName (core/v1)",
    "k3s documentation: NVIDIA Container Runtime",
    "k3s-io/k3s#9702",
    "NVIDIA GPU Operator documentation: Container Device Interface",
    "aws-samples/aws-do-eks#96",
    "NVIDIA/gpu-operator#236",
};

}  // namespace

extern constinit const Rule missing_runtime_class{
    .id = "missing-runtime-class",
    .group = Group::runtime,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A pod asks for an NVIDIA GPU without a runtimeClassName on a cluster where the GPU comes only with one.",
    .rationale =
        "Where nvidia is not the default runtime handler and devices are not injected by CDI, only the runtime class brings devices and driver "
        "libraries into the container. Without it the pod starts, holds its GPU, and finds no driver (\"could not load NVML library\").",
    .remediation = "Set `runtimeClassName: nvidia` in the pod spec. Where the cluster has no such RuntimeClass yet, create it first.",
    .details =
        "Error: k3s, and containerd with an nvidia handler that is not the default.\n\n"
        "Info: `generic`, where nothing is known of the cluster; the summary counts the object as undecided. Name the cluster with `--cluster` or "
        "in the configuration.\n\n"
        "No finding on GKE, EKS, AKS, OpenShift, the GPU operator and Docker, or with KAI, HAMi or DRA: there nvidia is the default handler, "
        "devices are injected otherwise, or a webhook sets the class. Adding one where the RuntimeClass does not exist breaks the pod.\n\n"
        "Any other class (kata, gvisor) is taken as chosen on purpose. Silent in chart values, in patches, and where the object has no place for "
        "a class; in an Argo template the class would stand in podSpecPatch.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.needs_runtime_class() != Answer::no; },
    .shows_presets = true,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
