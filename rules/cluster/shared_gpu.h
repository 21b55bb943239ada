// Which resources a scheduler of its own hands out, because several pods share a GPU: Volcano's vGPU and GPU sharing, and HAMi's devices.
// Sources: Volcano documentation, GPU sharing and vGPU; HAMi documentation, its admission webhook.
#pragma once
#include <string_view>

#include "rules/cluster/cluster.h"

namespace gpulint {

bool is_volcano_vgpu(std::string_view resource);
/// Of Volcano's older GPU sharing.
bool is_volcano_sharing(std::string_view resource);
/// What HAMi's webhook takes for an ask without a device; nvidia.com/priority alone is none.
bool is_hami_modifier(std::string_view resource);
bool is_hami_device(std::string_view resource);

/// Whether HAMi's webhook looks after the pod: it leaves those alone that name another scheduler; the default one may be written out.
bool is_for_hami(const PodTemplate& pod, const Cluster& cluster);

/// The first resource of the container, limits before requests, that such a scheduler hands out; null when there is none.
const ResourceEntry* shared_gpu_entry(const Container& container, const PodTemplate& pod, const Cluster& cluster);

}  // namespace gpulint
