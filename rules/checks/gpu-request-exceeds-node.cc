#include <algorithm>

#include "rules/cluster/instance_types.h"
#include "rules/engine/context.h"
#include "rules/kube/node_sharing.h"

namespace gpulint::checks {
namespace {

/// The largest machines have 16 accelerators. AMD's plugin counts partitions: 8 GPUs of 8 each.
std::int64_t largest_node(Vendor vendor) { return vendor == Vendor::amd ? 64 : 16; }

bool is_binary(const Ask& ask) { return ask.accelerator.role != ResourceRole::fraction && ask.quantity.known() && ask.quantity.value.has_binary_suffix(); }

bool is_whole_device(const Ask& ask) { return ask.accelerator.role == ResourceRole::device && ask.resource.find("_nps") == std::string_view::npos; }

const Ask* ask_for(const Container& container, std::string_view resource) {
  for (const Ask& ask : container.asks)
    if (ask.resource == resource) return &ask;
  return nullptr;
}

/// What the pod needs of the resource on its node, and whether `container` is the one to say it.
struct Need {
  Quantity quantity;
  bool says = false;
};

Need need_of(const PodTemplate& pod, const Container& container, const Ask& ask, const Context& context) {
  // HAMi gives a container different GPUs, but may give two containers the same.
  const bool shared = context.cluster.has(AddOn::hami) && ask.accelerator.vendor == Vendor::nvidia;
  Need need{shared ? Quantity() : effective_request(pod, ask.resource).quantity, true};
  bool first = true;
  pod.for_each_container([&](const Container& other) {
    const Ask* same = ask_for(other, ask.resource);
    if (!same || !same->quantity.known() || same->quantity.value.is_zero()) return;
    if (is_binary(*same)) need.says = false;
    if (first && &other != &container) need.says = false;
    first = false;
    if (shared) need.quantity = std::max(need.quantity, same->quantity.value);
  });
  return need;
}

std::string values_of(const NodeRequirement& requirement) {
  std::string text;
  for (std::string_view value : requirement.values) text.append(text.empty() ? "" : ", ").append(value);
  return text;
}

void check_ask(const Ask& ask, const Container& container, const PodTemplate& pod, Context& context) {
  if (!ask.quantity.known() || ask.quantity.value.is_zero() || ask.quantity.value.is_negative()) return;
  if (is_binary(ask)) {
    context.warning(ask.node, "{}: {} of {} is {} devices: a size belongs to memory, not to a number of devices", container.label(), ask.node->text,
                    ask.resource, ask.quantity.value.text());
    return;
  }
  if (!is_whole_device(ask) || selects_gpu_parts(pod)) return;
  const Need need = need_of(pod, container, ask, context);
  if (!need.says) return;
  const std::string needed = need.quantity.text();
  if (const auto devices = most_devices(pod, ask.accelerator.vendor); devices && Quantity(devices->most) < need.quantity)
    context.warning(ask.node, "{}: the pod needs {} {} on one node, but a node with {} {} has {}{}", container.label(), needed, ask.resource,
                    devices->said_by->key, values_of(*devices->said_by), devices->said_by->values.size() > 1 ? "at most " : "",
                    devices->most > 0 ? std::to_string(devices->most) : "none");
  else if (const std::int64_t largest = largest_node(ask.accelerator.vendor); !devices && Quantity(largest) < need.quantity)
    context.warning(ask.node, "{}: the pod needs {} {} on one node, more than the {} that the largest machines have", container.label(), needed,
                    ask.resource, largest);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  for (const Ask& ask : container.asks) check_ask(ask, container, pod, context);
}

constexpr std::string_view kSources[] = {
    "aws/karpenter-provider-aws#8064",
    "Amazon EC2, Google Compute Engine and Azure documentation: accelerated instance types",
    "resource.Quantity (API machinery): binary suffixes",
    "Project-HAMi/HAMi#620",
    "ROCm/k8s-device-plugin documentation: partitions",
};

}  // namespace

extern constinit const Rule gpu_request_exceeds_node{
    .id = "gpu-request-exceeds-node",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A pod asks for more devices than any node it may run on has.",
    .rationale =
        "All devices of a pod come from one node. A pod that asks for more than the largest one has is pending for ever, and no autoscaler can help.",
    .remediation =
        "Ask for as many devices as one node has and spread the work over several pods, or select a larger instance type.",
    .details =
        "Warning: the pod's required node selectors name instance types, families or GPU counts (`node.kubernetes.io/instance-type`, Karpenter's, EKS's and "
        "GKE's labels), and the largest of them has fewer devices of that vendor than the pod needs. The types of AWS, Google Cloud and Azure are built in; "
        "a type that is not leaves it open.\n\n"
        "Without such a selector: more than 16 whole devices in one pod (64 for AMD, whose plugin counts partitions).\n\n"
        "A binary suffix: `1Gi` GPUs is accepted by the API server and means 1073741824.\n\n"
        "The need is the scheduler's: main containers and sidecars are added up, plain init containers are not. With HAMi the largest container counts, as "
        "containers may share a GPU. Not judged: cores, shared GPUs, MIG slices and resources measured in memory, and selectors of nodes whose GPUs are "
        "shared or cut.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
