// From nodes to Field<T>, containers and pod templates: how every part of this folder reads a manifest's values.
#pragma once
#include <string_view>

#include "rules/kube/accelerators.h"
#include "rules/kube/container.h"
#include "rules/kube/field.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

/// The member `key` of `parent` as a field; absent fields stand at `parent`. Null and wrong types as Field says; a text that holds a
/// placeholder is unknown.
Field<std::string_view> text_field(const Node& parent, std::string_view key);
Field<bool> bool_field(const Node& parent, std::string_view key);
Field<std::int64_t> integer_field(const Node& parent, std::string_view key);
Field<Quantity> quantity_field(const Node& parent, std::string_view key);
/// As text_field; integers count as well (maxSurge: 1 or "25%").
Field<std::string_view> integer_or_text_field(const Node& parent, std::string_view key);

/// The text of a scalar of any kind, or empty.
inline std::string_view text_of(const Node* node) { return node && node->is_scalar() ? node->text : std::string_view(); }
/// The node where it is a mapping (sequence), else null.
inline const Node* mapping_of(const Node* node) { return node && node->is_mapping() ? node : nullptr; }
inline const Node* sequence_of(const Node* node) { return node && node->is_sequence() ? node : nullptr; }

/// One quantity of limits or requests.
ResourceEntry resource_entry(std::string_view name, const Node& node);
/// The `resources` mapping of a container.
Resources decode_resources(const Node* resources);
/// Fills Container::asks from its resources: each accelerator device once, limits first.
void collect_asks(Container& container, const AcceleratorTable& accelerators);

Container decode_container(const Node& node, ContainerRole role, const AcceleratorTable& accelerators);
/// Parts of it, for asks that keep them elsewhere.
void decode_environment(const Node* list_or_map, Container& container);
void decode_container_security(const Node* security_context, Container& container);

/// The parts of a pod spec that are no containers. May be called for several mappings: what one has is not overwritten by the next.
void decode_pod_fields(const Node& spec, PodTemplate& pod);
void decode_node_selector(const Node* selector, PodTemplate& pod);
void decode_pod_security(const Node* security_context, PodTemplate& pod);
/// A whole pod spec with its containers; `infrastructure` is decided.
PodTemplate decode_pod(const Node& spec, const AcceleratorTable& accelerators);
/// Labels and annotations of the template's metadata (null: none); by its label `app` an operator's validator is infrastructure too.
void set_metadata(PodTemplate& pod, const Node* metadata);
/// Replicas and, where `with_strategy`, the update strategy of the owner.
void set_owner(PodTemplate& pod, const Node* owner, std::string_view replicas_key, bool with_strategy);
/// Decides PodTemplate::infrastructure: by images, host paths that only device plugins and drivers mount, and gpu.deploy selectors.
bool is_infrastructure(const PodTemplate& pod, const AcceleratorTable& accelerators);

}  // namespace gpulint
