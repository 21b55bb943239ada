#include "rules/engine/context.h"
#include "rules/kube/model_server.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

constexpr std::int64_t kSeconds = 180;

/// Objects that another one completes may get the startup probe from it: LLMInferenceService from its configuration, Dynamo from the operator.
bool is_completed_elsewhere(const Container& container, const PodTemplate& pod) {
  return container.image.absent() || pod.object->is("serving.kserve.io", "LLMInferenceService") ||
         pod.object->is("serving.kserve.io", "LLMInferenceServiceConfig") || pod.object->is("nvidia.com", "DynamoGraphDeployment");
}

bool works_on_gpu(const Container& container, const PodTemplate& pod, const Context& context) {
  return pod.asks_for_device() || pod.asks_by_annotation() || context.accelerators.is_gpu_image(container.image.value_or(""));
}

void check_container(const Container& container, const PodTemplate& pod, Context& context) {
  if (is_completed_elsewhere(container, pod) || model_server(container) == ModelProgram::none || !works_on_gpu(container, pod, context)) return;
  const Probe startup = probe_of(container, "startupProbe");
  const Probe deciding = startup.node ? startup : probe_of(container, "livenessProbe");
  if (!deciding.node || !deciding.known || !deciding.asks_server || deciding.gives_up > kSeconds) return;
  context
      .warning(deciding.node, "{} is restarted when its model is not served {} s after the start: its {} gives up then{}", container.label(),
               deciding.gives_up, deciding.node->key, startup.node ? "" : ", and there is no startupProbe")
      .in(container);
}

void check(const PodTemplate& pod, Context& context) {
  if (pod.infrastructure) return;
  for (const auto* list : {&pod.init_containers, &pod.containers})
    for (const Container& container : *list) check_container(container, pod, context);
}

constexpr std::string_view kSources[] = {
    "Container.startupProbe, Container.livenessProbe, Probe (core/v1)",
    "kserve/kserve#5062",
    "volcano-sh/kthena#943",
};

}  // namespace

extern constinit const Rule probe_kills_model_load{
    .id = "probe-kills-model-load",
    .group = Group::command,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A model server's liveness or startup probe gives up before a model can be loaded.",
    .rationale =
        "vLLM, SGLang, Text Generation Inference, Triton and the like answer when the model is loaded, which takes minutes: download, weights onto the GPU, "
        "compilation. A probe that gives up earlier restarts the container, which begins from the start, for ever; on a fast disk all is well, on a new "
        "node it never starts.",
    .remediation =
        "Add a startupProbe that allows for the slowest load (`periodSeconds: 10` and `failureThreshold: 180` are half an hour); the liveness probe begins "
        "after it and may be as strict as before.",
    .details =
        "Warning: initialDelaySeconds + periodSeconds x failureThreshold is 180 s or less, of the startupProbe or, where there is none, of the "
        "livenessProbe. What is not written has the API's defaults (0, 10 and 3).\n\n"
        "The server is known by its program in command or args; by its image only where no command is given. Probes by exec count when the command "
        "sends a request, and not when it only looks for a process.\n\n"
        "No finding for chart values, patches, LLMInferenceService and DynamoGraphDeployment: the other probe may stand elsewhere.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
