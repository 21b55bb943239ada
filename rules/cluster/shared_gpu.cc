#include "rules/cluster/shared_gpu.h"

namespace gpulint {

bool is_volcano_vgpu(std::string_view resource) { return resource.starts_with("volcano.sh/vgpu-"); }

bool is_volcano_sharing(std::string_view resource) { return resource == "volcano.sh/gpu-memory" || resource == "volcano.sh/gpu-number"; }

bool is_hami_modifier(std::string_view resource) {
  return resource == "nvidia.com/gpumem" || resource == "nvidia.com/gpumem-percentage" || resource == "nvidia.com/gpucores";
}

bool is_hami_device(std::string_view resource) { return resource == "nvidia.com/gpu" || resource == "nvidia.com/vgpu"; }

bool is_for_hami(const PodTemplate& pod, const Cluster& cluster) {
  const std::string_view scheduler = pod.scheduler_name.value_or("");
  return cluster.has(AddOn::hami) && (scheduler.empty() || scheduler == "hami-scheduler" || scheduler == "default-scheduler");
}

const ResourceEntry* shared_gpu_entry(const Container& container, const PodTemplate& pod, const Cluster& cluster) {
  const bool hami = is_for_hami(pod, cluster);
  for (const auto* list : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& entry : *list)
      if (is_volcano_vgpu(entry.name) || is_volcano_sharing(entry.name) || (hami && (is_hami_device(entry.name) || is_hami_modifier(entry.name)))) return &entry;
  return nullptr;
}

}  // namespace gpulint
