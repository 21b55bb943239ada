// GpuUse: on how many GPUs a program is told to work, by its own options or by the object that starts it. Compared with what is asked for.
// Sources: the programs' documented options; the API fields named in gpu_use.cc.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "rules/kube/container.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

struct GpuUse {
  std::int64_t count = 0;
  bool of_group = false;     ///< counts GPUs of all pods that work together, else of this container
  bool needs_others = false; ///< runs on a number of pods that is not known from the options: in a group of one nothing can be said
  bool distributed = false;  ///< an executor (Ray) places the work: it may find more GPUs than the pod has
  const Node* node = nullptr;
  std::string text;          ///< as written: `--tensor-parallel-size 4 x --pipeline-parallel-size 2`
};

/// By the options of known programs in the command line. A program that gives no such option, or one whose value is not known, is left out.
std::vector<GpuUse> gpu_uses(const Container& container);

/// By the object: PyTorchJob nprocPerNode, MPIJob slotsPerWorker, TrainJob numProcPerNode, Ray num-gpus, LLMInferenceService parallelism.
/// Said of the main container of each pod; empty where the object says nothing of this template.
std::vector<GpuUse> declared_gpu_uses(const PodTemplate& pod);

}  // namespace gpulint
