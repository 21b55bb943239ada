#include "rules/document/document.h"
#include "rules/engine/context.h"
#include "rules/kube/embedded_text.h"

namespace gpulint::checks {
namespace {

/// Not for a request without a value, which does not say how many were meant, nor inside a string, where no edit reaches, nor where the
/// entry stands in a mapping of its own (the `custom` resources of a DynamoGraphDeployment).
void offer_fix(FindingBuilder finding, const Container& container, const ResourceEntry& request, const Context& context) {
  const Resources& resources = container.resources;
  if (request.node->is_null() || &place_of(*request.node) != request.node || request.node->parent != resources.requests_node) return;
  const std::string_view key = request.node->key;  // the resource's name, or what the kind calls it
  const std::string value = to_json(*request.node);
  const JsonPointer limits = context.pointer(*resources.node).append(resources.limits_key);
  const bool has_limits = resources.limits_node && resources.limits_node->is_mapping();
  PatchOp op = has_limits ? add_op(limits.append(key), value) : add_op(limits, fmt::format("{{{}:{}}}", json_string(key), value));
  finding.fix(Safety::safe, fmt::format("Add {} \"{}\": {}", resources.limits_key, key, value), {std::move(op)});
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const Node* limits = container.resources.limits_node;
  if (limits && !limits->is_mapping() && !limits->is_null()) return;  // a placeholder, or a wrong type: nothing is known about the limits
  for (const ResourceEntry& request : container.resources.requests) {
    if (!is_extended_resource(request.name) || container.resources.limit(request.name)) continue;
    const std::string value = request.node->is_null() ? "empty" : to_json(*request.node);
    offer_fix(context.error(request.node, "{}: the request for {} ({}) has no limit", container.label(), request.name, value), container, request,
              context);
  }
}

constexpr std::string_view kSources[] = {
    "Container.resources (core/v1): extended resources cannot be overcommitted",
    "Kubernetes documentation: Schedule GPUs; Extended resources",
    "kubernetes-sigs/kueue sample-leaderworkerset-tas.yaml",
    "star-whale/starwhale#1253",
};

}  // namespace

extern constinit const Rule gpu_request_without_limit{
    .id = "gpu-request-without-limit",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A container requests an extended resource, such as a GPU, without a limit for it.",
    .rationale =
        "Extended resources cannot be overcommitted, so the API server demands a limit and refuses the object: \"Limit must be set for non "
        "overcommitable resources\". Custom resources and chart values are not checked by the API server; there the mistake shows up only "
        "later, when an operator tries to create the pods and cannot.",
    .remediation = "Move the resource to limits, or add a limit of the same value. The request may then be left out: it is copied from the limit.",
    .details =
        "Judged are all extended resources, whoever the vendor is, in every container (init containers too), in custom resources and in chart "
        "values. A request of 0, or without a value, needs its limit as well.\n\n"
        "A limit without a request is the normal form and no finding.\n\n"
        "At admission, built-in kinds with this mistake are refused before validating webhooks run; a mutating webhook sees and repairs them.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
