// SharedMemory: what a container has at /dev/shm, and whether its program shares memory between GPUs through it.
// Runtimes give 64 MiB by default; NCCL and data loaders need more. Sources: NCCL documentation (troubleshooting, shared memory),
// EmptyDirVolumeSource (core/v1).
#pragma once
#include <string_view>

#include "rules/kube/pod_template.h"

namespace gpulint {

struct SharedMemory {
  enum class State : std::uint8_t {
    default_size,  ///< nothing is mounted there
    on_disk,       ///< an emptyDir without a medium
    in_memory,     ///< an emptyDir of medium Memory
    other,         ///< the node's own, by hostIPC or a mount, or something else that is mounted there
  };
  State state = State::default_size;
  const Volume* volume = nullptr;  ///< of on_disk and in_memory
};

SharedMemory shared_memory(const Container& container, const PodTemplate& pod);

/// The program that works on several GPUs with memory shared between them ("vLLM", "torchrun", "mpirun", "all_reduce_perf"); empty: none is known.
std::string_view sharing_program(const Container& container);

}  // namespace gpulint
