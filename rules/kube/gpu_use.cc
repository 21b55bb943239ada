#include "rules/kube/gpu_use.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

#include "rules/kube/decode.h"
#include "rules/kube/model_program.h"
#include "rules/kube/node_path.h"
#include "rules/kube/object_view.h"

namespace gpulint {
namespace {

constexpr std::int64_t kMost = 1'000'000;  // beyond it a number is no number of GPUs

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number < 0 || number > kMost) return std::nullopt;
  return number;
}

/// One option under its names. The last use counts, as for the programs' own parsers.
struct Option {
  bool written = false;
  std::optional<std::int64_t> number;  ///< nothing where it is not written or no number
  const Word* flag = nullptr;
  std::string text;
};

/// The options of one invocation.
class Options {
 public:
  Options(const CommandLine& line, const Invocation& invocation) : line_(line), invocation_(invocation) {}

  /// Names of two dashes without them, of one dash with it (`-tp`).
  Option find(std::initializer_list<std::string_view> names) const {
    Option found;
    for (std::string_view name : names)
      for (const CommandLine::Option& option : line_.options(name)) {
        if (option.invocation != &invocation_ || (found.flag && found.flag > option.flag)) continue;
        const std::string flag = option.flag->text.substr(0, option.flag->text.find('='));
        found = {true, number_of(option.value), option.flag, flag + " " + option.value};
      }
    return found;
  }
  bool has(std::initializer_list<std::string_view> names) const { return find(names).written; }
  std::string value(std::string_view name) const {
    for (const CommandLine::Option& option : line_.options(name))
      if (option.invocation == &invocation_) return option.value;
    return {};
  }

 private:
  const CommandLine& line_;
  const Invocation& invocation_;
};

/// Ranks that multiply. Nothing where none is written, or one of those written is not known.
std::optional<GpuUse> multiply(std::initializer_list<Option> factors) {
  GpuUse use{.count = 1, .node = nullptr, .text = {}};
  for (const Option& factor : factors) {
    if (!factor.written) continue;
    if (!factor.number || use.count > kMost) return std::nullopt;
    use.count *= *factor.number;
    if (!use.node) use.node = factor.flag->node;
    // A factor of 1 changes nothing, and is named only where it is alone.
    if (!use.text.empty() && *factor.number == 1) continue;
    use.text += (use.text.empty() ? "" : " x ") + factor.text;
  }
  return use.node ? std::optional(std::move(use)) : std::nullopt;
}

/// `--nnodes 2`: the ranks are divided among so many pods, however the pods are made. Nothing where the number is not known: the group decides.
void divide_by_nodes(const Option& nodes, GpuUse& use) {
  use.of_group = true;
  use.needs_others = nodes.written && !nodes.number;
  if (!nodes.number || *nodes.number < 2 || use.count % *nodes.number != 0) return;
  use.count /= *nodes.number;
  use.of_group = false;
  use.text += " on each of " + std::to_string(*nodes.number) + " nodes";
}

std::optional<GpuUse> use_of_vllm(const Options& options) {
  const Option local = options.find({"data-parallel-size-local", "-dpl"});
  const bool one_rank = options.has({"data-parallel-rank", "-dpn"});  // each pod is one rank of many
  const Option data = one_rank ? Option() : local.written ? local : options.find({"data-parallel-size", "-dp"});
  auto use = multiply({options.find({"tensor-parallel-size", "-tp"}), options.find({"pipeline-parallel-size", "-pp"}), data,
                       options.find({"prefill-context-parallel-size", "-pcp"})});
  if (!use) return use;
  divide_by_nodes(options.find({"nnodes"}), *use);
  if (local.written || one_rank) use->of_group = false;
  use->needs_others |= options.has({"data-parallel-address", "data-parallel-start-rank", "data-parallel-hybrid-lb", "headless"});
  use->distributed = options.value("distributed-executor-backend") == "ray" || options.value("data-parallel-backend") == "ray";
  return use;
}

std::optional<GpuUse> use_of_sglang(const Options& options) {
  // With attention data-parallel the ranks lie inside the tensor-parallel ones.
  const bool inside = options.has({"enable-dp-attention"});
  auto use = multiply({options.find({"tensor-parallel-size", "tp-size", "tp"}), options.find({"pipeline-parallel-size", "pp-size", "pp"}),
                       inside ? Option() : options.find({"data-parallel-size", "dp-size", "dp"})});
  if (use) divide_by_nodes(options.find({"nnodes"}), *use);
  if (use) use->distributed = options.has({"use-ray"});
  return use;
}

std::optional<GpuUse> use_of_tensorrt_llm(const Options& options) {
  auto use = multiply({options.find({"tp-size", "tensor-parallel-size"}), options.find({"pp-size", "pipeline-parallel-size"})});
  if (use) use->of_group = true;
  return use;
}

/// The verb of programs that have several: `ray start`, `tune run`.
bool has_verb(const Invocation& invocation, std::string_view verb) {
  return invocation.words.size() > 1 && invocation.words[1].text == verb;
}

std::optional<GpuUse> use_of(ModelProgram program, const Invocation& invocation, const CommandLine& line) {
  const Options options(line, invocation);
  switch (program) {
    case ModelProgram::vllm: return use_of_vllm(options);
    case ModelProgram::sglang: return use_of_sglang(options);
    case ModelProgram::tensorrt_llm: return use_of_tensorrt_llm(options);
    case ModelProgram::tgi: return multiply({options.find({"num-shard"})});
    case ModelProgram::lmdeploy: return options.has({"dp"}) ? std::nullopt : multiply({options.find({"tp"})});
    case ModelProgram::torchrun: return multiply({options.find({"nproc-per-node"})});
    case ModelProgram::deepspeed: return multiply({options.find({"num-gpus"})});
    case ModelProgram::fastchat: return multiply({options.find({"num-gpus"})});
    case ModelProgram::ray: return has_verb(invocation, "start") ? multiply({options.find({"num-gpus"})}) : std::nullopt;
    default: return std::nullopt;
  }
}

