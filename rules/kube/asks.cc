#include "rules/kube/asks.h"

#include "rules/kube/decode.h"
#include "rules/kube/node_path.h"
#include "rules/kube/values.h"

namespace gpulint {
namespace {

struct AskRow {
  std::string_view group, kind, path;
  void (*read)(const AskPlace& place);
  bool complete;  ///< nothing is left to be found by its shape
};

constexpr AskRow kRows[] = {
    {"serving.kserve.io", "InferenceService", "spec.predictor", read_kserve_component, false},
    {"serving.kserve.io", "InferenceService", "spec.transformer", read_kserve_component, false},
    {"serving.kserve.io", "InferenceService", "spec.explainer", read_kserve_component, false},
    {"serving.kserve.io", "InferenceService", "spec.default.*", read_kserve_component_without_class, false},
    {"serving.kserve.io", "InferenceService", "spec.canary.*", read_kserve_component_without_class, false},
    {"serving.kubeflow.org", "InferenceService", "spec.default.*", read_kserve_component_without_class, false},
    {"serving.kubeflow.org", "InferenceService", "spec.canary.*", read_kserve_component_without_class, false},
    {"serving.kubeflow.org", "KFService", "spec.default", read_kserve_component_without_class, false},
    {"serving.kubeflow.org", "KFService", "spec.canary", read_kserve_component_without_class, false},
    {"apps.nvidia.com", "NIMService", "spec", read_nim_service, true},
    {"apps.nvidia.com", "NIMPipeline", "spec.services[*].spec", read_nim_service, true},
    {"apps.nvidia.com", "NemoCustomizer", "spec", read_nim_service, false},
    {"nvidia.com", "DynamoGraphDeployment", "spec.services.*", read_dynamo_service, true},
    {"nvidia.com", "DynamoComponentDeployment", "spec", read_dynamo_service, true},
    {"sparkoperator.k8s.io", "SparkApplication", "spec.driver", read_spark_pod, true},
    {"sparkoperator.k8s.io", "SparkApplication", "spec.executor", read_spark_pod, true},
    {"sparkoperator.k8s.io", "ScheduledSparkApplication", "spec.template.driver", read_spark_pod, true},
    {"sparkoperator.k8s.io", "ScheduledSparkApplication", "spec.template.executor", read_spark_pod, true},
    {"trainer.kubeflow.org", "TrainJob", "spec.trainer", read_trainer, true},
    {"inference.llmkube.dev", "InferenceService", "spec", read_llmkube_service, false},
    {"inference.llmkube.dev", "Model", "spec.hardware.gpu", read_llmkube_model, false},
    {"argoproj.io", "Workflow", "spec.templates[*]", read_argo_template, true},
    {"argoproj.io", "WorkflowTemplate", "spec.templates[*]", read_argo_template, true},
    {"argoproj.io", "ClusterWorkflowTemplate", "spec.templates[*]", read_argo_template, true},
    {"argoproj.io", "CronWorkflow", "spec.workflowSpec.templates[*]", read_argo_template, true},
    {"argoproj.io", "Application", "spec.source.helm", read_helm_source, true},
    {"argoproj.io", "Application", "spec.sources[*].helm", read_helm_source, true},
    {"argoproj.io", "ApplicationSet", "spec.template.spec.source.helm", read_helm_source, true},
    {"argoproj.io", "ApplicationSet", "spec.template.spec.sources[*].helm", read_helm_source, true},
    {"helm.toolkit.fluxcd.io", "HelmRelease", "spec.values", read_values, true},
    {"helm.fluxcd.io", "HelmRelease", "spec.values", read_values, true},
    {"flux.weave.works", "HelmRelease", "spec.values", read_values, true},
    {"flux.weave.works", "FluxHelmRelease", "spec.values", read_values, true},
    {"helm.cattle.io", "HelmChart", "spec.valuesContent", read_values_text, true},
    {"helm.cattle.io", "HelmChartConfig", "spec.valuesContent", read_values_text, true},
};

struct TextRow {
  std::string_view group, kind, path;
};
constexpr TextRow kTexts[] = {
    {"argoproj.io", "Workflow", "spec.podSpecPatch"},
    {"argoproj.io", "Workflow", "spec.templates[*].podSpecPatch"},
    {"argoproj.io", "WorkflowTemplate", "spec.podSpecPatch"},
    {"argoproj.io", "WorkflowTemplate", "spec.templates[*].podSpecPatch"},
    {"argoproj.io", "ClusterWorkflowTemplate", "spec.podSpecPatch"},
    {"argoproj.io", "ClusterWorkflowTemplate", "spec.templates[*].podSpecPatch"},
    {"argoproj.io", "CronWorkflow", "spec.workflowSpec.podSpecPatch"},
    {"argoproj.io", "CronWorkflow", "spec.workflowSpec.templates[*].podSpecPatch"},
    {"argoproj.io", "Application", "spec.source.helm.values"},
    {"argoproj.io", "Application", "spec.sources[*].helm.values"},
    {"argoproj.io", "ApplicationSet", "spec.template.spec.source.helm.values"},
    {"argoproj.io", "ApplicationSet", "spec.template.spec.sources[*].helm.values"},
    {"helm.cattle.io", "HelmChart", "spec.valuesContent"},
    {"helm.cattle.io", "HelmChartConfig", "spec.valuesContent"},
};

}  // namespace

std::vector<std::shared_ptr<const EmbeddedText>> embedded_texts(const ObjectView& object) {
  std::vector<std::shared_ptr<const EmbeddedText>> texts;
  for (const TextRow& row : kTexts) {
    if (!object.is(row.group, row.kind)) continue;
    for_each_match(*object.root, row.path, [&](const Node& string, const Node*) {
      if (auto text = EmbeddedText::read(string)) texts.push_back(std::move(text));
    });
  }
  return texts;
}

const Node* embedded_root(const ObjectView& object, const Node* string) {
  for (const auto& text : object.embedded)
    if (&text->string() == string) return &text->root();
  return nullptr;
}

bool add_asks(const ObjectView& object, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates) {
  bool complete = false;
  for (const AskRow& row : kRows) {
    if (!object.is(row.group, row.kind)) continue;
    complete = complete || row.complete;
    for_each_match(*object.root, row.path, [&](const Node& node, const Node*) { row.read({object, node, accelerators, templates}); });
  }
  return complete;
}

void mark_other_asks(const ObjectView& object, std::vector<PodTemplate>& templates) {
  // KServe turns the annotation into a claim of the named container (main by default); the scheduler's pods have none.
  if (object.group == "serving.kserve.io" && object.annotations && object.annotations->find("serving.kserve.io/exp-dra-device-class")) {
    const std::string_view named = text_of(object.annotations->find("serving.kserve.io/exp-dra-container-name"));
    for (PodTemplate& pod : templates)
      for (Container& container : pod.containers)
        container.asks_by_claim = container.asks_by_claim || (pod.role != "scheduler" && container.name.value == (named.empty() ? "main" : named));
  }
  // The first MPIJob APIs take a number of GPUs for the whole job and spread it over the workers.
  if (object.is("kubeflow.org", "MPIJob") && (first_match(*object.root, "spec.gpus") || first_match(*object.root, "spec.processingUnits")))
    for (PodTemplate& pod : templates)
      if (!pod.containers.empty()) pod.containers.front().asks_by_claim = true;
}

void read_values(const AskPlace& place) { add_values_templates(place.node, place.accelerators, place.templates); }

void read_values_text(const AskPlace& place) {
  if (const Node* values = embedded_root(place.object, &place.node)) add_values_templates(*values, place.accelerators, place.templates);
}

void read_helm_source(const AskPlace& place) {
  if (const Node* values = place.node.find("values")) read_values_text({place.object, *values, place.accelerators, place.templates});
  if (const Node* values = mapping_of(place.node.find("valuesObject"))) add_values_templates(*values, place.accelerators, place.templates);
}

}  // namespace gpulint
