// Options of `docker run` in command and args: which are Docker's, which may be the program's own.
#include "rules/kube/docker_options.h"

#include <doctest/doctest.h>

#include <string>

#include "rules/document/document.h"

using namespace gpulint;

namespace {

struct Read {
  explicit Read(std::string yaml) : source("c.yaml", std::move(yaml)), documents(read_manifest(source, ReadOptions{})) {
    const Node& root = *documents.list.front().root;
    line = CommandLine::parse(root.find("command"), root.find("args"));
  }
  /// `docker: --gpus all!`: the engine that is run, the options, `!` behind those that only Docker has.
  std::string shown() const {
    std::string text;
    for (const Invocation& invocation : line.invocations) {
      if (const Word* engine = container_engine_run(invocation)) text += engine->text + ": ";
      for (const DockerOption& option : docker_options(line, invocation)) text += option.text + (option.only_docker ? "! " : " ");
    }
    return text.substr(0, text.empty() ? 0 : text.size() - 1);
  }
  Source source;
  Documents documents;
  CommandLine line;
};

struct Row {
  const char* yaml;
  const char* expected;
};

}  // namespace

TEST_CASE("values of --gpus that only Docker has") {
  for (const char* value : {"all", "device=0,1", "\"device=0,1\"", "'\"device=GPU-8932f937\"'", "count=2", "all,capabilities=utility", "capabilities=compute",
                            "driver=nvidia,count=1", "1,options=x"})
    CHECK_MESSAGE(is_docker_gpus_value(value), value);
  for (const char* value : {"", "2", "0,1", "-1", "auto", "allowed", "[0,1]", "A100:2", "devices=0"}) CHECK_MESSAGE(!is_docker_gpus_value(value), value);
}

TEST_CASE("options in command and args") {
  constexpr Row kRows[] = {
      {"command: [python, train.py, --gpus, all]", "--gpus all!"},
      {"command: [python, train.py, --gpus=all]", "--gpus all!"},
      {"command: [python, train.py, --gpus, '2']", "--gpus 2"},
      {"command: [python, train.py, --gpus, '-1']", "--gpus -1"},
      {"command: [python, train.py, --gpus]", "--gpus"},
      {"command: [python, train.py, --gpus-per-node, '2', --num-gpus, '2']", ""},
      {"args: ['--gpus all']", "--gpus all!"},
      {"args: ['--gpus 2']", "--gpus 2"},
      {"args: [--gpus, '2']", "--gpus 2"},
      {"args: [--gpus, '2', --rm]", "--gpus 2!"},
      {"args: [--gpus, '2', --shm-size=8g]", "--gpus 2!"},
      {"args: [--gpus, '2', -v, '/a:/b']", "--gpus 2!"},
      {"args: [--gpus, '2', -v, verbose]", "--gpus 2"},
      {"args: [train.py, --gpus, '2', --device, cuda]", "--gpus 2"},
      {"command: [python, train.py, --gpus, '2', --device, cuda]", "--gpus 2"},
      {"args: [--runtime=nvidia, --gpus, '1']", "--gpus 1! --runtime nvidia!"},
      {"command: [serve, --runtime, onnx]", ""},
      {"command: [sh, -c, 'a --gpus 1; exec python t.py --gpus all']", "--gpus 1 --gpus all!"},
      {"command: [docker, run, --gpus, all, image]", "docker: --gpus all!"},
      {"command: [docker, --host, 'tcp://a', run, image]", "docker"},
      {"command: [/usr/bin/podman, container, run, image]", "/usr/bin/podman"},
      {"command: [sh, -c, 'sudo nvidia-docker run image']", "nvidia-docker"},
      {"command: [docker, ps]", ""},
      {"command: [deploy, docker, --gpus, all]", "--gpus all!"},
      {"args: [docker, run, --gpus, '1', image]", "docker: --gpus 1"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.yaml);
    std::string shown = Read(row.yaml).shown();
    if (shown.ends_with(':')) shown.pop_back();
    CHECK(shown == row.expected);
  }
}
