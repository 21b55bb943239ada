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
  if (!container.capabilities_node) return {};
  for (const Node& capability : *container.capabilities_node) {
    if (capability.text == "SYS_ADMIN" || capability.text == "CAP_SYS_ADMIN") return {&capability, "has SYS_ADMIN"};
    if (capability.text == "ALL") return {&capability, "has all capabilities"};
  }
  return {};
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
        "Info: the container asks for none, but another one of its pod does.\n\n"
        "Device plugins, drivers, exporters and the like have to be privileged, and so have containers that ask for TPUs: no finding.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
