// ObjectView: one Kubernetes object (or chart values file) in a document, and the pod templates and GPU asks in it.
// Lists are flattened; the kinds table dispatches on API group and kind; kinds it does not know are searched by structure.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/kube/accelerators.h"
#include "rules/kube/embedded_text.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

enum class ObjectForm : std::uint8_t {
  object,  ///< has apiVersion and kind
  values,  ///< chart values: no apiVersion and kind, and an accelerator in a place values have (rules.md "A values file")
  other,   ///< neither: fragments, patches, CI files, CDI specifications. Searched for nothing
};

struct ObjectView {
  const Node* root = nullptr;           ///< the object's mapping
  const Node* document_root = nullptr;  ///< pointers start here (differs for items of a List)
  ObjectForm form = ObjectForm::other;
  std::string_view api_version, group, version, kind, name, name_space;  ///< group is "" for core
  const Node* annotations = nullptr;    ///< metadata.annotations
  const Node* labels = nullptr;
  bool built_in = false;                ///< a kind of the API server itself (core, apps, batch, policy ...): wrong types are invalid-manifest there
  std::vector<std::shared_ptr<const EmbeddedText>> embedded;  ///< YAML in strings of this object that pod templates were read from
  bool is(std::string_view wanted_group, std::string_view wanted_kind) const { return group == wanted_group && kind == wanted_kind; }
};

/// The objects of a parsed document, Lists flattened (nested too), in document order. Pattern kinds (kyverno.io, gatekeeper) are left in,
/// but pod_templates gives none for them.
std::vector<ObjectView> objects_in(const Document& document, const AcceleratorTable& accelerators);

/// Every pod template and GPU ask of the object, in document order. The ObjectView must outlive them.
std::vector<PodTemplate> pod_templates(const ObjectView& object, const AcceleratorTable& accelerators);

/// (container, accelerator resource) pairs of all templates, for the summary.
std::size_t count_gpu_requests(const std::vector<PodTemplate>& templates);

/// Fields whose value has a type the API would refuse (Field state invalid), for invalid-manifest on built-in kinds.
struct WrongType { const Node* node = nullptr; std::string_view expected; };
std::vector<WrongType> wrong_types(const ObjectView& object, const std::vector<PodTemplate>& templates);

}  // namespace gpulint
