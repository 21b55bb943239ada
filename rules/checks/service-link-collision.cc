#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/engine/run_facts.h"
#include "rules/kube/model_program.h"

namespace gpulint::checks {
namespace {

/// A Service of this name becomes variables that the program takes for its own settings: vllm -> VLLM_PORT=tcp://10.0.0.1:8000.
struct Prefix {
  std::string_view service, variable;
  ModelProgram program;
};
constexpr Prefix kPrefixes[] = {
    {"vllm", "VLLM_PORT", ModelProgram::vllm},
                                {"sglang", "SGLANG_PORT", ModelProgram::sglang},
                                {"ray", "RAY_PORT", ModelProgram::ray},
                                {"triton", "TRITON_PORT", ModelProgram::triton}};

const Prefix* prefix_of(const Container& container) {
  const auto runs = [&](const Prefix& prefix) {
    const auto& invocations = container.command_line.invocations;
    if (invocations.empty()) return entrypoint_program(container) == prefix.program;
    return std::any_of(invocations.begin(), invocations.end(), [&](const Invocation& one) { return model_program(one, container) == prefix.program; });
  };
  const auto found = std::find_if(std::begin(kPrefixes), std::end(kPrefixes), runs);
  return found == std::end(kPrefixes) ? nullptr : &*found;
}

/// Objects without a namespace go to the one they are applied to: the same for the files of one folder, unknown for others.
std::string place_of_object(const ObjectView& object, const Context& context) {
  if (!object.name_space.empty()) return std::string(object.name_space);
  const std::string_view file = context.source.name();
  const auto slash = file.rfind('/');
  return fmt::format("({})", slash == std::string_view::npos ? std::string_view() : file.substr(0, slash));
}

void propose(const PodTemplate& pod, const std::string& place, Context& context) {
  for (const Container& container : pod.containers) {
    const Prefix* prefix = prefix_of(container);
    if (!prefix) continue;
    FindingBuilder finding = context.propose(
        fmt::format("{}/{}", place, prefix->service), Severity::warning, container.node,
        fmt::format("{}: Service \"{}\" beside it gives it variables like {}=tcp://..., which the program takes for its own settings", container.label(),
                    prefix->service, prefix->variable));
    finding.in(container);
    if (!pod.partial) finding.fix(Safety::safe, "Set enableServiceLinks: false", {add_op(context.pointer(*pod.spec).append("enableServiceLinks"), "false")});
    return;
  }
}

void collect(const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  const std::string place = place_of_object(object, context);
  if (object.is("", "Service")) context.note("service", fmt::format("{}/{}", place, object.name));
  for (const PodTemplate& pod : templates)
    if (pod.enable_service_links.absent() || (pod.enable_service_links.known() && pod.enable_service_links.value)) propose(pod, place, context);
}

bool confirm(std::string_view service, const RunFacts& facts) { return facts.count("service", service) > 0; }

constexpr std::string_view kSources[] = {"vllm-project/vllm#34199", "opea-project/GenAIInfra#612", "defilantech/LLMKube#358", "PodSpec.enableServiceLinks (core/v1)"};
constexpr std::string_view kWords[] = {"name: vllm", "name: sglang", "name: ray", "name: triton"};

}  // namespace

extern constinit const Rule service_link_collision{
    .id = "service-link-collision",
    .group = Group::command,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "A Service is named like the variable prefix of a program that runs beside it.",
    .rationale = "For every Service of its namespace a container gets variables: a Service vllm gives VLLM_PORT=tcp://10.0.0.1:8000. vLLM reads VLLM_PORT as its port "
                 "number and ends at once.",
    .remediation = "Set `enableServiceLinks: false`, or give the Service another name.",
    .details = "Judged over the documents of a run: the same namespace, or where none is written, the same folder. Only a Service whose whole name is the prefix "
               "collides; `sglang-leader` does not. gpulint lint only.",
    .sources = kSources,
    .words = kWords,
    .check = on_run<collect, confirm>,
};

}  // namespace gpulint::checks
