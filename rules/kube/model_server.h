// ModelServer: whether a container runs a known model server, and how long its probes give it to load a model.
// Sources: Probe (core/v1) with its defaults; the servers' documented programs (model_program.h).
#pragma once
#include <cstdint>
#include <string_view>

#include "rules/kube/model_program.h"

namespace gpulint {

/// Programs that download and load a model before they answer.
bool is_model_server(ModelProgram program);

/// The model server that the command line starts; by the image only where the container gives no command. ModelProgram::none: no known one.
ModelProgram model_server(const Container& container);

struct Probe {
  const Node* node = nullptr;  ///< the probe's mapping; null when there is none
  bool asks_server = false;    ///< HTTP, TCP, gRPC, or a command that sends a request; not one that only looks for a process
  bool known = false;          ///< its numbers are known
  std::int64_t gives_up = 0;   ///< seconds after which the container is restarted: initialDelaySeconds + periodSeconds x failureThreshold
};

/// `livenessProbe` or `startupProbe` of the container, with the API's defaults for what is not written.
Probe probe_of(const Container& container, std::string_view key);

}  // namespace gpulint
