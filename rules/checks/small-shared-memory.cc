#include <algorithm>
#include <iterator>
#include <optional>

#include "rules/engine/context.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"
#include "rules/kube/shared_memory.h"

namespace gpulint::checks {
namespace {

/// An ask for several GPUs of one kind, or null. TPU and Neuron do not share the host's memory so; parts of one GPU are one GPU.
const Ask* several_gpus(const Container& container) {
  for (const Ask& ask : container.asks) {
    const Vendor vendor = ask.accelerator.vendor;
    const bool counts = ask.accelerator.role == ResourceRole::device || ask.accelerator.role == ResourceRole::vgpu;
    if (counts && vendor != Vendor::tpu && vendor != Vendor::neuron && ask.quantity.known() && ask.quantity.value > Quantity(1)) return &ask;
  }
  return nullptr;
}

/// Operators that mount a memory-backed /dev/shm into the pods they make; launchers of MPI only start processes elsewhere.
bool is_provided(const PodTemplate& pod) {
  struct Kind { std::string_view group, kind; };  // an empty kind: every kind of the group
  constexpr Kind kKinds[] = {{"ray.io", ""},
                             {"orchestration.aibrix.ai", "RayClusterFleet"},
                             {"serving.kserve.io", "LLMInferenceService"},
                             {"serving.kserve.io", "LLMInferenceServiceConfig"},
                             {"kaito.sh", ""},
                             {"apps.nvidia.com", ""},
                             {"nvidia.com", "DynamoGraphDeployment"}};
  const ObjectView& object = *pod.object;
  return pod.role == "Launcher" || pod.role == "launcher" || pod.role == "mpimaster" ||
         std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& row) {
           return row.group == object.group && (row.kind.empty() || row.kind == object.kind);
         });
}

/// `runs vLLM`, `sets NCCL_DEBUG`: what shows that memory is shared between the GPUs. Empty: nothing does.
std::string why_shared(const Container& container, const PodTemplate& pod) {
  if (const std::string_view program = sharing_program(container); !program.empty()) return fmt::format("runs {}", program);
  const auto of_nccl = [](const EnvironmentVariable& variable) { return variable.name.starts_with("NCCL_"); };
  const auto variable = std::find_if(container.env.begin(), container.env.end(), of_nccl);
  if (variable != container.env.end()) return fmt::format("sets {}", variable->name);
  const bool torch = pod.object->group == "trainer.kubeflow.org" && pod.role == "node" && first_match(*pod.object->root, "spec.mlPolicy.torch");
  return torch ? "runs under mlPolicy.torch" : "";
}

/// `add` of a list that is there (its last element) or not. Nothing where something else stands in its place.
std::optional<PatchOp> append_op(const Node& parent, std::string_view key, const std::string& element, const Context& context) {
  const Node* list = parent.find(key);
  if (list && !list->is_sequence() && !list->is_null()) return std::nullopt;
  const JsonPointer path = context.pointer(parent).append(key);
  return list && list->is_sequence() ? add_op(path.append("-"), element) : add_op(path, "[" + element + "]");
}

/// A memory-backed volume of the pod that is mounted at /dev/shm elsewhere may serve this container too.
const Volume* volume_to_share(const PodTemplate& pod) {
  const Volume* found = nullptr;
  pod.for_each_container([&](const Container& other) {
    const SharedMemory memory = shared_memory(other, pod);
    if (memory.state == SharedMemory::State::in_memory && !found) found = memory.volume;
  });
  return found;
}

std::vector<PatchOp> shared_memory_ops(const Container& container, const PodTemplate& pod, const SharedMemory& memory, const Context& context) {
  if (memory.volume) {
    const Node* directory = memory.volume->node->find("emptyDir");
    const JsonPointer path = context.pointer(*memory.volume->node).append("emptyDir");
    return {directory->is_mapping() ? add_op(path.append("medium"), json_string("Memory")) : add_op(path, R"({"medium":"Memory"})")};
  }
  const Volume* shared = volume_to_share(pod);
  const auto is_taken = [&](std::string_view name) {
    return std::any_of(pod.volumes.begin(), pod.volumes.end(), [&](const Volume& volume) { return volume.name == name; });
  };
  const std::string name = shared ? std::string(shared->name) : is_taken("dshm") ? "shared-memory" : "dshm";
  auto mount = append_op(*container.node, "volumeMounts", fmt::format(R"({{"name":{},"mountPath":"/dev/shm"}})", json_string(name)), context);
  if (!mount || (!shared && is_taken(name))) return {};
  if (shared) return {std::move(*mount)};
  auto volume = append_op(*pod.spec, "volumes", fmt::format(R"({{"name":{},"emptyDir":{{"medium":"Memory"}}}})", json_string(name)), context);
  return volume ? std::vector<PatchOp>{std::move(*volume), std::move(*mount)} : std::vector<PatchOp>{};
}