/// A cluster made by hand: what runs beside `ray start` finds the GPUs of other pods too.
bool starts_ray(const Container& container) {
  const auto& all = container.command_line.invocations;
  return std::any_of(all.begin(), all.end(), [](const Invocation& invocation) { return invocation.program == "ray" && has_verb(invocation, "start"); });
}

std::optional<GpuUse> use_of_variable(const Container& container, std::string_view name) {
  const EnvironmentVariable* variable = container.variable(name);
  if (!variable || !variable->value.known()) return std::nullopt;
  const auto number = number_of(variable->value.value);
  if (!number) return std::nullopt;
  return GpuUse{.count = *number, .node = variable->value.node, .text = std::string(name) + " " + std::string(variable->value.value)};
}

std::optional<GpuUse> declared_at(const Node* node) {
  const auto number = node && node->is_scalar() ? number_of(node->text) : std::nullopt;
  if (!number) return std::nullopt;
  return GpuUse{.count = *number, .node = node, .text = std::string(node->key) + " " + std::string(node->text)};
}

/// KServe starts one vLLM in each pod: dataLocal ranks of `tensor` GPUs, or one stage of a pipeline.
std::optional<GpuUse> use_of_parallelism(const PodTemplate& pod) {
  const Node* owner = pod.owner_spec;
  const Node* parallelism = owner ? mapping_of(owner->find("parallelism")) : nullptr;
  if (!parallelism || pod.containers.empty()) return std::nullopt;
  const Container& main = pod.containers.front();
  // The pod's own command replaces the one that KServe would write, and further arguments come behind it.
  const EnvironmentVariable* further = main.variable("VLLM_ADDITIONAL_ARGS");
  const bool overridden = further && (!further->value.known() || further->value.value.find("parallel-size") != std::string_view::npos);
  if (main.command_line.has_command || overridden) return std::nullopt;
  const bool several_pods = owner->find("worker") != nullptr;
  const Node* local = parallelism->find("dataLocal");
  if (!several_pods && !local && parallelism->find("data")) return std::nullopt;
  const Node* factors[] = {parallelism->find("tensor"), local, several_pods ? nullptr : parallelism->find("pipeline")};
  GpuUse use{.count = 1, .node = nullptr, .text = {}};
  for (const Node* factor : factors) {
    if (!factor || factor->is_null()) continue;
    const auto one = declared_at(factor);
    if (!one || use.count > kMost) return std::nullopt;
    use.count *= one->count;
    if (!use.node) use.node = one->node;
    if (use.text.empty() || one->count != 1) use.text += (use.text.empty() ? "parallelism " : " x ") + one->text;
  }
  return use.node ? std::optional(std::move(use)) : std::nullopt;
}

/// KubeRay takes `resources.GPU` of the group before rayStartParams.
std::optional<GpuUse> use_of_ray_group(const PodTemplate& pod) {
  const Node* group = pod.partial || !pod.spec->parent ? nullptr : pod.spec->parent->parent;
  if (!group) return std::nullopt;
  const Node* resources = group->at("resources", "GPU");
  return declared_at(resources ? resources : group->at("rayStartParams", "num-gpus"));
}

}  // namespace

std::vector<GpuUse> gpu_uses(const Container& container) {
  std::vector<GpuUse> uses;
  bool serves_text = false;
  for (const Invocation& invocation : container.command_line.invocations) {
    const ModelProgram program = model_program(invocation, container);
    serves_text |= program == ModelProgram::tgi;
    if (auto use = use_of(program, invocation, container.command_line)) uses.push_back(std::move(*use));
  }
  if (serves_text && uses.empty())
    if (auto use = use_of_variable(container, "NUM_SHARD")) uses.push_back(std::move(*use));
  if (starts_ray(container))
    for (GpuUse& use : uses) use.distributed |= use.of_group;
  return uses;
}

std::vector<GpuUse> declared_gpu_uses(const PodTemplate& pod) {
  const ObjectView& object = *pod.object;
  const auto at = [&](std::string_view path) { return declared_at(first_match(*object.root, path)); };
  std::optional<GpuUse> use;
  if (object.is("kubeflow.org", "PyTorchJob") || object.is("sagemaker.amazonaws.com", "HyperPodPyTorchJob")) {
    use = at("spec.nprocPerNode");
    if (!use) use = at("spec.elasticPolicy.nProcPerNode");
  } else if (object.is("kubeflow.org", "MPIJob")) {
    if (pod.role == "Worker") use = at("spec.slotsPerWorker");
  } else if (object.is("trainer.kubeflow.org", "TrainJob")) {
    if (pod.role == "trainer") use = at("spec.trainer.numProcPerNode");
  } else if (object.group == "trainer.kubeflow.org") {
    if (pod.role == "node") use = at("spec.mlPolicy.torch.numProcPerNode");
    if (pod.role == "node" && !use) use = at("spec.mlPolicy.mpi.numProcPerNode");
  } else if (object.group == "ray.io" || object.kind == "RayClusterFleet") {
    use = use_of_ray_group(pod);
  } else if (object.is("serving.kserve.io", "LLMInferenceService")) {
    use = use_of_parallelism(pod);
  }
  return use ? std::vector<GpuUse>{std::move(*use)} : std::vector<GpuUse>{};
}

}  // namespace gpulint
