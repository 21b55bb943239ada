#include "rules/kube/ray_group.h"

#include "rules/kube/object_view.h"

namespace gpulint {
namespace {

/// Whether custom resources in rayStartParams, JSON in a string that is often quoted once more, hold a GPU: `"{\"GPU\": 1}"`.
bool json_declares_gpu(std::string_view json) {
  constexpr std::string_view kKey = "\"GPU";
  const auto key = json.find(kKey);
  if (key == std::string_view::npos) return false;
  const auto number = json.find_first_not_of("\\\": ", key + kKey.size());
  return number != std::string_view::npos && json[number] >= '1' && json[number] <= '9';
}

}  // namespace

const Node* gpus_declared_to_ray(const PodTemplate& pod) {
  const Node* group = pod.partial || !pod.spec->parent ? nullptr : pod.spec->parent->parent;
  if (!group || !(group->find("rayStartParams") || pod.object->group == "ray.io")) return nullptr;
  for (const Node* number : {group->at("rayStartParams", "num-gpus"), group->at("resources", "GPU")})
    if (const auto quantity = number ? Quantity::parse(number->text) : std::nullopt; quantity && !quantity->is_zero()) return number;
  const Node* json = group->at("rayStartParams", "resources");
  return json && json_declares_gpu(json->text) ? json : nullptr;
}

}  // namespace gpulint
