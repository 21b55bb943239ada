#include <algorithm>
#include <iterator>
#include <set>

#include "rules/cluster/shared_gpu.h"
#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"
#include "rules/kube/scheduled_pod.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVolcanoDevice = "volcano.sh/vgpu-number";
constexpr std::string_view kUuids = "nvidia.com/use-gpuuuid";

const ResourceEntry* entry(const Container& container, std::string_view name) {
  const ResourceEntry* limit = container.resources.limit(name);
  return limit ? limit : container.resources.request(name);
}

/// The first resource of the container, limits before requests, that the predicate names.
template <class Predicate>
const ResourceEntry* first_entry(const Container& container, Predicate wanted) {
  for (const auto* list : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& candidate : *list)
      if (wanted(candidate.name)) return &candidate;
  return nullptr;
}

void check_volcano(const Container& container, Context& context) {
  const ResourceEntry* vgpu = first_entry(container, is_volcano_vgpu);
  const ResourceEntry* old = first_entry(container, is_volcano_sharing);
  if (vgpu && old) {
    context.warning(old->node, "{}: {} is of Volcano's older GPU sharing, {} of its vGPU plugin; a node offers one of them", container.label(), old->name,
                    vgpu->name);
  } else if (vgpu && !entry(container, kVolcanoDevice)) {
    context.error(vgpu->node, "{}: {} says how much of a virtual GPU, but no {} asks for one", container.label(), vgpu->name, kVolcanoDevice);
  }
}

void check_memory(const Container& container, Context& context) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {{"nvidia.com/gpumem", "nvidia.com/gpumem-percentage"},
                                                                      {"volcano.sh/vgpu-memory", "volcano.sh/vgpu-memory-percentage"}};
  for (const auto& [size, percentage] : kPairs) {
    const ResourceEntry *first = entry(container, size), *second = entry(container, percentage);
    if (!first || !second || first->quantity.value_or(Quantity()).is_zero() || second->quantity.value_or(Quantity()).is_zero()) continue;
    context.warning(second->node, "{}: {} ({}) and {} ({}) both say how much memory of the GPU it gets", container.label(), size, first->quantity.value.text(),
                    percentage, second->quantity.value.text());
  }
}

/// How many GPUs an annotation names; nothing where there is none or it is filled in later.
std::optional<std::size_t> named_gpus(const PodTemplate& pod) {
  std::string_view text = pod.annotation(kUuids);
  if (text.empty() || text.find_first_of("${<") != std::string_view::npos) return std::nullopt;
  std::set<std::string_view> uuids;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view uuid = text.substr(0, comma);
    while (uuid.starts_with(' ')) uuid.remove_prefix(1);
    while (uuid.ends_with(' ')) uuid.remove_suffix(1);
    if (!uuid.empty()) uuids.insert(uuid);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return uuids.size();
}

void check_hami(const Container& container, const PodTemplate& pod, Context& context) {
  const ResourceEntry* modifier = first_entry(container, is_hami_modifier);
  const ResourceEntry* device = first_entry(container, is_hami_device);
  if (modifier && !device) {
    // Beside a device privileged-gpu-container says it.
    if (container.privileged.value_or(false))
      context.error(container.privileged.node, "{} asks for {} and is privileged, which HAMi refuses", container.label(), modifier->name);
    context.info(modifier->node, "{}: {} without nvidia.com/gpu; HAMi adds its default number of GPUs", container.label(), modifier->name);
  }
  const std::optional<std::size_t> named = named_gpus(pod);
  if (named && device && device->quantity.known() && Quantity(static_cast<std::int64_t>(*named)) < device->quantity.value)
    context.error(device->node, "{}: asks for {} {}, each on another GPU, but {} names {}", container.label(), device->quantity.value.text(), device->name,
                  kUuids, *named);
}

/// Once a pod: for its first container that asks for a virtual GPU.
void check_node_name(const Container& container, const PodTemplate& pod, Context& context) {
  if (!pod.node_name.known() || pod.node_name.value.empty() || was_scheduled(*pod.object)) return;
  const bool hami = is_for_hami(pod, context.cluster);
  const Container* first = nullptr;
  pod.for_each_container([&](const Container& candidate) {
    if (!first && shared_gpu_entry(candidate, pod, context.cluster)) first = &candidate;
  });
  if (first != &container) return;
  context.error(pod.node_name.node, "{} asks for {}, but nodeName {} skips the scheduler that hands it out{}", container.label(),
                shared_gpu_entry(container, pod, context.cluster)->name, pod.node_name.value, hami ? "; HAMi refuses the pod" : "");
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  check_volcano(container, context);
  check_memory(container, context);
  if (is_for_hami(pod, context.cluster)) check_hami(container, pod, context);
  check_node_name(container, pod, context);
}

constexpr std::string_view kSources[] = {
    "HAMi documentation: resources and annotations of tasks; its admission webhook",
    "Volcano documentation: GPU sharing, vGPU",
    "Project-HAMi/HAMi#41",
    "Project-HAMi/HAMi#71",
    "Project-HAMi/HAMi#611",
    "Project-HAMi/HAMi#866",
};

}  // namespace

extern constinit const Rule vgpu_modifier_conflict{
    .id = "vgpu-modifier-conflict",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A pod for HAMi or Volcano asks for a virtual GPU in a way that contradicts itself.",
    .rationale =
        "Virtual GPUs are asked for by several keys that belong together: a number of devices, and how much of each. A key without its device, or two that "
        "say the same differently, leaves the pod pending or with another share than meant; what goes around the scheduler that hands out the shares is "
        "refused, or fails on the node.",
    .remediation =
        "Ask for a number (nvidia.com/gpu, volcano.sh/vgpu-number) and for memory in one way, in each container. Leave the choice of the node to the scheduler.",
    .details =
        "Error: `volcano.sh/vgpu-memory` and the like without `volcano.sh/vgpu-number`; nodeName in a pod that asks for a virtual GPU; fewer GPUs named in "
        "`nvidia.com/use-gpuuuid` than a container asks for; a privileged container with HAMi's modifiers (with a device, privileged-gpu-container says it).\n\n"
        "Warning: memory both as a size and as a percentage; keys of two generations of Volcano (`volcano.sh/gpu-memory` beside `volcano.sh/vgpu-…`).\n\n"
        "Info: nvidia.com/gpumem or nvidia.com/gpucores without nvidia.com/gpu, to which HAMi's webhook adds its default number.\n\n"
        "`volcano.sh/gpu-memory` alone is a complete ask of Volcano's older sharing. HAMi leaves pods of other schedulers alone, and so does this rule.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.has(AddOn::hami) || cluster.has(AddOn::volcano); },
    .check = on_container<check>,
};

}  // namespace gpulint::checks
