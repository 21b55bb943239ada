#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kPrefix = "nvidia.com/mig-";
constexpr std::string_view kSelector = "cloud.google.com/gke-gpu-partition-size";

/// NVIDIA's own plugin in place of GKE's: its nodes have NVIDIA's labels, and its slices their own names.
bool selects_nvidia_plugin(const PodTemplate& pod) {
  return std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(), [](const NodeRequirement& requirement) {
    return requirement.key.starts_with("nvidia.com/") || requirement.key == "gke-no-default-nvidia-gpu-device-plugin";
  });
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (context.cluster.has(AddOn::dra) || selects_nvidia_plugin(pod)) return;
  for (const Ask& ask : container.asks) {
    if (!ask.resource.starts_with(kPrefix) || !ask.positive()) continue;
    std::string_view size = ask.resource.substr(kPrefix.size());
    size = size.substr(0, size.find("gb") + 2);
    context.warning(ask.node, "{}: asks for {}, which GKE does not offer: there a slice is nvidia.com/gpu with the node selector {}: {}", container.label(),
                    ask.resource, kSelector, size);
  }
}

constexpr std::string_view kSources[] = {
    "Google Kubernetes Engine documentation: Running multi-instance GPUs",
    "GoogleCloudPlatform/container-engine-accelerators: nvidia_gpu device plugin",
};

}  // namespace

extern constinit const Rule gke_mig_resource_name{
    .id = "gke-mig-resource-name",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A pod for GKE asks for a MIG slice by the resource name of NVIDIA's device plugin.",
    .rationale =
        "GKE has a device plugin of its own. It offers MIG slices as nvidia.com/gpu on nodes labelled with their partition size; nvidia.com/mig-… is a resource "
        "of NVIDIA's plugin, and no node of GKE has it. The pod is pending for ever.",
    .remediation = "Ask for `nvidia.com/gpu: 1` and select the partition size: `cloud.google.com/gke-gpu-partition-size: 1g.5gb`.",
    .details =
        "Fires on GKE, also where only a label of the object shows that it is meant for GKE. No finding with DRA, where a device class may be mapped to such "
        "a name, nor where the pod selects nodes by NVIDIA's labels: there the GPU operator's plugin runs in place of GKE's.",
    .sources = kSources,
    .applies = [](const Cluster& cluster) { return cluster.is_gke(); },
    .check = on_container<check>,
};

}  // namespace gpulint::checks
