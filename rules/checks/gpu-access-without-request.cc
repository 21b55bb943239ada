#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/engine/variable_patch.h"
#include "rules/kube/object_view.h"
#include "rules/kube/ray_group.h"
#include "rules/kube/visible_devices.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVariable = "NVIDIA_VISIBLE_DEVICES";

Severity highest(const Context& context) { return context.flag("multiTenant") ? Severity::error : Severity::warning; }

/// Resources, claims and annotations that end in a device: the container's own, and those of the pod that name no container.
bool asks(const Container& container, const PodTemplate& pod, const Context& context) {
  if (container.asks_for_device() || pod.asks_by_annotation()) return true;
  const auto counts = [&](const ResourceEntry& entry) {
    const std::optional<Accelerator> accelerator = context.accelerators.resource(entry.name);
    return accelerator && accelerator->role == ResourceRole::modifier;  // HAMi's webhook adds the device to it
  };
  const auto& limits = container.resources.limits;
  return std::any_of(limits.begin(), limits.end(), counts);
}

/// Templates that run a GPU image on purpose without asking: coordinators, and kinds whose resources another object brings.
bool runs_without_gpu(const Container& container, const PodTemplate& pod) {
  struct Role { std::string_view kind, role; };
  constexpr Role kRoles[] = {{"", "headGroupSpec"}, {"", "Launcher"},       {"", "launcher"}, {"", "mpimaster"},          {"MXJob", "Scheduler"},
                             {"MXJob", "Server"},   {"TFJob", "PS"},        {"SparkApplication", "driver"},               {"ScheduledSparkApplication", "driver"}};
  const std::string_view kind = pod.object->kind;
  return container.role != ContainerRole::main || kind.ends_with("Runtime") || kind.ends_with("Config") ||
         std::any_of(std::begin(kRoles), std::end(kRoles), [&](const Role& row) { return (row.kind.empty() || row.kind == kind) && row.role == pod.role; });
}

/// A mount of /dev/null below this path names a device to the NVIDIA runtime, as the variable does.
const VolumeMount* device_list_mount(const Container& container) {
  for (const VolumeMount& mount : container.mounts)
    if (mount.path.starts_with("/var/run/nvidia-container-devices")) return &mount;
  return nullptr;
}

/// The operator's NRI plugin gives the named container the CDI devices of this annotation.
const Node* device_annotation(const Container& container, const PodTemplate& pod) {
  const Node* annotation = pod.annotations ? pod.annotations->find("nvidia.cdi.k8s.io/container." + std::string(container.name.value)) : nullptr;
  return annotation && annotation->text.find("nvidia.com/gpu=") != std::string_view::npos ? annotation : nullptr;
}

void check_image(const Container& container, const PodTemplate& pod, Context& context) {
  const Injection injection = context.cluster.injection();
  const bool variable_counts = injection == Injection::unknown || injection == Injection::envvar;
  if (!variable_counts || container.variable(kVariable) || container.has_env_from || !container.asks.empty() || runs_without_gpu(container, pod)) return;
  if (!container.image.known() || !context.accelerators.is_gpu_image(container.image.value)) return;
  context
      .report(pod.asks_for_device() ? Severity::info : highest(context), container.image.node,
              fmt::format("{} asks for no GPU, but the image {} sets NVIDIA_VISIBLE_DEVICES and can see every GPU of the node", container.label(),
                          container.image.value))
      .fix(Safety::unsafe, "Set NVIDIA_VISIBLE_DEVICES to void", set_variable(container, pod, kVariable, "void", context));
}

