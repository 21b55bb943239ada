// ModelProgram: which known model server or launcher an invocation starts, by its name, its Python module or, where a container gives only
// arguments, by the image. Rules about options need it: `--tp` means something else to every program, and nothing to most.
#pragma once
#include <cstdint>

#include "rules/kube/container.h"

namespace gpulint {

enum class ModelProgram : std::uint8_t {
  none,          ///< not known: nothing can be said about its options
  vllm,          ///< also what takes vLLM's options: KServe's huggingfaceserver, Dynamo's vLLM worker
  sglang,
  tgi,           ///< Hugging Face Text Generation Inference
  lmdeploy,
  tensorrt_llm,  ///< trtllm-serve, Dynamo's TensorRT-LLM worker
  triton,
  llama_cpp,
  torchrun,      ///< torchrun, python -m torch.distributed.run (or .launch), torchtune's `tune run`
  deepspeed,
  accelerate,
  fastchat,
  ray,
  python,        ///< a script or module that is none of these
};

/// The program of one invocation of the container's command line.
ModelProgram model_program(const Invocation& invocation, const Container& container);

/// The program that the image starts where the container gives neither command nor args.
ModelProgram entrypoint_program(const Container& container);

}  // namespace gpulint
