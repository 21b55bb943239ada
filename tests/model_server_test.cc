// Which containers run a model server, when their probes give up, and what they have at /dev/shm.
#include "rules/kube/model_server.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rules/document/document.h"
#include "rules/kube/object_view.h"
#include "rules/kube/shared_memory.h"

namespace gpulint {
namespace {

/// The pod of this spec, in flow style, and its first container.
template <class Visit>
void with_pod(std::string_view spec, Visit visit) {
  const Source source("pod.yaml", fmt::format("apiVersion: v1\nkind: Pod\nspec: {}\n", spec));
  const AcceleratorTable accelerators;
  const Documents documents = read_manifest(source, {});
  REQUIRE(documents.list.size() == 1);
  const std::vector<ObjectView> objects = objects_in(documents.list.front(), accelerators);
  REQUIRE_MESSAGE(objects.size() == 1, spec);
  const std::vector<PodTemplate> templates = pod_templates(objects.front(), accelerators);
  REQUIRE_MESSAGE(templates.size() == 1, spec);
  REQUIRE_FALSE(templates.front().containers.empty());
  visit(templates.front(), templates.front().containers.front());
}

TEST_CASE("model servers are known by their program, and by the image where no command is given") {
  struct Row {
    std::string_view container;
    ModelProgram expected;
  };
  constexpr Row kRows[] = {
      {"{name: a, image: 'vllm/vllm-openai:v0.6.3'}", ModelProgram::vllm},
      {"{name: a, image: 'vllm/vllm-openai:v0.6.3', args: [--model, m]}", ModelProgram::vllm},
      {"{name: a, image: 'vllm/vllm-openai:v0.6.3', command: [sleep, infinity]}", ModelProgram::none},
      {"{name: a, image: 'example/a', command: [vllm, serve, m]}", ModelProgram::vllm},
      {"{name: a, image: 'example/a', command: [sh, -c, 'cd /x && exec python3 -m sglang.launch_server']}", ModelProgram::sglang},
      {"{name: a, image: 'example/a', command: [torchrun, train.py]}", ModelProgram::none},
      {"{name: a, image: 'example/a'}", ModelProgram::none},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.container);
    with_pod(fmt::format("{{containers: [{}]}}", row.container), [&](const PodTemplate&, const Container& container) { CHECK(model_server(container) == row.expected); });
  }
}

TEST_CASE("a probe gives up after its delay and its failures, with the defaults of the API") {
  struct Row {
    std::string_view probe;
    bool asks_server, known;
    std::int64_t gives_up;
  };
  constexpr Row kRows[] = {
      {"{httpGet: {port: 80}}", true, true, 30},
      {"{tcpSocket: {port: 80}, initialDelaySeconds: 60, periodSeconds: 5, failureThreshold: 4}", true, true, 80},
      {"{grpc: {port: 80}, periodSeconds: 0, failureThreshold: 0}", true, true, 30},
      {"{exec: {command: [curl, localhost]}}", true, true, 30},
      {"{exec: {command: [sh, -c, 'wget -q localhost']}}", true, true, 30},
      {"{exec: {command: [pgrep, vllm]}}", false, true, 30},
      {"{periodSeconds: 5}", false, true, 15},
      {"{httpGet: {port: 80}, initialDelaySeconds: '${DELAY}'}", true, false, 0},
      {"{httpGet: {port: 80}, initialDelaySeconds: -1}", true, false, 0},
      {"{httpGet: {port: 80}, periodSeconds: 9223372036854775807}", true, false, 0},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.probe);
    with_pod(fmt::format("{{containers: [{{name: a, livenessProbe: {}}}]}}", row.probe), [&](const PodTemplate&, const Container& container) {
      const Probe probe = probe_of(container, "livenessProbe");
      CHECK(probe.node != nullptr);
      CHECK(probe.asks_server == row.asks_server);
      CHECK(probe.known == row.known);
      CHECK(probe.gives_up == row.gives_up);
      CHECK(probe_of(container, "startupProbe").node == nullptr);
    });
  }
}

TEST_CASE("what is at /dev/shm") {
  using enum SharedMemory::State;
  struct Row {
    std::string_view volumes, mounts;
    SharedMemory::State expected;
  };
  constexpr Row kRows[] = {
      {"[]", "[]", default_size},
      {"[{name: v, emptyDir: {medium: Memory}}]", "[{name: v, mountPath: /dev/shm}]", in_memory},
      {"[{name: v, emptyDir: {medium: Memory}}]", "[{name: v, mountPath: /dev/shm/}]", in_memory},
      {"[{name: v, emptyDir: {medium: Memory}}]", "[{name: v, mountPath: /cache}]", default_size},
      {"[{name: v, emptyDir: {}}]", "[{name: v, mountPath: /dev/shm}]", on_disk},
      {"[{name: v, emptyDir: }]", "[{name: v, mountPath: /dev/shm}]", on_disk},
      {"[{name: v, emptyDir: {medium: ''}}]", "[{name: v, mountPath: /dev/shm}]", on_disk},
      {"[{name: v, emptyDir: {medium: '${MEDIUM}'}}]", "[{name: v, mountPath: /dev/shm}]", other},
      {"[{name: v, hostPath: {path: /dev/shm}}]", "[{name: v, mountPath: /dev/shm}]", other},
      {"[{name: v, hostPath: {path: /dev}}]", "[{name: v, mountPath: /dev}]", other},
      {"[]", "[{name: claim, mountPath: /dev/shm}]", other},
  };
  for (const Row& row : kRows)
    for (const bool host_ipc : {false, true}) {
      CAPTURE(row.volumes);
      CAPTURE(row.mounts);
      with_pod(fmt::format("{{hostIPC: {}, volumes: {}, containers: [{{name: a, volumeMounts: {}}}]}}", host_ipc, row.volumes, row.mounts),
               [&](const PodTemplate& pod, const Container& container) { CHECK(shared_memory(container, pod).state == (host_ipc ? other : row.expected)); });
    }
}

TEST_CASE("programs that share memory between GPUs") {
  struct Row {
    std::string_view command, expected;
  };
  constexpr Row kRows[] = {
      {"[torchrun, train.py]", "torch.distributed"}, {"[python3, -m, torch.distributed.run, train.py]", "torch.distributed"},
      {"[deepspeed, train.py]", "DeepSpeed"},        {"[sh, -c, 'mpirun -np 2 ./a']", "mpirun"},
      {"[/opt/all_gather_perf]", "all_gather_perf"}, {"[vllm, serve, m]", "vLLM"},
      {"[python3, train.py]", ""},                   {"[llama-server]", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.command);
    with_pod(fmt::format("{{containers: [{{name: a, command: {}}}]}}", row.command),
             [&](const PodTemplate&, const Container& container) { CHECK(sharing_program(container) == row.expected); });
  }
}

}  // namespace
}  // namespace gpulint
