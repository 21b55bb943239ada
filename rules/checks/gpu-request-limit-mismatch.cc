#include "rules/document/document.h"
#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

/// The number the API server stores: no value is 0. Nothing where it cannot be known or is no quantity.
std::optional<Quantity> stored(const ResourceEntry& entry) {
  if (entry.quantity.null()) return Quantity();
  if (entry.quantity.known()) return entry.quantity.value;
  return std::nullopt;
}

std::string written(const ResourceEntry& entry) {
  return entry.node->is_null() ? "empty (0)" : to_json(*entry.node);
}

void check(const Container& container, const PodTemplate&, Context& context) {
  for (const ResourceEntry& request : container.resources.requests) {
    const ResourceEntry* limit = container.resources.limit(request.name);
    if (!limit || !is_extended_resource(request.name)) continue;
    const std::optional<Quantity> requested = stored(request), limited = stored(*limit);
    if (!requested || !limited || *requested == *limited) continue;
    context
        .error(request.node, "{}: the request for {} is {} and its limit is {}; they must be equal", container.label(), request.name,
               written(request), written(*limit));
  }
}

constexpr std::string_view kSources[] = {
    "Container.resources (core/v1): request and limit of an extended resource must be equal",
    "Kubernetes documentation: Schedule GPUs",
    "volcano-sh/kthena#576",
};

}  // namespace

extern constinit const Rule gpu_request_limit_mismatch{
    .id = "gpu-request-limit-mismatch",
    .group = Group::resources,
    .severity = Severity::error,
    .summary = "Request and limit of an extended resource, such as a GPU, differ.",
    .rationale =
        "A whole device is allotted or it is not: the API server refuses an extended resource whose request differs from its limit (\"must be "
        "equal to nvidia.com/gpu limit of 2\"). Custom resources are accepted, and their pods cannot be created.",
    .remediation = "Set both to the same value, or remove the request: it is copied from the limit.",
    .details =
        "Both are compared as quantities: `1000m`, `\"1\"` and `1.0` are 1, `4k` is 4000. A quantity without a value is 0, as the API server "
        "stores it. Placeholders, and texts that are no quantity, are not compared.\n\n"
        "There is no automatic fix: which of the two numbers was meant cannot be known.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
