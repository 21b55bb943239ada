#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

/// What shows that the container uses RDMA, and what a message calls it.
struct Rdma {
  const Node* node = nullptr;
  std::string_view name;
};

/// Names of the RDMA and EFA device plugins. Their prefixes are chosen by the administrator: the word in the name tells.
bool is_rdma_resource(std::string_view name) {
  constexpr std::string_view kWords[] = {"rdma", "roce", "infiniband", "hostdev", "mlnx"};
  if (name == "vpc.amazonaws.com/efa" || name.starts_with("rdma/")) return true;
  if (!is_extended_resource(name)) return false;
  const std::string_view own = name.substr(name.find('/') + 1);
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return own.find(word) != std::string_view::npos; });
}

Rdma rdma_of(const Container& container, const PodTemplate& pod) {
  for (const auto* entries : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& entry : *entries)
      if (is_rdma_resource(entry.name) && !(entry.quantity.known() && entry.quantity.value.is_zero())) return {entry.node, entry.name};
  for (const VolumeMount& mount : container.mounts)
    for (const Volume& volume : pod.volumes)
      if (volume.name == mount.name && volume.host_path.value.starts_with("/dev/infiniband")) return {mount.node, volume.host_path.value};
  return {};
}

/// `as user 1000`, `as another user than root`; empty where it may be root.
std::string other_user(const Container& container, const PodTemplate& pod) {
  const auto& user = container.run_as_user.absent() ? pod.run_as_user : container.run_as_user;
  const auto& non_root = container.run_as_non_root.absent() ? pod.run_as_non_root : container.run_as_non_root;
  if (user.known()) return user.value == 0 ? std::string() : fmt::format("as user {}", user.value);
  return non_root.value_or(false) ? "as another user than root" : "";
}

/// KServe adds the security context that its configuration has for RDMA.
bool is_completed_elsewhere(const Container& container, const PodTemplate& pod) {
  return pod.values || container.image.absent() || pod.object->kind.starts_with("LLMInferenceService");
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure || is_completed_elsewhere(container, pod) || !(container.asks_for_device() || pod.asks_by_annotation())) return;
  const Rdma rdma = rdma_of(container, pod);
  const Node* lock = container.added_capability("IPC_LOCK");
  const std::string user = other_user(container, pod);
  if (lock && !user.empty()) {
    context.warning(lock, "{} adds {} but runs {}, whose processes do not get it{}", container.label(), lock->text, user,
                    rdma.node ? fmt::format(": {} falls back to TCP", rdma.name) : std::string());
  } else if (rdma.node && !lock && !container.privileged.value_or(container.privileged.unknown())) {
    context.warning(rdma.node, "{} uses {} without IPC_LOCK{}: it can lock no more memory than the runtime's limit, often 8 MiB", container.label(), rdma.name,
                    user.empty() ? "" : " and runs " + user);
  }
}

constexpr std::string_view kSources[] = {
    "Capabilities.add, SecurityContext.runAsUser (core/v1)",
    "capabilities(7): CAP_IPC_LOCK; capabilities of a process whose user is not root",
    "NVIDIA/nvidia-container-toolkit#2037",
    "Mellanox/k8s-rdma-sriov-dev-plugin#29",
};

}  // namespace

extern constinit const Rule rdma_without_memlock{
    .id = "rdma-without-memlock",
    .group = Group::memory,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A GPU container uses RDMA or EFA but cannot lock the memory that it registers.",
    .rationale =
        "RDMA registers buffers by locking them in memory. Without the capability IPC_LOCK a process may lock as much as its memlock limit allows, and a "
        "process of another user than root does not get the capability though the container has it. NCCL then says nothing, or little, and uses TCP.",
    .remediation =
        "Add `capabilities: {add: [IPC_LOCK]}` and run as root; or raise the runtime's memlock limit on the nodes (LimitMEMLOCK=infinity), with which no "
        "capability is needed.",
    .details =
        "Warning: the container asks for a GPU, and for an RDMA or EFA resource or mounts `/dev/infiniband`, and is neither privileged nor has IPC_LOCK; "
        "or it has IPC_LOCK and runs as another user than root (runAsUser, runAsNonRoot), where it has no effect.\n\n"
        "No finding for LLMInferenceService, which KServe completes, in chart values and in patches.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
