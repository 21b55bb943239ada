#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

bool is_above_zero(const Field<Quantity>& quantity) { return quantity.known() && Quantity() < quantity.value; }

/// The API server sets the default of a resource to its max where the item has none.
void check_item(const Node& item, Context& context) {
  if (text_of(item.find("type")) != "Container") return;
  const Node* defaults = mapping_of(item.find("default"));
  const auto check_entries = [&](const Node* entries, std::string_view how) {
    if (!entries) return;
    for (const Node& node : *entries) {
      const ResourceEntry entry = resource_entry(node.key, node);
      if (!is_extended_resource(entry.name) || !is_above_zero(entry.quantity) || (entries != defaults && defaults && defaults->find(entry.name))) continue;
      context.warning(&node, "{}: every container of the namespace that asks for no {}, sidecars included, is given {}", how, entry.name,
                      entry.quantity.value.text());
    }
  };
  check_entries(defaults, "default");
  check_entries(mapping_of(item.find("max")), "max without a default is the default");
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  const Node* limits = object.is("", "LimitRange") ? object.root->at("spec", "limits") : nullptr;
  if (!sequence_of(limits)) return;
  for (const Node& item : *limits) check_item(item, context);
}

constexpr std::string_view kSources[] = {
    "LimitRangeItem.default, .max (core/v1)",
    "Kubernetes: defaulting of LimitRange items, LimitRanger admission",
};

}  // namespace

extern constinit const Rule limitrange_injects_gpu{
    .id = "limitrange-injects-gpu",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A LimitRange gives a GPU to every container that does not ask for one.",
    .rationale =
        "The API server writes the default of a LimitRange into each container of the namespace without a limit of its own: log shippers, service mesh "
        "sidecars and init containers each take a GPU. A max without a default becomes the default, so a limit that was meant to cap requests hands them out.",
    .remediation =
        "Remove the resource from `default`. To cap requests, set `default: 0` and `defaultRequest: 0` beside `max`, or use a ResourceQuota.",
    .details =
        "Judged are items of type Container and all extended resources: a quantity above 0 in `default`, or in `max` where `default` does not hold the "
        "resource. `max` beside an explicit default of 0 is fine, and so are items of type Pod, which have no defaults.",
    .sources = kSources,
    .check = on_object<check>,
};

}  // namespace gpulint::checks
