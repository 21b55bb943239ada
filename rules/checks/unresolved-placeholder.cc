#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

void report(std::string_view resource, const Node* node, const Container& container, Context& context) {
  context.info(node, "{}: the quantity of {} is the placeholder {}; it is not judged", container.label(), resource, json_string(node->text));
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const Resources& resources = container.resources;
  for (const ResourceEntry& limit : resources.limits)
    if (limit.quantity.unknown() && context.accelerators.resource(limit.name)) report(limit.name, limit.node, container, context);
  for (const ResourceEntry& request : resources.requests) {
    const ResourceEntry* limit = resources.limit(request.name);
    if (limit && limit->quantity.unknown()) continue;  // once a resource
    if (request.quantity.unknown() && context.accelerators.resource(request.name)) report(request.name, request.node, container, context);
  }
}

constexpr std::string_view kSources[] = {
    "Container.resources (core/v1)",
    "aws-samples/awsome-distributed-training llama3_1_8b-fsdp.yaml",
};

}  // namespace

extern constinit const Rule unresolved_placeholder{
    .id = "unresolved-placeholder",
    .group = Group::resources,
    .severity = Severity::info,
    .summary = "The quantity of an accelerator is a placeholder that somebody fills in later.",
    .rationale =
        "What stands in the file is not what will be deployed, so nothing can be said about the number of devices: rules that need it stay "
        "silent. Should the placeholder never be filled in, the API server refuses the object.",
    .remediation = "Lint the rendered manifest: after envsubst, the template engine or the deployment tool has filled the value in.",
    .details =
        "Placeholders are `$X`, `${X:-1}`, `$(X)`, `{{ }}`, `<x>`, `{x}`, `__X__`, and a word in capitals where a number belongs. "
        "Unknown is not wrong: this is never more than an info.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
