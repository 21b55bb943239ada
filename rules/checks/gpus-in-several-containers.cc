#include <algorithm>
#include <string>
#include <vector>

#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

/// The containers that hold devices of a resource at the same time. Plain init containers do not: the main ones get their devices.
struct Holders {
  std::string_view resource;
  std::vector<std::string> parts;  // `2 for container "a"`
};

bool counts_devices(const Ask& ask) { return ask.accelerator.role != ResourceRole::fraction && ask.quantity.known() && ask.positive(); }

void add(const Container& container, std::vector<Holders>& all) {
  if (container.role != ContainerRole::main && container.role != ContainerRole::sidecar) return;
  for (const Ask& ask : container.asks) {
    if (!counts_devices(ask)) continue;
    auto holders = std::find_if(all.begin(), all.end(), [&](const Holders& known) { return known.resource == ask.resource; });
    if (holders == all.end()) holders = all.insert(all.end(), Holders{ask.resource, {}});
    holders->parts.push_back(fmt::format("{} for {}", ask.quantity.value.text(), container.label()));
  }
}

void check(const PodTemplate& pod, Context& context) {
  std::vector<Holders> all;
  pod.for_each_container([&](const Container& container) { add(container, all); });
  for (const Holders& holders : all) {
    if (holders.parts.size() < 2) continue;
    std::string parts;
    for (std::size_t i = 0; i < holders.parts.size(); ++i)
      parts += (i == 0 ? "" : i + 1 == holders.parts.size() ? " and " : ", ") + holders.parts[i];
    const EffectiveRequest request = effective_request(pod, holders.resource);
    context.info(pod.spec->find("containers"), "the pod needs {}{} {} on one node: {}", request.unknown ? "at least " : "", request.quantity.text(),
                 holders.resource, parts);
  }
}

constexpr std::string_view kSources[] = {
    "NVIDIA/k8s-device-plugin#71",
    "NVIDIA/k8s-device-plugin#176",
    "Kubernetes documentation: Init containers, resource sharing within containers",
    "kubernetes/kubernetes#56818",
};

}  // namespace

extern constinit const Rule gpus_in_several_containers{
    .id = "gpus-in-several-containers",
    .group = Group::resources,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "Several containers of a pod ask for GPUs, and each gets its own.",
    .rationale =
        "Containers of a pod do not share what they ask for: two that ask for one GPU each take two, and the pod fits only a node with both free. On nodes "
        "with a single GPU it is pending for ever.",
    .remediation =
        "Leave the resource in the one container that uses the GPU. To share one between containers, use a DRA claim that both name, or shared GPUs.",
    .details =
        "Main containers and sidecars (init containers with `restartPolicy: Always`) are added up. Plain init containers run before the others, which then "
        "get their devices: they are no finding. Containers that name the same DRA claim share its device.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
