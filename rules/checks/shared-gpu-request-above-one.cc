#include "rules/engine/context.h"
#include "rules/kube/node_sharing.h"

namespace gpulint::checks {
namespace {

bool is_share(const Ask& ask, const SelectedSharing& sharing) {
  if (ask.accelerator.role == ResourceRole::shared) return ask.resource.ends_with(".shared");
  return sharing.how != GpuSharing::none && ask.resource == "nvidia.com/gpu";
}

/// Who refuses a request for more than one share; empty where it is accepted or not known.
std::string_view refused_by(GpuSharing how, const Context& context) {
  if (how == GpuSharing::gke_time_sharing) return "GKE";
  if (how == GpuSharing::mps) return "the device plugin with MPS";
  return context.flag("failRequestsGreaterThanOne") ? "the device plugin (failRequestsGreaterThanOne)" : std::string_view();
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const SelectedSharing sharing = selected_sharing(pod);
  if (sharing.how == GpuSharing::gke_mps) return;  // GKE's plugin hands out as many parts of one GPU as are asked for
  for (const Ask& ask : container.asks) {
    if (!is_share(ask, sharing) || !ask.quantity.known() || ask.quantity.value <= Quantity(1) || ask.quantity.value.has_binary_suffix()) continue;
    const std::string count = ask.quantity.value.text();
    const std::string which = ask.accelerator.role == ResourceRole::shared
                                  ? std::string()
                                  : fmt::format(" on nodes that share GPUs ({}: {})", sharing.said_by->key, sharing.said_by->values.front());
    if (const std::string_view who = refused_by(sharing.how, context); !who.empty())
      context.error(ask.node, "{}: asks for {} {}{}, and {} refuses more than 1 share of a GPU", container.label(), count, ask.resource, which, who);
    else
      context.warning(ask.node, "{}: asks for {} {}{}; more shares give no larger part of a GPU, and may be refused", container.label(), count, ask.resource,
                      which);
  }
}

constexpr Parameter kParameters[] = {
    {.name = "failRequestsGreaterThanOne",
     .type = Parameter::Type::boolean,
     .description = "The device plugin's configuration sets failRequestsGreaterThanOne: what is a warning becomes an error.",
     .default_value = "false"},
};

constexpr std::string_view kSources[] = {
    "NVIDIA device plugin: sharing.timeSlicing.failRequestsGreaterThanOne; sharing.mps",
    "NVIDIA/k8s-device-plugin#929",
    "NVIDIA/k8s-device-plugin#1208",
    "NVIDIA/k8s-device-plugin#843",
    "Google Kubernetes Engine documentation: GPU time-sharing; NVIDIA MPS",
};

}  // namespace

extern constinit const Rule shared_gpu_request_above_one{
    .id = "shared-gpu-request-above-one",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A container asks for more than one share of a time-sliced or MPS-shared GPU.",
    .rationale =
        "A share is access to a GPU, not a portion of it: two shares give neither twice the memory nor twice the time, and may be of the same GPU. With MPS, "
        "or with failRequestsGreaterThanOne, the plugin refuses the request, and the pod ends as Failed with UnexpectedAdmissionError instead of waiting.",
    .remediation = "Ask for 1. For more than one GPU, or a larger part of one, ask for whole GPUs or MIG slices.",
    .details =
        "Warning: a resource whose name ends in `.shared`, or nvidia.com/gpu with a required selector of nodes that share their GPUs "
        "(`nvidia.com/gpu.sharing-strategy`, a `-SHARED` product, GKE's sharing labels), and a quantity above 1.\n\n"
        "Error: the selector names MPS (`nvidia.com/gpu.sharing-strategy: mps`) or GKE's time-sharing, or the parameter says that the plugin refuses it.\n\n"
        "GKE's own MPS hands out several parts of a GPU: no finding.",
    .parameters = kParameters,
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
