#include "rules/kube/pod_template.h"

#include <algorithm>

#include "rules/kube/decode.h"

namespace gpulint {
namespace {

struct Sum {
  Quantity quantity;
  bool unknown = false;
};

/// What one container asks for: its request, which the API server takes from the limit where there is none.
Sum request_of(const Container& container, std::string_view resource) {
  const ResourceEntry* entry = container.resources.request(resource);
  if (!entry) entry = container.resources.limit(resource);
  if (!entry) return {};
  return {entry->quantity.value_or(Quantity()), entry->quantity.unknown()};
}

}  // namespace

PodTemplate::Asked PodTemplate::first_ask(Vendor vendor) const {
  Asked asked;
  for_each_container([&](const Container& container) {
    if (asked) return;
    if (const Ask* ask = container.first_ask(vendor)) asked = {&container, ask};
  });
  return asked;
}

bool PodTemplate::asks_for_device() const {
  bool asks = false;
  for_each_container([&](const Container& container) { asks = asks || container.asks_for_device(); });
  return asks;
}

bool PodTemplate::is_incomplete() const {
  return std::any_of(containers.begin(), containers.end(), [](const Container& container) { return container.image.absent(); });
}

bool PodTemplate::asks_by_annotation() const { return !annotation("gpu-fraction").empty() || !annotation("gpu-memory").empty(); }

std::string_view PodTemplate::annotation(std::string_view key) const { return annotations ? text_of(annotations->find(key)) : std::string_view(); }

EffectiveRequest effective_request(const PodTemplate& pod, std::string_view resource) {
  EffectiveRequest effective;
  Quantity sidecars, largest_init;
  const auto request = [&](const Container& container) {
    const Sum sum = request_of(container, resource);
    effective.unknown = effective.unknown || sum.unknown;
    return sum.quantity;
  };
  for (const Container& container : pod.init_containers) {
    const Quantity own = request(container);
    // A sidecar stays; a plain init container runs beside the sidecars started before it.
    if (container.role == ContainerRole::sidecar) sidecars = sidecars + own;
    largest_init = std::max(largest_init, container.role == ContainerRole::sidecar ? sidecars : sidecars + own);
  }
  effective.quantity = sidecars;
  for (const Container& container : pod.containers) effective.quantity = effective.quantity + request(container);
  effective.quantity = std::max(effective.quantity, largest_init);
  return effective;
}

}  // namespace gpulint