bool check_ray(const Container& container, const PodTemplate& pod, Context& context) {
  const Node* declared = gpus_declared_to_ray(pod);
  if (!declared || pod.containers.empty() || &container != &pod.containers.front() || pod.asks_for_device()) return false;
  context.report(highest(context), declared,
                 fmt::format("{}: Ray is told of GPUs ({}: {}), but no container of the pod asks Kubernetes for one", container.label(), declared->key,
                             declared->text));
  return true;
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure || asks(container, pod, context)) return;
  const EnvironmentVariable* variable = container.variable(kVariable);
  if (variable && variable->value.known() && shows_nvidia_devices(variable->value.value) && container.asks.empty()) {
    context
        .report(highest(context), variable->node,
                fmt::format("{}: NVIDIA_VISIBLE_DEVICES is \"{}\", but the container asks for no GPU", container.label(), variable->value.value))
        .fix(Safety::unsafe, "Set NVIDIA_VISIBLE_DEVICES to void", set_variable(container, pod, kVariable, "void", context));
  } else if (const VolumeMount* mount = device_list_mount(container)) {
    context.report(highest(context), mount->node,
                   fmt::format("{}: the mount {} names GPUs to the runtime, but the container asks for none", container.label(), mount->path));
  } else if (const Node* annotation = device_annotation(container, pod)) {
    context.report(highest(context), annotation,
                   fmt::format("{}: an annotation gives it {}, but the container asks for no GPU", container.label(), annotation->text));
  } else if (!check_ray(container, pod, context)) {
    check_image(container, pod, context);
  }
}

constexpr Parameter kParameters[] = {
    {.name = "multiTenant",
     .type = Parameter::Type::boolean,
     .description = "GPUs are shared by users who must not see each other's: what is a warning becomes an error.",
     .default_value = "false"},
};

constexpr std::string_view kSources[] = {
    "NVIDIA container toolkit: NVIDIA_VISIBLE_DEVICES, accept-nvidia-visible-devices-envvar-when-unprivileged, device lists as volume mounts",
    "NVIDIA/k8s-device-plugin#61",
    "NVIDIA/k8s-device-plugin#87",
    "NVIDIA/k8s-device-plugin#195",
    "NVIDIA/k8s-device-plugin#548",
    "NVIDIA/k8s-device-plugin#1605",
    "bottlerocket-os/bottlerocket#3718",
    "LMCache/LMCache#5057",
    "ray-project/kuberay#321",
};

}  // namespace

extern constinit const Rule gpu_access_without_request{
    .id = "gpu-access-without-request",
    .group = Group::visibility,
    .severity = Severity::error,
    .fixability = Fixability::unsafe,
    .summary = "A container gets at GPUs without asking for one.",
    .rationale =
        "Where nvidia handles the container, the runtime gives it every device that NVIDIA_VISIBLE_DEVICES names, and the images for CUDA set it to "
        "`all`. The scheduler knows nothing of it: the container works on GPUs that other pods have asked for, takes their memory and sees their data.",
    .remediation =
        "Ask for the GPU in `resources.limits`. A container that shall see none gets NVIDIA_VISIBLE_DEVICES `void`; on the nodes, let the runtime refuse "
        "the variable (accept-nvidia-visible-devices-envvar-when-unprivileged = false) or use CDI.",
    .details =
        "Warning, for each container that asks for no device by limit, claim or annotation: NVIDIA_VISIBLE_DEVICES names devices; a mount below "
        "`/var/run/nvidia-container-devices`; an `nvidia.cdi.k8s.io/container.<name>` annotation; an image known to set the variable; or a Ray group that "
        "declares GPUs to Ray (`num-gpus`, `resources.GPU`) whose pod asks Kubernetes for none. Error with `multiTenant: true`.\n\n"
        "The image alone: info when another container of the pod asks for a GPU; no finding on GKE and where devices come by CDI, as nothing reads the "
        "variable there; nor for Ray heads, MPI launchers, the schedulers and servers of MXJob, parameter servers of TFJob, Spark drivers, serving and "
        "training runtimes, configuration kinds and init containers, nor with `envFrom`, which may set the variable.\n\n"
        "`void`, `none` and the empty text close the access and are good practice. A command that only reads the variable is fine. Device plugins, "
        "exporters, validators (by image, or by a label `app: nvidia-...-validator`) and the like are exempt. Beside a quantity of 0, zero-gpu-limit speaks.",
    .parameters = kParameters,
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
