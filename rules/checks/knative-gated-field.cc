#include "rules/engine/context.h"
#include "rules/kube/object_view.h"
#include "rules/kube/pod_shape.h"

namespace gpulint::checks {
namespace {

/// Who turns the template into a Knative revision; null where nobody does.
const char* goes_through_knative(const ObjectView& object) {
  if (object.is("serving.knative.dev", "Service") || object.is("serving.knative.dev", "Configuration")) return "the Knative Service";
  const bool kserve = object.is("serving.kserve.io", "InferenceService") || object.is("serving.kubeflow.org", "InferenceService");
  if (!kserve || object.root->at("spec", "predictor", "workerSpec")) return nullptr;  // several nodes: raw deployments only
  const Node* mode = object.annotations ? object.annotations->find("serving.kserve.io/deploymentMode") : nullptr;
  const bool serverless = !mode || mode->text == "Serverless" || mode->text == "Knative";
  return serverless ? "the InferenceService, which is not in raw deployment mode" : nullptr;
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (!is_first_container(container, pod) || !pod.asks_for_device()) return;
  const char* owner = goes_through_knative(*pod.object);
  if (!owner) return;
  struct Field { std::string_view key, flag; };
  constexpr Field kFields[] = {{"nodeSelector", "kubernetes.podspec-nodeselector"},
                               {"tolerations", "kubernetes.podspec-tolerations"},
                               {"affinity", "kubernetes.podspec-affinity"},
                               {"runtimeClassName", "kubernetes.podspec-runtimeclassname"}};
  for (const Field& field : kFields) {
    const Node* node = pod.spec->find(field.key);
    if (!node || (node->is_scalar() ? node->text.empty() : node->size == 0)) continue;
    context.info(node, "{} of {}: Knative refuses it unless {} is enabled in config-features", field.key, owner, field.flag);
  }
}

constexpr std::string_view kSources[] = {
    "Knative Serving: feature and extension flags, ConfigMap config-features",
    "KServe: annotation serving.kserve.io/deploymentMode",
};

}  // namespace

extern constinit const Rule knative_gated_field{
    .id = "knative-gated-field",
    .group = Group::scheduling,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "A GPU pod that runs through Knative sets a scheduling field that Knative only takes behind a feature flag.",
    .rationale =
        "Knative Serving takes part of the pod spec only. `nodeSelector`, `tolerations`, `affinity` and `runtimeClassName`, which GPU pods often need, are "
        "refused until their flags are enabled, and an InferenceService then stays without a revision.",
    .remediation = "Enable the flags in Knative's ConfigMap `config-features`, or run the InferenceService in raw deployment mode.",
    .details =
        "Info: one of the four fields in a Knative Service, or in a KServe InferenceService without `serving.kserve.io/deploymentMode: RawDeployment` (or "
        "`Standard`), that asks for a GPU. The flags, and KServe's default mode, are settings of the cluster. LLMInferenceService does not go through "
        "Knative, nor does a predictor with a workerSpec.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
