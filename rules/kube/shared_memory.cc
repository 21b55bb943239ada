#include "rules/kube/shared_memory.h"

#include <algorithm>

#include "rules/kube/model_server.h"

namespace gpulint {
namespace {

bool is_place(std::string_view path) { return path == "/dev/shm" || path == "/dev/shm/" || path == "/dev" || path == "/dev/"; }

std::string_view name_of_program(ModelProgram program) {
  switch (program) {
    case ModelProgram::vllm: return "vLLM";
    case ModelProgram::sglang: return "SGLang";
    case ModelProgram::tgi: return "Text Generation Inference";
    case ModelProgram::lmdeploy: return "LMDeploy";
    case ModelProgram::tensorrt_llm: return "TensorRT-LLM";
    case ModelProgram::triton: return "Triton";
    case ModelProgram::torchrun: return "torch.distributed";
    case ModelProgram::deepspeed: return "DeepSpeed";
    case ModelProgram::accelerate: return "accelerate";
    default: return {};
  }
}

/// Launchers of MPI, and the programs of nccl-tests and rccl-tests (all_reduce_perf ...).
bool is_collective(std::string_view program) { return program == "mpirun" || program == "mpiexec" || program.ends_with("_perf"); }

}  // namespace

SharedMemory shared_memory(const Container& container, const PodTemplate& pod) {
  using enum SharedMemory::State;
  if (pod.host_ipc.value_or(pod.host_ipc.unknown())) return {other, nullptr};
  const auto mount = std::find_if(container.mounts.begin(), container.mounts.end(), [](const VolumeMount& each) { return is_place(each.path); });
  if (mount == container.mounts.end()) return {default_size, nullptr};
  const auto volume = std::find_if(pod.volumes.begin(), pod.volumes.end(), [&](const Volume& each) { return each.name == mount->name; });
  if (volume == pod.volumes.end() || !volume->node->find("emptyDir")) return {other, nullptr};
  const Field<std::string_view>& medium = volume->empty_dir_medium;
  if (medium.absent() || medium.null() || (medium.known() && medium.value.empty())) return {on_disk, &*volume};
  return {medium.value_or("") == "Memory" ? in_memory : other, &*volume};
}

std::string_view sharing_program(const Container& container) {
  for (const Invocation& invocation : container.command_line.invocations) {
    if (is_collective(invocation.program)) return invocation.program;
    if (const std::string_view name = name_of_program(model_program(invocation, container)); !name.empty()) return name;
  }
  return name_of_program(model_server(container));
}

}  // namespace gpulint
