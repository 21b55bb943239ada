#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

/// The resources that NVIDIA's device plugin offers for one kind of GPU, or part of one, each.
bool counts(const Ask& ask, const Context& context) {
  const bool mig = ask.resource.starts_with("nvidia.com/mig-");
  if (mig && context.cluster.is_gke()) return false;  // no such resource there: gke-mig-resource-name
  return (mig || ask.resource == "nvidia.com/gpu" || ask.resource == "nvidia.com/gpu.shared") && ask.quantity.known() && ask.positive();
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const Ask* first = nullptr;
  for (const Ask& ask : container.asks) {
    if (!counts(ask, context)) continue;
    if (!first) {
      first = &ask;
    } else if (context.cluster.injection() == Injection::cdi || context.cluster.has(AddOn::dra)) {
      context.warning(ask.node, "{}: asks for {} and for {}, and gets both, but a CUDA process uses only one kind", container.label(), first->resource,
                      ask.resource);
    } else {
      context.error(ask.node, "{}: asks for {} and for {}, and both are taken, but the container sees the devices of one only", container.label(),
                    first->resource, ask.resource);
    }
  }
}

constexpr std::string_view kSources[] = {
    "NVIDIA/k8s-device-plugin#728",
    "NVIDIA device plugin, release notes of 0.7.0",
    "NVIDIA Multi-Instance GPU user guide: device enumeration",
};

}  // namespace

extern constinit const Rule mixed_gpu_resources{
    .id = "mixed-gpu-resources",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "One container asks for two kinds of NVIDIA resources, such as nvidia.com/gpu and a MIG slice.",
    .rationale =
        "Each resource is allotted on its own, and each allotment sets NVIDIA_VISIBLE_DEVICES. A container has that variable once: all devices are taken "
        "from other pods, and those of one resource are seen. Which one is undefined.",
    .remediation = "Ask for one kind in each container: several of the same slice, a larger slice, or a whole GPU.",
    .details =
        "Error: two of nvidia.com/gpu, nvidia.com/gpu.shared and nvidia.com/mig-…, two MIG profiles included, with quantities above 0.\n\n"
        "Warning: where devices are injected by CDI or allotted by DRA. There the container gets all of them, but CUDA uses a single MIG slice and no GPU "
        "beside it.\n\n"
        "HAMi's modifiers (nvidia.com/gpumem), rdma resources and claims for IMEX channels stand beside a GPU and are no second one.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
