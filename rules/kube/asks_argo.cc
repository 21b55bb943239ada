// Argo Workflows: a template holds containers, not a pod spec; podSpecPatch changes the pod that comes of it.
#include <algorithm>

#include "rules/kube/asks.h"
#include "rules/kube/decode.h"

namespace gpulint {
namespace {

void add_list(const Node* list, ContainerRole role, std::vector<Container>& containers, const AcceleratorTable& accelerators) {
  if (!sequence_of(list)) return;
  for (const Node& element : *list)
    if (element.is_mapping()) containers.push_back(decode_container(element, role, accelerators));
}

/// The patch's container of that name gives its resources to the template's; Argo calls the main one "main".
void apply_patch(const Node& patch, PodTemplate& pod, const AcceleratorTable& accelerators) {
  decode_pod_fields(patch, pod);
  const Node* list = sequence_of(patch.find("containers"));
  if (!list) return;
  for (const Node& element : *list) {
    const Node* resources = mapping_of(element.find("resources"));
    if (!resources) continue;
    const auto target = std::find_if(pod.containers.begin(), pod.containers.end(), [&](const Container& container) {
      return container.name.value == text_of(element.find("name")) || (container.name.absent() && text_of(element.find("name")) == "main");
    });
    if (target == pod.containers.end()) continue;
    Resources patched = decode_resources(resources);
    const bool has_asks = !target->asks.empty();
    if (has_asks && patched.limits.empty() && patched.requests.empty()) continue;
    target->resources = std::move(patched);
    target->asks_by_claim = target->asks_by_claim || !target->resources.claims.empty();
    collect_asks(*target, accelerators);
  }
}

}  // namespace

void read_argo_template(const AskPlace& place) {
  const Node& node = place.node;
  if (!node.is_mapping()) return;
  PodTemplate pod;
  pod.spec = &node;
  pod.partial = true;
  pod.role = text_of(node.find("name"));
  pod.replicas.node = &node;
  set_metadata(pod, node.find("metadata"));
  for (std::string_view key : {"container", "script"})
    if (const Node* main = mapping_of(node.find(key))) {
      pod.containers.push_back(decode_container(*main, ContainerRole::main, place.accelerators));
      if (pod.containers.back().name.absent()) pod.containers.back().place = "the " + std::string(key) + " of template \"" + pod.role + "\"";
    }
  add_list(node.at("containerSet", "containers"), ContainerRole::main, pod.containers, place.accelerators);
  if (pod.containers.empty()) return;
  add_list(node.find("sidecars"), ContainerRole::main, pod.containers, place.accelerators);
  add_list(node.find("initContainers"), ContainerRole::init, pod.init_containers, place.accelerators);

  const Node* workflow = node.parent ? node.parent->parent : nullptr;
  for (const Node* level : {&node, workflow})
    if (const Node* patch = level ? embedded_root(place.object, level->find("podSpecPatch")) : nullptr) apply_patch(*patch, pod, place.accelerators);
  decode_pod_fields(node, pod);
  if (workflow) decode_pod_fields(*workflow, pod);
  pod.infrastructure = is_infrastructure(pod, place.accelerators);
  place.templates.push_back(std::move(pod));
}

}  // namespace gpulint
