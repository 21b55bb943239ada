// DockerOptions: options of `docker run` that concern GPUs (--gpus, --runtime=nvidia), as they turn up in command and args,
// and what shows that Docker was meant: only Docker knows some values, and some options stand only on its command line.
// Sources: Docker CLI reference of `docker run`; docker/cli opts/gpus.go for the values of --gpus.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rules/kube/command_line.h"

namespace gpulint {

struct DockerOption {
  const Word* flag = nullptr;
  const Word* value_word = nullptr;  ///< null where flag and value are one word
  std::string text;                  ///< flag and value: `--gpus all`
  bool only_docker = false;          ///< the value is one that no other program has (`all`, `device=0,1`), or Docker's neighbours stand by it
};

/// The options of one invocation of the line, in order.
std::vector<DockerOption> docker_options(const CommandLine& line, const Invocation& invocation);

/// The word that names the engine in `docker run`, `podman create`, `nerdctl container run` ..., also behind sudo or exec; null when there is none.
const Word* container_engine_run(const Invocation& invocation);

/// `all`, `device=...`, `count=...`, `capabilities=...`, `driver=...`, `options=...`, alone or in a list. A number or a list of numbers is not.
bool is_docker_gpus_value(std::string_view value);

}  // namespace gpulint
