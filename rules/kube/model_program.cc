#include "rules/kube/model_program.h"

#include <algorithm>
#include <iterator>

#include "rules/kube/decode.h"
#include "rules/kube/image_reference.h"
#include "rules/kube/path_text.h"

namespace gpulint {
namespace {

using enum ModelProgram;

struct Name {
  std::string_view name;  ///< a module: also in front of a `.`
  ModelProgram program;
};

constexpr Name kPrograms[] = {
    {"vllm", vllm},         {"sglang", sglang},       {"text-generation-launcher", tgi}, {"text-generation-server", tgi},
    {"lmdeploy", lmdeploy}, {"trtllm-serve", tensorrt_llm}, {"tritonserver", triton},    {"llama-server", llama_cpp},
    {"torchrun", torchrun}, {"tune", torchrun},       {"deepspeed", deepspeed},          {"accelerate", accelerate},
    {"ray", ray},
};

constexpr Name kModules[] = {
    {"vllm", vllm},
    {"huggingfaceserver", vllm},
    {"dynamo.vllm", vllm},
    {"sglang", sglang},
    {"dynamo.sglang", sglang},
    {"lmdeploy", lmdeploy},
    {"dynamo.trtllm", tensorrt_llm},
    {"torch.distributed.run", torchrun},
    {"torch.distributed.launch", torchrun},
    {"accelerate.commands.launch", accelerate},
    {"fastchat", fastchat},
};

/// Parts of an image's own name, in order: routers and exporters beside a server have its name too.
constexpr Name kImages[] = {
    {"router", none},
    {"exporter", none},
    {"vllm", vllm},
    {"huggingfaceserver", vllm},
    {"sglang", sglang},
    {"text-generation-inference", tgi},
    {"tritonserver", triton},
};

ModelProgram by_module(std::string_view module) {
  for (const Name& known : kModules)
    if (module == known.name || (module.starts_with(known.name) && module[known.name.size()] == '.')) return known.program;
  return python;
}

/// `python3 -u -m vllm.entrypoints.openai.api_server`; code after -c is nobody's option.
ModelProgram by_python(const std::vector<Word>& words, std::size_t at) {
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word == "-m") return i + 1 < words.size() ? by_module(words[i + 1].text) : none;
    if (word == "-c") return none;
    if (word == "-W" || word == "-X") ++i;
    else if (!word.starts_with('-')) break;
  }
  return python;
}

ModelProgram by_word(const std::vector<Word>& words, std::size_t at) {
  const std::string_view program = base_name(words[at].text);
  if (program.starts_with("python")) return by_python(words, at);
  for (const Name& known : kPrograms)
    if (program == known.name) return known.program;
  return none;
}

/// The image's entrypoint; of a KServe model without an image, the server of its format.
ModelProgram by_image(const Container& container) {
  const Node* format = container.node ? mapping_of(container.node->find("modelFormat")) : nullptr;
  if (const std::string_view name = format ? text_of(format->find("name")) : std::string_view(); name == "huggingface" || name == "vLLM") return vllm;
  const ImageReference image = ImageReference::parse(container.image.value_or(""));
  const std::string_view own = base_name(image.repository);
  for (const Name& known : kImages)
    if (own.find(known.name) != std::string_view::npos) return known.program;
  return none;
}

}  // namespace

ModelProgram model_program(const Invocation& invocation, const Container& container) {
  const std::vector<Word>& words = invocation.words;
  if (words.empty()) return none;
  // Entrypoints that run their arguments are common: args may name the program as well.
  const ModelProgram named = words.front().text.starts_with('-') ? none : by_word(words, 0);
  if (named != none || !invocation.program.empty()) return named;
  return by_image(container);
}

ModelProgram entrypoint_program(const Container& container) { return by_image(container); }

}  // namespace gpulint
