#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/vendor_of.h"

namespace gpulint::checks {
namespace {

/// Values by which a variable hides its vendor's devices, which is right beside those of another.
bool hides_devices(std::string_view value) {
  constexpr std::string_view kHiding[] = {"", "void", "none", "-1", "NoDevFiles"};
  return std::find(std::begin(kHiding), std::end(kHiding), value) != std::end(kHiding);
}

/// The variable that chooses among the vendor's devices.
std::string_view variable_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia: return "CUDA_VISIBLE_DEVICES";
    case Vendor::amd: return "HIP_VISIBLE_DEVICES";
    default: return "ZE_AFFINITY_MASK";
  }
}

bool is_mismatch(Vendor variable, Vendor asked) {
  if (asked == Vendor::nvidia) return variable == Vendor::amd;
  return (asked == Vendor::amd || asked == Vendor::intel) && variable == Vendor::nvidia;
}

void check_variable(const EnvironmentVariable& variable, const Ask& ask, const Container& container, Context& context) {
  const Vendor asked = ask.accelerator.vendor;
  const Vendor vendor = context.accelerators.visibility_variable(variable.name).value_or(Vendor::none);
  if (!is_mismatch(vendor, asked) || !variable.value.known()) return;
  if (asked == Vendor::amd && variable.name == "CUDA_VISIBLE_DEVICES") {
    context.info(variable.value.node, "{}: CUDA_VISIBLE_DEVICES beside {}: HIP reads it too, but HIP_VISIBLE_DEVICES says what is meant", container.label(),
                 ask.resource);
  } else if (!hides_devices(variable.value.value)) {
    context.warning(variable.value.node, "{}: {} is \"{}\", which chooses among {} devices, but the container asks for {}; its variable is {}",
                    container.label(), variable.name, variable.value.value, vendor_name(vendor), ask.resource, variable_of(asked));
  }
}

/// HIP counts what ROCR has left, so that the same numbers in both leave other devices, or none.
void check_rocm_pair(const Container& container, Context& context) {
  const EnvironmentVariable* hip = container.variable("HIP_VISIBLE_DEVICES");
  const EnvironmentVariable* rocr = container.variable("ROCR_VISIBLE_DEVICES");
  if (!hip || !rocr || hip->value.null() || rocr->value.null()) return;
  const auto shown = [](const EnvironmentVariable& variable) { return variable.value.known() ? fmt::format(" (\"{}\")", variable.value.value) : std::string(); };
  context.warning(hip->value.node, "{}: HIP_VISIBLE_DEVICES{} counts the devices that ROCR_VISIBLE_DEVICES{} has left; one of them is enough", container.label(),
                  shown(*hip), shown(*rocr));
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const Vendor asked = vendor_asked(container);
  if (const Ask* ask = container.first_ask(); ask && asked != Vendor::none)
    for (const EnvironmentVariable& variable : container.env)
      if (container.variable(variable.name) == &variable && !variable.node->find("$patch")) check_variable(variable, *ask, container, context);
  if (asked == Vendor::amd || asked == Vendor::none) check_rocm_pair(container, context);
}

constexpr std::string_view kSources[] = {
    "ROCm documentation: GPU isolation techniques, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, CUDA_VISIBLE_DEVICES",
    "NVIDIA container toolkit: NVIDIA_VISIBLE_DEVICES",
    "oneAPI Level Zero specification: ZE_AFFINITY_MASK",
};

}  // namespace

extern constinit const Rule visible_devices_vendor_mismatch{
    .id = "visible-devices-vendor-mismatch",
    .group = Group::visibility,
    .severity = Severity::warning,
    .summary = "A variable chooses among the devices of another vendor than the container asks for.",
    .rationale =
        "Each vendor's runtime reads its own variables. One of another vendor has no effect: the program sees all devices of the container where some "
        "were meant to be hidden, and the manifest is often a copy that needs more changes than this one.",
    .remediation = "Remove the variable: the device plugin limits the container to its devices. To choose among them, use the vendor's own variable.",
    .details =
        "Warning: NVIDIA_VISIBLE_DEVICES beside an AMD or Intel GPU, CUDA_VISIBLE_DEVICES beside an Intel GPU, and HIP_VISIBLE_DEVICES, "
        "ROCR_VISIBLE_DEVICES or another variable of AMD beside an NVIDIA GPU. Also HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES together: the first "
        "counts what the second has left.\n\n"
        "Info: CUDA_VISIBLE_DEVICES beside an AMD GPU, which HIP reads as well.\n\n"
        "No finding for values that hide the other vendor's devices (`void`, `none`, `-1`, empty), for values that are not known, and in containers "
        "that ask for devices of several vendors.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
