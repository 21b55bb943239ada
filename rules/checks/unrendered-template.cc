#include "rules/engine/rule.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kSources[] = {
    "Helm documentation: helm template",
    "vllm-project/production-stack helm/templates/deployment-vllm-multi.yaml",
};

}  // namespace

/// Raised by the engine: of documents whose template actions YAML cannot read, or reads as a mapping.
extern constinit const Rule unrendered_template{
    .id = "unrendered-template",
    .group = Group::input,
    .severity = Severity::info,
    .summary = "A document is a template that has not been rendered, and was not judged.",
    .rationale =
        "Template actions such as `{{ .Values.gpus }}` are no YAML, or are read as a mapping that nobody meant. What will be deployed is known "
        "only after rendering.",
    .remediation =
        "Judge the rendered text: `helm template . | gpulint lint -`, or give the chart's folder, which is rendered where helm is installed.",
    .details =
        "Template text inside a longer value of a document that reads well (`--model-name={{.Name}}` in a ServingRuntime, parameters of Argo "
        "workflows) is only an unknown value; the rest of such a document is judged.",
    .sources = kSources,
};

}  // namespace gpulint::checks
