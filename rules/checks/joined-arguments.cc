#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/docker_options.h"
#include "rules/kube/model_server.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `--model`, `-tp`. Of one letter only, the parsers take the value from the same word as well (`-n 2`).
bool is_option_name(std::string_view text) {
  const auto in_name = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.'; };
  return text.size() > 2 && text[0] == '-' && (text[1] == '-' ? is_letter(text[2]) : is_letter(text[1])) &&
         std::all_of(text.begin(), text.end(), in_name);
}

/// `--model mistral`. `--opt=a b` is one option whose value has a blank.
bool joins_value(std::string_view text) {
  const std::size_t blank = text.find_first_of(kBlanks);
  return blank != std::string_view::npos && text.find_first_not_of(kBlanks, blank) != std::string_view::npos && is_option_name(text.substr(0, blank));
}

/// `--worker-args "--model mistral"`: that text is handed on to another program.
bool takes_command_line(std::string_view option) {
  constexpr std::string_view kEnds[] = {"args", "arg", "arguments", "flags", "opts", "options", "command", "cmd"};
  return option.starts_with('-') && option.find('=') == std::string_view::npos &&
         std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return option.ends_with(end); });
}

/// The elements that were meant; empty where that cannot be told: quotes, or several words behind one option. A JSON value keeps its blanks.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  bool value_expected = false;
  for (std::size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const bool json = value_expected && (text[at] == '{' || text[at] == '[');
    const std::size_t end = json ? text.find_last_not_of(kBlanks) + 1 : std::min(text.find_first_of(kBlanks, at), text.size());
    const std::string_view part = text.substr(at, end - at);
    const bool option = is_option_name(part.substr(0, part.find('=')));
    if ((!option && !value_expected) || (!json && part.find_first_of("\"'\\") != std::string_view::npos)) return {};
    value_expected = option && part.find('=') == std::string_view::npos;
    parts.emplace_back(part);
    at = end;
  }
  return parts;
}

std::vector<PatchOp> split(const Node& element, const Context& context) {
  const std::vector<std::string> parts = parts_of(element.text);
  const JsonPointer list = context.pointer(*element.parent);
  std::size_t index = 0;
  for (const Node* other = element.parent->first; other != &element; other = other->next) ++index;
  std::vector<PatchOp> ops;
  for (const std::string& part : parts) {
    ops.push_back((ops.empty() ? replace_op : add_op)(list.append(std::to_string(index)), json_string(part)));
    ++index;
  }
  return ops;
}

/// One line of at most 60 bytes, whole characters.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  bool cut = end < text.size() && text.find_first_not_of(kBlanks, end) != std::string_view::npos;
  if (end > kMost) {
    for (end = kMost; end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;) --end;
    cut = true;
  }
  return std::string(text.substr(0, end)) + (cut ? " ..." : "");
}

/// docker-gpus-flag speaks of what only Docker understands, and removes it.
bool is_docker_option(const Word& word, const std::vector<DockerOption>& options) {
  return std::any_of(options.begin(), options.end(), [&](const DockerOption& option) { return option.flag == &word && option.only_docker; });
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const bool asks = pod.asks_for_device() || pod.asks_by_annotation();
  for (const Invocation& invocation : container.command_line.invocations) {
    const ModelProgram program = model_program(invocation, container);
    if (program == ModelProgram::none || !(asks || is_model_server(program))) continue;
    const std::vector<DockerOption> docker = docker_options(container.command_line, invocation);
    const std::vector<Word>& words = invocation.words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      if (word.in_shell || !word.node || !word.node->parent || !word.node->parent->is_sequence() || !joins_value(word.text)) continue;
      if ((i > 0 && takes_command_line(words[i - 1].text)) || is_docker_option(word, docker)) continue;
      const std::string name = word.text.substr(0, word.text.find_first_of(kBlanks));
      context
          .warning(word.node, "{}: \"{}\" is one element: the program sees an unknown option of that name, not {} and its value", container.label(),
                   shortened(word.text), name)
          .fix(Safety::safe, fmt::format("Split {} and its value into two elements", name), split(*word.node, context));
    }
  }
}

// A server that asks for no GPU itself (a ServingRuntime) is known by its name only.
constexpr std::string_view kWords[] = {"huggingface", "text-generation-", "lmdeploy", "trtllm", "tritonserver", "llama-server", "vllm", "sglang"};

constexpr std::string_view kSources[] = {
    "Container.command and Container.args (core/v1)",
    "Python argparse: option and value are separate arguments, or joined by =",
    "vllm-project/vllm#4462",
    "microsoft/vscode-remote-release#2366",
};

}  // namespace

extern constinit const Rule joined_arguments{
    .id = "joined-arguments",
    .group = Group::command,
    .severity = Severity::warning,
    .fixability = Fixability::safe,
    .summary = "One element of command or args holds an option and its value.",
    .rationale =
        "Kubernetes splits nothing: each element reaches the program as one argument, blanks included. The program looks for an option whose name is the "
        "whole text, finds none, and stops with a message about an unknown argument.",
    .remediation = "Write option and value as two elements, or join them by `=`.",
    .details =
        "Warning: an element such as `\"--model mistral\"` of a known model server (vLLM, SGLang, Text Generation Inference, LMDeploy, TensorRT-LLM, Triton, "
        "llama.cpp), and in pods that ask for a GPU also of torchrun, DeepSpeed, Accelerate, FastChat, Ray and any Python program. The fix splits it; it is "
        "left out where quotes or several words behind the option leave open what was meant.\n\n"
        "Right, and no finding: scripts after `sh -c`, `--opt=a b`, values with blanks (JSON), options of one letter, and the value of an option that "
        "hands a command line on (`--worker-args`). Where docker-gpus-flag has the element removed, this rule is silent.",
    .sources = kSources,
    .words = kWords,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
