#include <algorithm>
#include <iterator>
#include <set>

#include "rules/engine/context.h"
#include "rules/kube/pod_shape.h"
#include "rules/kube/vendor_of.h"

namespace gpulint::checks {
namespace {

/// Habana's devices are Intel's, and both names are used for them.
bool differ(Vendor left, Vendor right) {
  const auto family = [](Vendor vendor) { return vendor == Vendor::habana ? Vendor::intel : vendor; };
  return left != Vendor::none && right != Vendor::none && left != Vendor::other && right != Vendor::other && family(left) != family(right);
}

/// Vendors whose images run on no other device. Others build theirs to look like CUDA.
bool has_own_images(Vendor vendor) {
  constexpr Vendor kVendors[] = {Vendor::nvidia, Vendor::amd, Vendor::intel, Vendor::habana, Vendor::neuron, Vendor::tpu};
  return std::find(std::begin(kVendors), std::end(kVendors), vendor) != std::end(kVendors);
}

/// A requirement that leaves only nodes of another vendor. Terms of an affinity are alternatives: all of them have to.
const NodeRequirement* excluding(Vendor vendor, const PodTemplate& pod, const AcceleratorTable& accelerators) {
  const NodeRequirement* first = nullptr;
  std::set<int> terms, excluding;
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (!requirement.required) continue;
    const bool other = differ(vendor_of_nodes(requirement, accelerators), vendor);
    if (requirement.term < 0) {
      if (other) return &requirement;
      continue;
    }
    terms.insert(requirement.term);
    if (other && !first) first = &requirement;
    if (other) excluding.insert(requirement.term);
  }
  return excluding.size() == terms.size() ? first : nullptr;
}

/// The first main container whose image is built for one vendor.
const Container* with_vendor_image(const PodTemplate& pod, const AcceleratorTable& accelerators) {
  const auto found = std::find_if(pod.containers.begin(), pod.containers.end(), [&](const Container& container) {
    return container.image.known() && vendor_of_image(container.image.value, accelerators) != Vendor::none;
  });
  return found == pod.containers.end() ? nullptr : &*found;
}

/// Of the pod as a whole: the nodes that it selects against what it asks for, or against its image where it asks for nothing.
bool check_nodes(const PodTemplate& pod, Context& context) {
  const AcceleratorTable& accelerators = context.accelerators;
  const PodTemplate::Asked asked = pod.first_ask();
  const Container* container = asked.container;
  Vendor vendor = vendor_asked(pod);
  std::string what = asked ? fmt::format("asks for {}", asked.ask->resource) : std::string();
  if (!pod.asks_for_device() && !pod.asks_by_annotation()) {
    container = with_vendor_image(pod, accelerators);
    vendor = container ? vendor_of_image(container->image.value, accelerators) : Vendor::none;
    what = container ? fmt::format("has the image {}", container->image.value) : what;
  }
  const NodeRequirement* requirement = vendor == Vendor::none ? nullptr : excluding(vendor, pod, accelerators);
  if (!requirement) return false;
  context
      .warning(requirement->value_node, "{}: {}, but {} selects nodes with {} devices", container->label(), what, requirement->key,
               vendor_name(vendor_of_nodes(*requirement, accelerators)))
      .in(*container);
  return true;
}

/// One container asks for devices that its image cannot use.
void check_image(const Container& container, Context& context) {
  const Vendor asked = vendor_asked(container);
  const Ask* ask = container.first_ask();
  if (!ask || !container.image.known() || !has_own_images(asked)) return;
  const Vendor image = vendor_of_image(container.image.value, context.accelerators);
  if (differ(image, asked))
    context.warning(container.image.node, "{}: asks for {}, but the image {} is built for {}", container.label(), ask->resource, container.image.value,
                    vendor_name(image));
}

/// Runs on containers because chart values and predictors count too; the pod is judged with its first one.
void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.infrastructure || !is_first_container(container, pod) || check_nodes(pod, context)) return;
  pod.for_each_container([&](const Container& each) {
    context.enter(&each);
    check_image(each, context);
  });
}

constexpr std::string_view kSources[] = {
    "Node labels of NVIDIA's and AMD's feature discovery, of node-feature-discovery and of the cloud platforms",
    "NVIDIA, AMD and Intel device plugins: resource names",
};

}  // namespace

extern constinit const Rule vendor_mismatch{
    .id = "vendor-mismatch",
    .group = Group::visibility,
    .severity = Severity::warning,
    .summary = "The nodes that a pod selects, the devices that it asks for and its image are not of the same vendor.",
    .rationale =
        "A node seldom has devices of two vendors: a pod that selects nodes of one and asks for devices of the other waits for ever. An image built "
        "for one vendor finds no device of another and fails, or works on the CPU while the device idles.",
    .remediation = "Make selector, resource and image agree.",
    .details =
        "Judged are required node labels (`nvidia.com/gpu.present`, `feature.node.kubernetes.io/pci-1002.present`; others by their value: "
        "`accelerator: nvidia-a100`) against the resource, or against the image where nothing is asked for; and the image against the resource of its "
        "container. Images are known by the table of GPU images and by words such as `cuda`, `rocm` or `gaudi` in their name.\n\n"
        "No finding where one of the alternative terms of an affinity fits, for preferred affinity, for pods that ask for devices of several vendors or "
        "by a claim, and for infrastructure. Images are judged for NVIDIA, AMD, Intel, Gaudi, Neuron and TPU only: other vendors build theirs to look "
        "like CUDA.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
