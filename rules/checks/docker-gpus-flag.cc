#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/docker_options.h"
#include "rules/kube/path_text.h"
#include "rules/kube/placeholder.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

bool is_engine_socket(std::string_view path) {
  constexpr std::string_view kSockets[] = {"docker.sock", "podman.sock", "containerd.sock"};
  return std::find(std::begin(kSockets), std::end(kSockets), base_name(path)) != std::end(kSockets);
}

/// A container engine that the command can reach may well know the option: one on the node, in the pod, behind DOCKER_HOST, or its own.
bool can_reach_engine(const Container& container, const PodTemplate& pod) {
  if (container.privileged.value_or(false) || container.variable("DOCKER_HOST")) return true;
  bool found = false;
  for (const VolumeMount& mount : container.mounts) found |= is_engine_socket(mount.path);
  for (const Volume& volume : pod.volumes) {
    const std::string_view path = volume.host_path.value_or("");
    found |= is_engine_socket(path) || path == "/var/run" || path == "/run";
  }
  pod.for_each_container([&](const Container& other) { found |= other.image.value_or("").find("dind") != std::string_view::npos; });
  return found;
}

bool is_own_program(const Invocation& invocation, const std::vector<std::string>& programs) {
  const auto listed = [&](std::string_view name) { return std::find(programs.begin(), programs.end(), name) != programs.end(); };
  const auto names_one = [&](const Word& word) { return listed(base_name(word.text)); };
  return listed(invocation.program) || std::any_of(invocation.words.begin(), invocation.words.end(), names_one);
}

/// One patch for all options of the line, elements removed from the back, as each removal moves those behind it. Empty where one of them
/// stands in a shell string, which is not taken apart.
std::vector<PatchOp> removal_of(const std::vector<DockerOption>& options, const Context& context) {
  std::vector<const Node*> elements;
  for (const DockerOption& option : options)
    for (const Word* word : {option.flag, option.value_word}) {
      if (!word || !option.only_docker) continue;
      if (word->in_shell || !word->node || !word->node->parent || !word->node->parent->is_sequence()) return {};
      elements.push_back(word->node);
    }
  std::sort(elements.begin(), elements.end(), [](const Node* left, const Node* right) { return left->span.begin > right->span.begin; });
  std::vector<PatchOp> ops;
  for (const Node* element : elements) ops.push_back(remove_op(context.pointer(*element)));
  return ops;
}

void report_engine(const Word& engine, const std::vector<DockerOption>& options, const Container& container, const PodTemplate& pod,
                   Context& context) {
  const std::string_view name = base_name(engine.text);
  if (options.empty() && !name.starts_with("nvidia-docker")) return;
  const std::string with = options.empty() ? "" : " with " + options.front().text;
  const Node* node = options.empty() ? engine.node : options.front().flag->node;
  if (can_reach_engine(container, pod))
    context.info(node, "{} starts containers by {}{}, whose GPUs the scheduler does not count", container.label(), name, with);
  else
    context.error(node, "{} starts containers by {}{}, and no container engine is in reach", container.label(), name, with);
}

void check_invocation(const Invocation& invocation, const Container& container, const PodTemplate& pod, Context& context) {
  const std::vector<DockerOption> options = docker_options(container.command_line, invocation);
  if (const Word* engine = container_engine_run(invocation)) {
    report_engine(*engine, options, container, pod, context);
    return;
  }
  const auto docker = std::find_if(options.begin(), options.end(), [](const DockerOption& option) { return option.only_docker; });
  if (docker != options.end()) {
    context.error(docker->flag->node, "{} passes {}, an option of docker run, to its program", container.label(), docker->text)
        .fix(Safety::unsafe, fmt::format("Remove {}", docker->text), removal_of(options, context));
    return;
  }
  for (const DockerOption& option : options)
    if (!holds_placeholder(option.text))
      context.info(option.flag->node, "{} passes {} to its program, whose own option it is; Kubernetes does not read it", container.label(), option.text);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const std::vector<std::string> programs = context.strings("programs");
  for (const Invocation& invocation : container.command_line.invocations) {
    const bool only_prints = invocation.program == "echo" || invocation.program == "printf";
    if (!only_prints && !is_own_program(invocation, programs)) check_invocation(invocation, container, pod, context);
  }
}

constexpr Parameter kParameters[] = {
    {.name = "programs",
     .type = Parameter::Type::strings,
     .description = "Base names of programs and scripts that have an option `--gpus` or `--runtime` of their own, whatever its value; nothing is "
                    "reported where one of them stands in the command.",
     .default_value = "cog, k3d, minikube"},
};

constexpr std::string_view kSources[] = {
    "Container.command and Container.args (core/v1)",
    "Docker CLI reference: docker run --gpus",
    "docker/cli opts/gpus.go",
    "NVIDIA/nvidia-docker#1686",
    "microsoft/vscode-remote-release#2366",
};

}  // namespace

extern constinit const Rule docker_gpus_flag{
    .id = "docker-gpus-flag",
    .group = Group::command,
    .severity = Severity::error,
    .fixability = Fixability::unsafe,
    .summary = "An option of docker run for GPUs (--gpus, --runtime=nvidia) or nvidia-docker stands in command or args.",
    .rationale =
        "Kubernetes hands command and args to the program as they are. An option of the Docker command line reaches no container engine there: "
        "the program refuses it or takes it for its own, and it neither asks for a GPU nor changes the runtime. GPUs are asked for in "
        "`resources.limits`.",
    .remediation =
        "Remove the option and ask for GPUs in `resources.limits`. Where the program has an option of that name and takes such a value, list the "
        "program in `programs`.",
    .details =
        "Error: a value that only Docker knows (`all`, `device=…`, `count=…`, `capabilities=…`), whatever the program; `--runtime=nvidia`; an "
        "argument list that starts with an option and holds others of docker run (`--rm`, `--shm-size`, `-v a:b` …); or a docker, podman or "
        "nerdctl run with such options and no engine in reach.\n\n"
        "Info: such a run in a privileged container, beside a mounted engine socket, DOCKER_HOST or a Docker-in-Docker container. And any other "
        "value, a number or a list of numbers: that is the program's own option (PyTorch Lightning, MXNet, mmcv, FastChat and many scripts have "
        "one), also where the program is not known.\n\n"
        "Strings after `sh -c` are split into commands; the fix leaves them alone. A value that is a placeholder is not judged.",
    .parameters = kParameters,
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
