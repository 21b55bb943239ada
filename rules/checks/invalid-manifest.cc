#include "rules/engine/rule.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kSources[] = {
    "YAML 1.1 as kubectl reads it",
    "Kubernetes API: strict decoding of built-in kinds",
    "kserve/kserve docs/samples/custom/torchserve/gpu.yaml",
};

}  // namespace

/// Raised by the engine: of documents the reader refuses, and of wrong types in built-in kinds.
extern constinit const Rule invalid_manifest{
    .id = "invalid-manifest",
    .group = Group::input,
    .severity = Severity::error,
    .summary = "A document cannot be read as YAML or JSON, or a field of a built-in kind has a wrong type.",
    .rationale =
        "kubectl, Helm and the API server refuse it, so nothing of it is deployed, and nothing in it could be judged: a clean result would "
        "say nothing.",
    .remediation = "Correct the text at the given place. The message says what was expected there.",
    .details =
        "The other documents of the same file are judged all the same.\n\n"
        "Wrong types, such as a list where `limits` must be a mapping, are reported for kinds of the API server itself only: a custom resource "
        "may mean something else by the same name. Template text is no mistake of this kind; see unrendered-template.\n\n"
        "Only documents that have a GPU word are read.",
    .sources = kSources,
};

}  // namespace gpulint::checks
