#include "rules/kube/pod_shape.h"

#include "rules/kube/object_view.h"

namespace gpulint {

bool completed_elsewhere(const PodTemplate& pod) {
  return pod.is_incomplete() || pod.object->kind.ends_with("Runtime") || pod.object->kind.ends_with("Config");
}

bool is_first_container(const Container& container, const PodTemplate& pod) {
  const Container* first = nullptr;
  pod.for_each_container([&](const Container& each) { first = first ? first : &each; });
  return &container == first;
}

}  // namespace gpulint
