#include "rules/kube/object_view.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "rules/kube/asks.h"
#include "rules/kube/decode.h"
#include "rules/kube/kinds.h"
#include "rules/kube/node_path.h"
#include "rules/kube/values.h"

namespace gpulint {
namespace {

/// What items of a typed list (PodList as the API returns it) leave out.
struct Inherited {
  std::string_view api_version, kind;
};

void describe(const Node& root, const Inherited& inherited, ObjectView& object) {
  object.api_version = text_of(root.find("apiVersion"));
  object.kind = text_of(root.find("kind"));
  if (object.api_version.empty() && object.kind.empty()) {
    object.api_version = inherited.api_version;
    object.kind = inherited.kind;
  }
  const std::size_t slash = object.api_version.find('/');
  object.group = slash == std::string_view::npos ? std::string_view() : object.api_version.substr(0, slash);
  object.version = slash == std::string_view::npos ? object.api_version : object.api_version.substr(slash + 1);
  if (const Node* metadata = mapping_of(root.find("metadata"))) {
    object.name = text_of(metadata->find("name"));
    if (object.name.empty()) object.name = text_of(metadata->find("generateName"));
    object.name_space = text_of(metadata->find("namespace"));
    object.annotations = mapping_of(metadata->find("annotations"));
    object.labels = mapping_of(metadata->find("labels"));
  }
}

/// `kind: List`, PodList, DeploymentList ...: anything that ends so and has its objects in `items`.
const Node* list_items(const ObjectView& object) { return object.kind.ends_with("List") ? sequence_of(object.root->find("items")) : nullptr; }

void add_objects(const Node& root, const Node& document_root, const Inherited& inherited, const AcceleratorTable& accelerators,
                 std::vector<ObjectView>& objects) {
  ObjectView object;
  object.root = &root;
  object.document_root = &document_root;
  if (!root.is_mapping()) {
    objects.push_back(std::move(object));
    return;
  }
  describe(root, inherited, object);
  if (!object.api_version.empty() && !object.kind.empty()) {
    if (const Node* items = list_items(object)) {
      const std::string_view element_kind = object.kind.substr(0, object.kind.size() - 4);
      for (const Node& item : *items) add_objects(item, document_root, {object.api_version, element_kind}, accelerators, objects);
      return;
    }
    object.form = ObjectForm::object;
    object.built_in = is_built_in_group(object.group);
    object.embedded = embedded_texts(object);
  } else if (is_values_file(root, accelerators)) {
    object.form = ObjectForm::values;
  }
  objects.push_back(std::move(object));
}

std::string role_of(const KindRow& row, const Node* chosen) {
  if (!row.role.empty() || !chosen) return std::string(row.role);
  if (!chosen->key.empty()) return std::string(chosen->key);
  for (std::string_view key : {"name", "groupName", "replicaType", "tfReplicaType"})
    if (const std::string_view name = text_of(chosen->find(key)); !name.empty()) return std::string(name);
  return std::string(chosen->parent ? chosen->parent->key : std::string_view());
}

const Node* above(const Node& node, int levels) {
  const Node* ancestor = &node;
  while (ancestor && levels-- > 0) ancestor = ancestor->parent;
  return ancestor;
}

/// A template's metadata stands beside its `spec`.
const Node* metadata_beside(const Node& spec) { return spec.parent && spec.key.ends_with("pec") ? spec.parent->find("metadata") : nullptr; }

void add_table_templates(const ObjectView& object, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates) {
  for (const KindRow* row : kind_rows(object.group, object.kind))
    for_each_match(*object.root, row->path, [&](const Node& spec, const Node* chosen) {
      if (!spec.is_mapping()) return;
      PodTemplate pod = decode_pod(spec, accelerators);
      pod.role = role_of(*row, chosen);
      pod.can_have_runtime_class = row->has_runtime_class;
      set_metadata(pod, metadata_beside(spec));
      if (row->owner_above >= 0) set_owner(pod, above(spec, row->owner_above), row->replicas_key, row->has_strategy);
      templates.push_back(std::move(pod));
    });
}

bool is_container_list(const Node* list) {
  return list && list->is_sequence() && list->size > 0 && std::all_of(list->begin(), list->end(), [](const Node& element) {
    return element.is_mapping() && (element.find("name") || element.find("image"));
  });
}

/// What the table does not know is found by its shape: a mapping whose `containers` is a list of containers is a pod spec.
void add_templates_by_shape(const ObjectView& object, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates) {
  std::unordered_set<const Node*> known;
  for (const PodTemplate& pod : templates) known.insert(pod.spec);
  for_each_node(*object.root, [&](const Node& node) {
    if (!node.is_mapping() || known.contains(&node) || !is_container_list(node.find("containers"))) return;
    PodTemplate pod = decode_pod(node, accelerators);
    set_metadata(pod, metadata_beside(node));
    if (node.key == "spec" && node.parent && node.parent->key == "template") set_owner(pod, node.parent->parent, "replicas", false);
    templates.push_back(std::move(pod));
  });
}

void sort_by_place(const ObjectView& object, std::vector<PodTemplate>& templates) {
  if (templates.size() < 2) return;
  std::unordered_map<const Node*, std::size_t> order;
  for_each_node(*object.root, [&](const Node& node) { order.emplace(&node, order.size()); });
  for (const auto& text : object.embedded) {
    const auto string = order.find(&text->string());
    const std::size_t place = string == order.end() ? 0 : string->second;
    for_each_node(text->root(), [&](const Node& node) { order.emplace(&node, place); });
  }
  std::stable_sort(templates.begin(), templates.end(), [&](const PodTemplate& a, const PodTemplate& b) { return order[a.spec] < order[b.spec]; });
}

}  // namespace

std::vector<ObjectView> objects_in(const Document& document, const AcceleratorTable& accelerators) {
  std::vector<ObjectView> objects;
  if (document.root) add_objects(*document.root, *document.root, {}, accelerators, objects);
  return objects;
}

std::vector<PodTemplate> pod_templates(const ObjectView& object, const AcceleratorTable& accelerators) {
  std::vector<PodTemplate> templates;
  if (object.form == ObjectForm::values) {
    add_values_templates(*object.root, accelerators, templates);
  } else if (object.form == ObjectForm::object && !is_no_workload(object.group, object.kind)) {
    add_table_templates(object, accelerators, templates);
    const bool complete = add_asks(object, accelerators, templates);
    if (!object.built_in && !complete) add_templates_by_shape(object, accelerators, templates);
    mark_other_asks(object, templates);
  }
  sort_by_place(object, templates);
  for (PodTemplate& pod : templates) pod.object = &object;
  return templates;
}

std::size_t count_gpu_requests(const std::vector<PodTemplate>& templates) {
  std::size_t count = 0;
  for (const PodTemplate& pod : templates)
    pod.for_each_container([&](const Container& container) {
      count += static_cast<std::size_t>(std::count_if(container.asks.begin(), container.asks.end(), [](const Ask& ask) { return ask.positive(); }));
    });
  return count;
}

}  // namespace gpulint
