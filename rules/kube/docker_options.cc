#include "rules/kube/docker_options.h"
#include "rules/kube/path_text.h"

#include <algorithm>
#include <iterator>

namespace gpulint {
namespace {

constexpr std::string_view kEngines[] = {"docker", "podman", "nerdctl", "nvidia-docker", "nvidia-docker2", "ctr"};
constexpr std::string_view kRunVerbs[] = {"run", "create", "container"};
constexpr std::string_view kGpuKeys[] = {"device=", "count=", "capabilities=", "driver=", "options="};
constexpr std::string_view kNeighbours[] = {"--rm",         "-it",       "-ti",   "--shm-size", "--ipc",    "--ulimit",  "--device",
                                            "--privileged", "--network", "--net", "--pid",      "--volume", "--publish", "--runtime"};

template <std::size_t n>
bool is_one_of(std::string_view text, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

/// Docker's documentation writes `--gpus '"device=0,1"'`: the inner quotes belong to the value.
std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kQuotes = "\"'\\";
  const auto begin = text.find_first_not_of(kQuotes);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kQuotes) - begin + 1);
}

/// Only an argument list that starts with an option can be the tail of a `docker run` line; behind a program the options are its own.
bool has_neighbours(const Invocation& invocation) {
  const std::vector<Word>& words = invocation.words;
  if (!invocation.program.empty() || words.empty() || !words.front().text.starts_with("-")) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (is_one_of(text.substr(0, text.find('=')), kNeighbours)) return true;
    const bool takes_pair = text == "-v" || text == "-p";
    if (takes_pair && i + 1 < words.size() && words[i + 1].text.find(':') != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool is_docker_gpus_value(std::string_view value) {
  while (!value.empty()) {
    const auto comma = std::min(value.find(','), value.size());
    const std::string_view part = without_quotes(value.substr(0, comma));
    const auto has_key = [&](std::string_view key) { return part.starts_with(key); };
    if (part == "all" || std::any_of(std::begin(kGpuKeys), std::end(kGpuKeys), has_key)) return true;
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return false;
}

const Word* container_engine_run(const Invocation& invocation) {
  const std::vector<Word>& words = invocation.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_one_of(base_name(words[i].text), kEngines)) continue;
    // Options may stand between an engine and its verb (`docker --host X run`); an engine's name elsewhere is a name only with the verb next to it.
    const bool is_program = i == 0 && !invocation.program.empty();
    const std::size_t end = is_program ? words.size() : std::min(i + 2, words.size());
    for (std::size_t k = i + 1; k < end; ++k)
      if (is_one_of(words[k].text, kRunVerbs)) return &words[i];
  }
  return nullptr;
}

std::vector<DockerOption> docker_options(const CommandLine& line, const Invocation& invocation) {
  std::vector<DockerOption> found;
  for (const CommandLine::Option& option : line.options("gpus"))
    if (option.invocation == &invocation)
      found.push_back({option.flag, option.value_word, option.value.empty() ? "--gpus" : "--gpus " + option.value, is_docker_gpus_value(option.value)});
  for (const CommandLine::Option& option : line.options("runtime"))
    if (option.invocation == &invocation && option.value == "nvidia") found.push_back({option.flag, option.value_word, "--runtime nvidia", true});
  constexpr std::string_view kJoined = "--gpus ";  // flag and value in one element of the list
  for (const Word& word : invocation.words)
    if (word.text.starts_with(kJoined)) found.push_back({&word, nullptr, word.text, is_docker_gpus_value(word.text.substr(kJoined.size()))});
  if (has_neighbours(invocation))
    for (DockerOption& option : found) option.only_docker = true;
  return found;
}

}  // namespace gpulint
