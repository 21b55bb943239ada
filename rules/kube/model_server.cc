#include "rules/kube/model_server.h"

#include <algorithm>
#include <iterator>

#include "rules/kube/decode.h"

namespace gpulint {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;  // the API's numbers are 32 bits wide

/// A command of an exec probe that sends a request to the server.
bool sends_request(const Node& exec) {
  constexpr std::string_view kSigns[] = {"curl", "wget", "http://", "https://", "grpc_health_probe", "grpcurl"};
  const Node* command = sequence_of(exec.find("command"));
  if (!command) return false;
  return std::any_of(command->begin(), command->end(), [&](const Node& word) {
    return std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) { return word.text.find(sign) != std::string_view::npos; });
  });
}

bool asks_server(const Node& probe) {
  for (std::string_view key : {"httpGet", "tcpSocket", "grpc"})
    if (mapping_of(probe.find(key))) return true;
  const Node* exec = mapping_of(probe.find("exec"));
  return exec && sends_request(*exec);
}

/// False where the number is not known. The API takes 0 of a period or threshold as not written.
bool add_number(const Node& probe, std::string_view key, std::int64_t fallback, std::int64_t& number) {
  const Field<std::int64_t> field = integer_field(probe, key);
  number = field.known() && field.value != 0 ? field.value : fallback;
  return (field.absent() || field.null() || field.known()) && number >= 0 && number <= kMost;
}

}  // namespace

bool is_model_server(ModelProgram program) {
  using enum ModelProgram;
  constexpr ModelProgram kServers[] = {vllm, sglang, tgi, lmdeploy, tensorrt_llm, triton, llama_cpp};
  return std::find(std::begin(kServers), std::end(kServers), program) != std::end(kServers);
}

ModelProgram model_server(const Container& container) {
  for (const Invocation& invocation : container.command_line.invocations)
    if (const ModelProgram program = model_program(invocation, container); is_model_server(program)) return program;
  if (container.command_line.has_command || !container.command_line.invocations.empty()) return ModelProgram::none;
  const ModelProgram program = entrypoint_program(container);
  return is_model_server(program) ? program : ModelProgram::none;
}

Probe probe_of(const Container& container, std::string_view key) {
  Probe probe;
  probe.node = container.node ? mapping_of(container.node->find(key)) : nullptr;
  if (!probe.node) return probe;
  probe.asks_server = asks_server(*probe.node);
  std::int64_t delay = 0, period = 0, failures = 0;
  probe.known = add_number(*probe.node, "initialDelaySeconds", 0, delay) && add_number(*probe.node, "periodSeconds", 10, period) &&
                add_number(*probe.node, "failureThreshold", 3, failures);
  if (probe.known) probe.gives_up = delay + period * failures;
  return probe;
}

}  // namespace gpulint
