#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/image_reference.h"
#include "rules/kube/object_view.h"
#include "rules/kube/placeholder.h"

namespace gpulint::checks {
namespace {

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool holds_one_of(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool names_host(std::string_view key) { return key == "kubernetes.io/hostname" || key == "beta.kubernetes.io/hostname" || key == "metadata.name"; }

/// A label whose value carries the full version of a driver, a kernel or an operating system.
bool names_version(std::string_view key, std::string_view value) {
  if (key.ends_with(".major")) return false;
  const bool is_version = holds_one_of(value, {"."}) && std::any_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (starts_with_one_of(key, {"nvidia.com/cuda.driver", "nvidia.com/cuda.runtime"})) return key.ends_with(".full") ? is_version : true;
  return is_version && (key.starts_with("extensions.talos.dev/") ||
                        holds_one_of(key, {"driver-version", "kernel-version", "os-version", "os_version", "OSTREE_VERSION", "VERSION_ID", "image-version"}));
}

enum class Product { real, without_prefix, made_up };

/// What feature discovery can have written: the driver's name of the GPU, blanks as dashes. Drivers before 470 left out `NVIDIA`.
Product product_of(std::string_view value) {
  if (starts_with_one_of(value, {"NVIDIA-", "Tesla-", "Quadro-", "GRID-"})) return Product::real;
  constexpr std::string_view kWholeNames[] = {"A2", "A10", "A16", "A30", "A40", "T400", "T600", "T1000", "Orin", "Xavier"};
  const std::string_view name = value.substr(0, std::min(value.find("-SHARED"), value.find("-MIG-")));
  if (std::find(std::begin(kWholeNames), std::end(kWholeNames), name) != std::end(kWholeNames)) return Product::without_prefix;
  return starts_with_one_of(value, {"A100-", "A800-", "GeForce-", "TITAN-", "RTX-", "Graphics-Device"}) ? Product::without_prefix : Product::made_up;
}

/// A driver container holds modules for one kernel: it has to be tied to it.
bool holds_driver(const PodTemplate& pod) {
  bool found = false;
  pod.for_each_container([&](const Container& container) {
    const std::string_view path = ImageReference::parse(container.image.value_or("")).repository;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    found |= holds_one_of(name, {"driver", "mofed", "gdrdrv"}) && !holds_one_of(name, {"dra-driver", "csi-driver", "resource-driver"});
  });
  return found || std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(),
                              [](const NodeRequirement& requirement) { return requirement.key == "nvidia.com/gpu.deploy.driver"; });
}

void check_requirement(const NodeRequirement& requirement, bool driver, Context& context) {
  const std::string_view key = requirement.key, value = requirement.values.front();
  if (names_host(key)) {
    context.warning(requirement.value_node, "the pods of this template run on the node {} only ({})", value, key);
  } else if (names_version(key, value)) {
    if (!driver) context.warning(requirement.value_node, "{}: {} selects one exact version, and no node after the next update", key, value);
  } else if (key == "nvidia.com/gpu.product") {
    switch (product_of(value)) {
      case Product::real:
        context.info(requirement.value_node, "{}: {} selects one exact product, whose name changes with sharing and MIG", key, value);
        break;
      case Product::without_prefix:
        context.info(requirement.value_node, "{}: {} is a name that only drivers before 470 write; later ones begin with NVIDIA-", key, value);
        break;
      case Product::made_up:
        context.warning(requirement.value_node, "{}: {} is no value that GPU feature discovery writes; it begins with NVIDIA-, Tesla- ...", key, value);
        break;
    }
  }
}

void check(const PodTemplate& pod, Context& context) {
  if (pod.object->kind == "Pod" || !(pod.infrastructure || pod.asks_for_device() || pod.asks_by_annotation())) return;
  const bool driver = holds_driver(pod);
  // ORed terms are alternatives, and what one of them pins the others leave open.
  const bool alternatives =
      std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(), [](const NodeRequirement& requirement) { return requirement.term > 0; });
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (!requirement.required || requirement.operation != "In" || requirement.values.size() != 1) continue;
    if (!requirement.from_selector && alternatives) continue;
    if (!requirement.values.front().empty() && !holds_placeholder(requirement.values.front())) check_requirement(requirement, driver, context);
  }
}

constexpr std::string_view kSources[] = {
    "PodSpec.nodeSelector, NodeAffinity (core/v1)",
    "NVIDIA GPU feature discovery: generated labels",
    "Node Feature Discovery: kernel and system labels",
    "redhat-na-ssa/hobbyist-guide-to-rhoai#31",
};

}  // namespace

extern constinit const Rule narrow_node_selector{
    .id = "narrow-node-selector",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "GPU pods of a controller are tied to one host, one exact driver, kernel or system version, or one GPU product name.",
    .rationale =
        "Other nodes with free GPUs are never considered: the scheduler filters by labels first, and what does not fit on the one node stays pending. "
        "A version in a label value selects nothing after the next update of the nodes, and a product name that feature discovery does not write "
        "selects nothing at all.",
    .remediation =
        "Select by what the program needs (`nvidia.com/gpu.family`, `nvidia.com/gpu.memory` with operator Gt, several products in an affinity), or by "
        "a label of the node pool.",
    .details =
        "Warning: a host name, an exact driver, kernel or operating system version, or a value of `nvidia.com/gpu.product` that does not begin as the "
        "driver's names do (`NVIDIA-`, `Tesla-`, `Quadro-`, `GRID-`), as the only value in a nodeSelector or a required node affinity.\n\n"
        "Info: one real value of `nvidia.com/gpu.product`; or one without the prefix (`A100-SXM4-40GB`, `GeForce-…`, `TITAN-…`), which drivers before "
        "about 470 wrote.\n\n"
        "Judged in controllers of any size, for pods that ask for a GPU and for components such as the device plugin; driver containers are built for "
        "one kernel and may select it. Bare Pods, preferred affinity, several values or terms, several labels and `cloud.google.com/gke-accelerator` "
        "are no finding.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
