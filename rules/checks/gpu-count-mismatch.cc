#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/gpu_use.h"
#include "rules/kube/object_view.h"
#include "rules/kube/pod_group.h"

namespace gpulint::checks {
namespace {

/// The devices that a program in the container can count.
struct Devices {
  std::string_view resource;
  std::int64_t count = 0;
  Vendor vendor = Vendor::none;

  std::string text(std::int64_t number) const {
    const bool gpus = vendor == Vendor::nvidia || vendor == Vendor::amd || vendor == Vendor::intel;
    return fmt::format("{} {}{}", number, gpus ? "GPU" : "device", number == 1 ? "" : "s");
  }
};

/// Nothing for claims, several resources, quantities that are not known, and shares measured in memory. A Neuron device has several cores,
/// which the programs count.
std::optional<Devices> devices_of(const Container& container) {
  if (container.asks_by_claim) return std::nullopt;
  std::optional<Devices> devices;
  for (const Ask& ask : container.asks) {
    if (!ask.positive()) continue;
    const bool counted = ask.quantity.known() && ask.quantity.value.is_integer() && ask.accelerator.role != ResourceRole::fraction;
    if (devices || !counted || ask.accelerator.vendor == Vendor::neuron) return std::nullopt;
    devices = Devices{ask.resource, ask.quantity.value.whole(), ask.accelerator.vendor};
  }
  return devices;
}

/// What the object says of the pod is said of its first container with devices. A program's own option comes before it.
std::vector<GpuUse> uses_of(const Container& container, const PodTemplate& pod) {
  std::vector<GpuUse> uses = gpu_uses(container);
  const auto main = std::find_if(pod.containers.begin(), pod.containers.end(), [](const Container& other) { return other.asks_for_device(); });
  if (main == pod.containers.end() || &*main != &container || (!uses.empty() && !is_ray_group(pod))) return uses;
  for (GpuUse& use : declared_gpu_uses(pod)) uses.push_back(std::move(use));
  return uses;
}

struct Available {
  std::int64_t count = 0;
  std::int64_t pods = 1;
};

std::optional<Available> available_to(const GpuUse& use, const Devices& devices, const PodTemplate& pod, const Context& context) {
  if (!use.of_group) return Available{devices.count, 1};
  const std::optional<PodGroup> group = pod_group(pod, devices.resource, context.accelerators);
  if (!group || (use.needs_others && group->pods <= 1)) return std::nullopt;
  return group->pods > 1 ? Available{group->gpus, group->pods} : Available{devices.count, 1};
}

std::string holder(const Available& available) {
  return available.pods == 1 ? "the container" : fmt::format("the {} pods that work together", available.pods);
}

void report_more(const GpuUse& use, const Available& available, const Devices& devices, const Container& container, const PodTemplate& pod,
                 Context& context) {
  const bool distributed = use.distributed || (use.of_group && is_ray_group(pod));
  context.report(distributed ? Severity::warning : Severity::error, use.node,
                 fmt::format("{}: {} needs {}, but {} {} for {} ({})", container.label(), use.text, devices.text(use.count), holder(available),
                             available.pods == 1 ? "asks" : "ask", available.count, devices.resource));
}

void judge(const GpuUse& use, bool only_use, const Devices& devices, const Container& container, const PodTemplate& pod, Context& context) {
  const std::optional<Available> available = available_to(use, devices, pod, context);
  if (!available || use.count == available->count) return;
  if (use.count > available->count) return report_more(use, *available, devices, container, pod, context);
  // Several programs share the GPUs. A pod that fills its own GPUs may be one of several servers, and a Ray cluster runs more than one program.
  const bool others = available->pods > 1 && (use.count == devices.count || is_ray_group(pod));
  if (!only_use || others || container.variable("CUDA_VISIBLE_DEVICES")) return;
  context.warning(use.node, "{}: {} uses {} of the {} that {} {} for ({})", container.label(), use.text, use.count, devices.text(available->count),
                  holder(*available), available->pods == 1 ? "asks" : "ask", devices.resource);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (container.role != ContainerRole::main || pod.asks_by_annotation()) return;
  const std::optional<Devices> devices = devices_of(container);
  if (!devices) return;
  const std::vector<GpuUse> uses = uses_of(container, pod);
  for (const GpuUse& use : uses) judge(use, uses.size() == 1, *devices, container, pod, context);
}

constexpr std::string_view kSources[] = {
    "vLLM engine arguments: tensor-parallel-size, pipeline-parallel-size, data-parallel-size, data-parallel-size-local, nnodes",
    "SGLang server arguments: tp-size, pp-size, dp-size, enable-dp-attention, nnodes",
    "PyTorch torchrun: nproc-per-node",
    "Text Generation Inference launcher arguments: num-shard",
    "Ray: ray start --num-gpus; KubeRay rayStartParams and WorkerGroupSpec.resources",
    "Kubeflow PyTorchJob nprocPerNode, MPIJob slotsPerWorker, TrainJob trainer.numProcPerNode",
    "KServe LLMInferenceService parallelism",
    "LeaderWorkerSet leaderWorkerTemplate.size",
    "ai-dynamo/dynamo#4934",
    "vllm-project/vllm#13388",
    "ray-project/kuberay#321",
};

}  // namespace

extern constinit const Rule gpu_count_mismatch{
    .id = "gpu-count-mismatch",
    .group = Group::command,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A program is told to use another number of GPUs than its pods ask for.",
    .rationale =
        "A model server or launcher starts one process for each GPU it is told of. With more than the container gets it fails at once, or waits for "
        "ever for GPUs that never come; with fewer the rest is paid for and idle.",
    .remediation = "Make both numbers the same: the GPUs in `resources.limits`, and the parallel sizes or process count of the program.",
    .details =
        "Error: the program uses more GPUs than there are; warning where Ray places the work (`--distributed-executor-backend ray`, a `ray start` in the "
        "same command, a Ray cluster), since it may find others. Warning: fewer.\n\n"
        "Counted: tensor x pipeline x data-parallel sizes of vLLM, SGLang, TensorRT-LLM and LMDeploy, `--num-shard`, `--nproc-per-node`, DeepSpeed's and "
        "FastChat's `--num-gpus`, `ray start --num-gpus`, and what the object sets: `nprocPerNode`, `slotsPerWorker`, `numProcPerNode`, Ray's `num-gpus`, "
        "KServe's `parallelism`.\n\n"
        "Sizes that spread over pods are compared with the GPUs of the group: one replica of a LeaderWorkerSet, a Ray cluster, the pods of a JobSet or "
        "training job, a multi-node role of Dynamo or AIBrix. Process counts are for each pod.\n\n"
        "Not judged: `auto` and `gpu`, values that are not known, programs that are not listed, Neuron (one device has several cores), claims, containers "
        "that ask for no GPU. Fewer is no finding beside CUDA_VISIBLE_DEVICES or several such programs, or in a group where the program fills its own pod.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
