#include "rules/document/document.h"
#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

/// What is wrong with the quantity; empty when it is fine or cannot be known.
std::string_view fault(const ResourceEntry& entry) {
  if (entry.quantity.invalid()) return "which is no quantity";
  if (!entry.quantity.known()) return {};
  if (entry.quantity.value.is_negative()) return "which is negative";
  if (!entry.quantity.value.is_integer()) return "which is no whole number";
  return {};
}

bool report(const ResourceEntry& entry, std::string_view where, const Container& container, Context& context) {
  const std::string_view wrong = fault(entry);
  if (wrong.empty() || !is_extended_resource(entry.name)) return false;
  context.error(entry.node, "{}: the {} for {} is {}, {}", container.label(), where, entry.name, to_json(*entry.node), wrong);
  return true;
}

void check(const Container& container, const PodTemplate&, Context& context) {
  for (const ResourceEntry& limit : container.resources.limits) report(limit, "limit", container, context);
  for (const ResourceEntry& request : container.resources.requests) {
    // Once a resource: the API server copies a Pod's limit to its request, so the same fault may stand in both.
    const ResourceEntry* limit = container.resources.limit(request.name);
    if (!limit || fault(*limit).empty()) report(request, "request", container, context);
  }
}

constexpr std::string_view kSources[] = {
    "resource.Quantity (API machinery); Container.resources (core/v1): extended resources are integers",
    "Kubernetes documentation: Extended resources",
};

}  // namespace

extern constinit const Rule gpu_quantity_not_integer{
    .id = "gpu-quantity-not-integer",
    .group = Group::resources,
    .severity = Severity::error,
    .summary = "The quantity of an extended resource, such as a GPU, is a fraction, negative, or no quantity at all.",
    .rationale =
        "Extended resources are counted in whole devices. The API server refuses `0.5` and `\"500m\"` (\"must be an integer\"), negative numbers, "
        "and texts that are no quantity; custom resources are accepted, and their pods cannot be created.",
    .remediation =
        "Ask for whole devices. To share one, use what the cluster offers for it: a time-sliced or MPS resource (nvidia.com/gpu.shared), a MIG "
        "profile, a fraction annotation of the scheduler, or a DRA claim.",
    .details =
        "Quantities are read as the API server reads them: `1.0`, `1000m`, `1e0` and `4k` are whole numbers, and blanks around a number do not "
        "matter. A quantity without a value is 0 and belongs to zero-gpu-limit. A placeholder belongs to unresolved-placeholder.\n\n"
        "Some clouds accept fractions through a webhook of their own (Huawei CCE: 0 to 0.99); switch the rule off there.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
