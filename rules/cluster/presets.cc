// The presets as one table. Where each answer comes from is said at the row; "unknown" where the platform lets its owner choose.
#include <array>

#include "rules/cluster/cluster.h"

namespace gpulint {
namespace {

using namespace std::string_view_literals;

// The GPU operator creates these RuntimeClasses (25.10 and later, CDI on; with the NRI plugin it deletes all three).
constexpr std::array kOperatorClasses = {"nvidia"sv, "nvidia-cdi"sv, "nvidia-legacy"sv};
constexpr std::array kLegacyOperatorClasses = {"nvidia"sv};
// k3s and RKE2 ship them in their runtimes manifest, whether or not the node has the handler.
constexpr std::array kK3sClasses = {"nvidia"sv, "nvidia-experimental"sv};

// needs_runtime_class: yes where runc is the default handler and the plugin relies on the NVIDIA one; no where it is the default handler
// already, where CDI or the platform's own plugin injects devices, or where naming a class breaks the pod (cri-dockerd has no handlers).
constexpr std::array kPresets = {
    Preset{.name = "generic",
           .description = "nothing known of the cluster",
           .needs_runtime_class = Answer::unknown,
           .injection = Injection::unknown,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = {},
           .has_only_those_classes = Answer::unknown},
    Preset{.name = "gpu-operator",
           .description = "NVIDIA GPU operator 25.10 or later, devices injected by CDI",
           .needs_runtime_class = Answer::no,
           .injection = Injection::cdi,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = kOperatorClasses,
           .has_only_those_classes = Answer::unknown},
    Preset{.name = "gpu-operator-nri",
           .description = "NVIDIA GPU operator with its NRI plugin, which has no RuntimeClass at all",
           .needs_runtime_class = Answer::no,
           .injection = Injection::cdi,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    Preset{.name = "gpu-operator-legacy",
           .description = "NVIDIA GPU operator before 25.10 or with CDI off, nvidia is the default runtime",
           .needs_runtime_class = Answer::no,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = kLegacyOperatorClasses,
           .has_only_those_classes = Answer::unknown},
    // GKE turns on ExtendedResourceToleration always and mounts devices and driver by its own plugin.
    Preset{.name = "gke",
           .description = "Google Kubernetes Engine, Standard",
           .needs_runtime_class = Answer::no,
           .injection = Injection::own,
           .adds_tolerations = Answer::yes,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    Preset{.name = "gke-autopilot",
           .description = "Google Kubernetes Engine, Autopilot",
           .needs_runtime_class = Answer::no,
           .injection = Injection::own,
           .adds_tolerations = Answer::yes,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    // EKS turns on ExtendedResourceToleration since 1.19; its accelerated images have nvidia as the default handler.
    Preset{.name = "eks",
           .description = "Amazon EKS with an accelerated AMI",
           .needs_runtime_class = Answer::no,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::yes,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    // Azure/AKS#1449: tolerations were long not added; whether they are today is not documented.
    Preset{.name = "aks",
           .description = "Azure Kubernetes Service with a GPU node pool",
           .needs_runtime_class = Answer::no,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    Preset{.name = "k3s",
           .description = "k3s or RKE2, nvidia handler found at start but not the default",
           .needs_runtime_class = Answer::yes,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::no,
           .runtime_classes = kK3sClasses,
           .has_only_those_classes = Answer::unknown,
           .own_containerd = true},
    Preset{.name = "containerd",
           .description = "containerd with an nvidia handler that is not the default",
           .needs_runtime_class = Answer::yes,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::no,
           .runtime_classes = {},
           .has_only_those_classes = Answer::unknown},
    Preset{.name = "docker",
           .description = "Docker Engine behind cri-dockerd, nvidia is the daemon's default runtime",
           .needs_runtime_class = Answer::no,
           .injection = Injection::envvar,
           .adds_tolerations = Answer::no,
           .runtime_classes = {},
           .has_only_those_classes = Answer::yes},
    Preset{.name = "openshift",
           .description = "OpenShift (CRI-O) with the GPU operator, devices injected by CDI",
           .needs_runtime_class = Answer::no,
           .injection = Injection::cdi,
           .adds_tolerations = Answer::unknown,
           .runtime_classes = kLegacyOperatorClasses,
           .has_only_those_classes = Answer::unknown},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPresets)
    if (preset.name == name) return &preset;
  return nullptr;
}

}  // namespace gpulint
