#include <algorithm>
#include <iterator>
#include <optional>

#include "rules/engine/context.h"
#include "rules/engine/variable_patch.h"
#include "rules/kube/pod_template.h"
#include "rules/kube/visible_devices.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVariable = "CUDA_VISIBLE_DEVICES";

/// How many devices CUDA can count in the container. Nothing for claims, unknown quantities and shares measured in memory.
struct Devices {
  bool some = false;
  std::optional<std::int64_t> count;
  bool whole = false;  ///< each one is a GPU of its own: shares may all be of one GPU, and CUDA uses one MIG device a process
};

Devices devices_of(const Container& container) {
  Devices devices{.some = container.asks_by_claim, .count = {}, .whole = false};
  int asks = 0;
  for (const Ask& ask : container.asks) {
    if (ask.accelerator.vendor != Vendor::nvidia || !ask.positive()) continue;
    devices.some = true;
    const bool counted = ask.quantity.known() && ask.accelerator.role != ResourceRole::fraction && ++asks == 1 && !container.asks_by_claim;
    devices.count = counted ? std::optional(ask.quantity.value.whole()) : std::nullopt;
    devices.whole = ask.accelerator.role == ResourceRole::device;
  }
  return devices;
}

/// Ray, vLLM and Triton write the variable for the processes they start.
bool sets_it_itself(const Container& container, const PodTemplate& pod) {
  constexpr std::string_view kPrograms[] = {"ray", "vllm", "vllm.entrypoints.openai.api_server", "tritonserver"};
  constexpr std::string_view kImages[] = {"rayproject/ray", "vllm/", "/vllm", "tritonserver"};
  if (pod.object->group == "ray.io" || pod.object->kind == "RayClusterFleet") return true;
  if (container.command_line.names_program(kPrograms)) return true;
  const std::string_view image = container.image.value_or("");
  return std::any_of(std::begin(kImages), std::end(kImages), [&](std::string_view part) { return image.find(part) != std::string_view::npos; });
}

/// Devices beyond the ask are there, counted as the node counts them.
bool sees_whole_node(const Container& container) {
  const EnvironmentVariable* runtime = container.variable("NVIDIA_VISIBLE_DEVICES");
  const bool by_variable = runtime && !runtime->value.null() && (!runtime->value.known() || shows_nvidia_devices(runtime->value.value));
  return container.privileged.value_or(false) || container.added_capability("SYS_ADMIN") || by_variable;
}

void check_uuid(const Field<std::string_view>& value, const Container& container, const PodTemplate& pod, Context& context) {
  constexpr std::string_view kText = "{}: CUDA_VISIBLE_DEVICES is \"{}\", but which device the container gets is not chosen by it";
  const bool one_pod = pod.object->kind == "Pod";
  context.report(one_pod ? Severity::info : Severity::warning, value.node, fmt::format(kText, container.label(), value.value));
}

void check_indices(const CudaVisibleDevices& visible, const Devices& devices, const Field<std::string_view>& value, const Container& container,
                   Context& context) {
  if (!devices.count) return;
  const std::int64_t count = *devices.count;
  const auto& indices = visible.indices;
  if (const auto beyond = std::find_if(indices.begin(), indices.end(), [&](std::int64_t index) { return index >= count; }); beyond != indices.end()) {
    context.error(value.node, "{}: CUDA_VISIBLE_DEVICES is \"{}\", but the container has {} GPU{}, counted from 0: there is no {}", container.label(),
                  value.value, count, count == 1 ? "" : "s", *beyond);
    return;
  }
  if (!devices.whole && count > 1) return;
  if (static_cast<std::int64_t>(indices.size()) < count) {
    context.warning(value.node, "{}: CUDA_VISIBLE_DEVICES is \"{}\", which shows {} of the {} GPUs asked for", container.label(), value.value,
                    indices.size(), count);
    return;
  }
  if (visible.stopped || !std::is_sorted(indices.begin(), indices.end())) return;
  context.info(value.node, "{}: CUDA_VISIBLE_DEVICES is \"{}\", all that the container has anyway", container.label(), value.value)
      .fix(Safety::safe, "Remove CUDA_VISIBLE_DEVICES", remove_variable(container, kVariable, context));
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const EnvironmentVariable* variable = container.variable(kVariable);
  if (!variable || sees_whole_node(container) || sets_it_itself(container, pod)) return;
  const Field<std::string_view>& value = variable->value;
  if (value.unknown() || value.invalid() || variable->node->find("$patch")) return;
  if (!value.known() && pod.values) return;  // Helm takes a null for "not set", the API server takes it for ""
  const Devices devices = devices_of(container);
  if (!devices.some) return;
  const CudaVisibleDevices visible = CudaVisibleDevices::parse(value.value);
  if (visible.hides_all())
    context.error(value.node, "{}: CUDA_VISIBLE_DEVICES is \"{}\", which hides every GPU that the container asks for", container.label(), value.value);
  else if (visible.by_uuid)
    check_uuid(value, container, pod, context);
  else
    check_indices(visible, devices, value, container, context);
}

constexpr std::string_view kSources[] = {
    "CUDA C++ programming guide: CUDA environment variables, CUDA_VISIBLE_DEVICES",
    "PyTorch torch/cuda, _parse_visible_devices",
    "NVIDIA MIG user guide: CUDA device enumeration",
    "NVIDIA/k8s-device-plugin#960",
    "vllm-project/aibrix samples/disaggregation/sglang/pd-bucketing.yaml",
};

}  // namespace

extern constinit const Rule cuda_visible_devices_conflict{
    .id = "cuda-visible-devices-conflict",
    .group = Group::visibility,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "CUDA_VISIBLE_DEVICES does not fit the GPUs that the container asks for.",
    .rationale =
        "CUDA counts the devices of the container from 0, whatever their numbers on the node, and stops reading the variable at the first element "
        "that is no such device; an element that stands twice hides all. Numbers taken from the node hide GPUs that are paid for, often every one "
        "of them, and the program falls back to the CPU or fails.",
    .remediation = "Remove the variable: the device plugin already limits the container to its GPUs. To choose among them, count from 0.",
    .details =
        "Error: no device results (`\"\"`, `-1`, `NoDevFiles`, `all`, an element that stands twice), or an index is not below the number asked for.\n\n"
        "Warning: fewer devices than asked for (also `0-3`, which is read as `0`); or a UUID in a template, as the variable does not steer which "
        "device is allotted (info in a single Pod).\n\n"
        "Info: exactly 0 to n-1, which changes nothing; the safe fix removes it. Another order of all devices is no finding.\n\n"
        "Not judged: containers that ask for no NVIDIA GPU (there `\"\"` and `-1` are the right way to the CPU); Ray, vLLM and Triton, which set the "
        "variable themselves; privileged containers, SYS_ADMIN and NVIDIA_VISIBLE_DEVICES, by which a container sees the node's devices; values that "
        "are not known. Several shares may be of one GPU and CUDA uses one MIG device a process: of those only errors are reported.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
