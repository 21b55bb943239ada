// GPU asks of kinds that have no pod template of their own: they become partial templates.
#pragma once
#include <memory>
#include <vector>

#include "rules/kube/accelerators.h"
#include "rules/kube/embedded_text.h"
#include "rules/kube/object_view.h"

namespace gpulint {

/// The YAML in strings that asks of this kind may stand in (podSpecPatch, chart values as text).
std::vector<std::shared_ptr<const EmbeddedText>> embedded_texts(const ObjectView& object);

/// Appends the partial templates of the object. True when the kind is known so well that nothing is left to be found by its shape.
bool add_asks(const ObjectView& object, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates);

/// Marks containers that ask in a way of their kind that is neither a resource nor a claim of their own.
void mark_other_asks(const ObjectView& object, std::vector<PodTemplate>& templates);

/// One reader of a place that the table in asks.cc names; `chosen` as in node_path.h.
struct AskPlace {
  const ObjectView& object;
  const Node& node;
  const AcceleratorTable& accelerators;
  std::vector<PodTemplate>& templates;
};
void read_kserve_component(const AskPlace& place);
void read_kserve_component_without_class(const AskPlace& place);
void read_nim_service(const AskPlace& place);
void read_dynamo_service(const AskPlace& place);
void read_spark_pod(const AskPlace& place);
void read_trainer(const AskPlace& place);
void read_llmkube_service(const AskPlace& place);
void read_llmkube_model(const AskPlace& place);
void read_argo_template(const AskPlace& place);
void read_values(const AskPlace& place);
void read_values_text(const AskPlace& place);
void read_helm_source(const AskPlace& place);

/// The embedded YAML of a string node, or null.
const Node* embedded_root(const ObjectView& object, const Node* string);

}  // namespace gpulint