void check_missing(const Container& container, const PodTemplate& pod, const SharedMemory& memory, Context& context) {
  const Ask* ask = several_gpus(container);
  if (!ask || container.image.absent() || is_provided(pod)) return;
  const std::string why = why_shared(container, pod);
  const std::string what = memory.state == SharedMemory::State::on_disk
                               ? fmt::format("/dev/shm is on disk (volume \"{}\" has no medium)", memory.volume->name)
                               : std::string("/dev/shm has the default size of 64 MiB");
  const std::string asked = fmt::format("{} asks for {} {}", container.label(), ask->quantity.value.text(), ask->resource);
  FindingBuilder finding = why.empty() ? context.info(container.node, "{}, and {}", asked, what)
                                       : context.warning(container.node, "{} and {}, but {}", asked, why, what);
  finding.in(container).fix(Safety::unsafe, "Mount a memory-backed emptyDir at /dev/shm", shared_memory_ops(container, pod, memory, context));
}

/// Pages of the volume count as memory of the container that writes them.
void check_size(const Container& container, const SharedMemory& memory, Context& context) {
  const ResourceEntry* limit = container.resources.limit("memory");
  const Field<Quantity>& size = memory.volume->empty_dir_size_limit;
  if (!container.asks_for_device() || !limit || !limit->quantity.known() || !size.known() || size.value <= limit->quantity.value) return;
  context
      .warning(size.node, "{} has a /dev/shm of {} within a memory limit of {}, to which its pages count", container.label(), size.node->text,
               limit->node->text)
      .in(container);
}

void check_container(const Container& container, const PodTemplate& pod, Context& context) {
  const SharedMemory memory = shared_memory(container, pod);
  switch (memory.state) {
    case SharedMemory::State::default_size:
    case SharedMemory::State::on_disk: check_missing(container, pod, memory, context); break;
    case SharedMemory::State::in_memory: check_size(container, memory, context); break;
    case SharedMemory::State::other: break;
  }
}

void check(const PodTemplate& pod, Context& context) {
  for (const Container& container : pod.containers) check_container(container, pod, context);
  for (const Container& container : pod.init_containers)
    if (container.role == ContainerRole::sidecar) check_container(container, pod, context);
}

constexpr std::string_view kSources[] = {
    "EmptyDirVolumeSource.medium, sizeLimit (core/v1)",
    "NCCL documentation: troubleshooting, shared memory",
    "vllm-project/production-stack#276",
    "NVIDIA/nccl#525",
    "LMCache/LMCache#4309",
    "kubernetes/kubernetes#28272",
};

}  // namespace

extern constinit const Rule small_shared_memory{
    .id = "small-shared-memory",
    .group = Group::memory,
    .severity = Severity::warning,
    .fixability = Fixability::unsafe,
    .summary = "A container works on several GPUs with a /dev/shm of 64 MiB, or has one that is larger than its memory limit.",
    .rationale =
        "Processes that work on several GPUs of one pod exchange data through shared memory: NCCL, PyTorch's data loaders, the workers of model servers. "
        "Runtimes give a container 64 MiB of it, and the program ends with \"Error while creating shared memory segment\", a bus error, or hangs. What is "
        "written to a memory-backed volume counts as the container's memory: beyond the limit it is killed.",
    .remediation =
        "Mount an emptyDir of `medium: Memory` at /dev/shm, with a sizeLimit below the container's memory limit.",
    .details =
        "Warning: more than one GPU in a container that starts torchrun, torch.distributed, torchtune, DeepSpeed, accelerate, mpirun, nccl-tests, vLLM, "
        "SGLang, Text Generation Inference, TensorRT-LLM, LMDeploy or Triton (by the image only where no command is given), that sets a variable of "
        "NCCL, or that runs under `mlPolicy.torch` of a training runtime. Info: more than one GPU otherwise.\n\n"
        "Warning, whatever the number of GPUs: the sizeLimit of a memory-backed /dev/shm is above the container's memory limit.\n\n"
        "No finding with hostIPC, with another volume at /dev/shm (the node's own, a claim), for TPU and Neuron, for launchers of MPI, and where the "
        "operator mounts it: KubeRay, LLMInferenceService, KAITO, NIM, Dynamo. Not judged in chart values and patches, where it may stand elsewhere.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
