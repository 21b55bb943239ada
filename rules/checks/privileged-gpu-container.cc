#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

/// The setting by which a container sees the node's devices, as a message says it, and where it stands.
struct Privilege {
  const Node* node = nullptr;
  std::string_view text;
  bool full = false;  ///< privileged, not only a capability
};

Privilege privilege_of(const Container& container) {
  if (container.privileged.value_or(false)) return {container.privileged.node, "is privileged", true};
  const Node* admin = container.added_capability("SYS_ADMIN");
  if (!admin) return {};
  return {admin, admin->text.size() == 3 ? "has all capabilities" : "has SYS_ADMIN"};
}

/// slurmd hands the node's devices to its jobs by cgroups of its own, dockerd to its containers: neither works without the privilege.
bool hands_devices_on(const Container& container) {
  constexpr std::string_view kPrograms[] = {"slurmd", "dockerd"};
  return container.command_line.names_program(kPrograms);
}

/// TPU and its driver need a privileged container on the machine types that are handed out whole.
bool asks_for_more_than_tpu(const Container& container) {
  if (container.asks_by_claim) return true;
  for (const Ask& ask : container.asks)
    if (ask.positive() && ask.accelerator.vendor != Vendor::tpu) return true;
  return false;
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure) return;
  const Privilege privilege = privilege_of(container);
  if (!privilege.node) return;
  if (asks_for_more_than_tpu(container)) {
    const Ask* ask = container.first_ask();
    const std::string_view asked = ask ? ask->resource : "a claimed device";
    if (privilege.full && context.cluster.has(AddOn::hami))
      context.error(privilege.node, "{} asks for {} and is privileged, which HAMi refuses", container.label(), asked);
    else if (hands_devices_on(container))
      context.info(privilege.node, "{} asks for {} and {} to hand devices on, so it sees every device of the node", container.label(), asked, privilege.text);
    else
      context.warning(privilege.node, "{} asks for {} and {}, so it sees every device of the node", container.label(), asked, privilege.text);
    return;
  }
  bool beside = false;
  pod.for_each_container([&](const Container& other) { beside |= &other != &container && asks_for_more_than_tpu(other); });
  if (beside && !container.asks_for_device())
    context.info(privilege.node, "{} {} beside a container that asks for a GPU, and sees every device of the node", container.label(), privilege.text);
}

constexpr std::string_view kSources[] = {
    "SecurityContext.privileged, Capabilities.add (core/v1)",
    "NVIDIA container toolkit: a container with CAP_SYS_ADMIN counts as privileged",
    "NVIDIA/k8s-device-plugin#336",
    "NVIDIA/k8s-device-plugin#161",
    "kubernetes/kubernetes#81256",
    "NVIDIA/gpu-operator#1145",
    "ROCm/k8s-device-plugin#137",
    "Project-HAMi/HAMi#41",
};

}  // namespace

extern constinit const Rule privileged_gpu_container{
    .id = "privileged-gpu-container",
    .group = Group::visibility,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A container that asks for a GPU, or stands beside one, is privileged or has SYS_ADMIN.",
    .rationale =
        "A privileged container gets every device of the node, whatever the device plugin has allotted to it: a program that uses all the GPUs it "
        "finds works on those of other pods. The NVIDIA runtime treats SYS_ADMIN the same way, and grants such a container any device it names.",
    .remediation = "Remove `privileged` and SYS_ADMIN. Give the one capability that is needed (IPC_LOCK for RDMA, SYS_PTRACE for profilers).",
    .details =
        "Warning: the container asks for a GPU. Error where HAMi runs and it is privileged: its webhook refuses the pod or leaves it without a device.\n\n"
        "Info: the container runs slurmd or dockerd, which hand the devices on to jobs of their own; or it asks for none, but another one of its pod does.\n\n"
        "Device plugins, drivers, exporters and the like have to be privileged, and so have containers that ask for TPUs: no finding.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
