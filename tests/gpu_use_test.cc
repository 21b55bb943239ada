// How many GPUs a command line or an object speaks of.
#include "rules/kube/gpu_use.h"

#include <doctest/doctest.h>

#include <string>

#include "rules/kube/model_program.h"
#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

namespace {

/// `4 of the pod`, `16 of the group`, `16 of the group by Ray`; one a use, joined by `; `.
std::string listed(const std::vector<GpuUse>& uses) {
  std::string text;
  for (const GpuUse& use : uses)
    text += (text.empty() ? "" : "; ") + std::to_string(use.count) + (use.of_group ? " of the group" : " of the pod") + (use.needs_others ? " and others" : "") +
            (use.distributed ? " by Ray" : "");
  return text;
}

std::string container_yaml(const std::string& fields) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}, " + fields + "}]}";
}

std::string uses_of(const std::string& fields) { return listed(gpu_uses(Sample(container_yaml(fields)).container())); }

struct Row {
  const char* fields;
  const char* expected;
};

}  // namespace

TEST_CASE("which program an invocation starts") {
  struct ProgramRow { const char* fields; ModelProgram program; };
  constexpr ProgramRow kRows[] = {
      {"image: a, command: [vllm, serve, m]", ModelProgram::vllm},
      {"image: a, command: [/usr/local/bin/vllm, serve, m]", ModelProgram::vllm},
      {"image: a, command: [python3, -u, -m, vllm.entrypoints.openai.api_server]", ModelProgram::vllm},
      {"image: a, command: [python3, -m, vllmish]", ModelProgram::python},
      {"image: a, command: [python, -m, huggingfaceserver]", ModelProgram::vllm},
      {"image: a, command: [python3, -W, ignore, train.py]", ModelProgram::python},
      {"image: a, command: [python3, -c, 'print(1)']", ModelProgram::none},
      {"image: a, command: [numactl, -N, '0', torchrun, train.py]", ModelProgram::torchrun},
      {"image: a, command: [./server, --tp, '2']", ModelProgram::none},
      {"image: vllm/vllm-openai:v1, args: [--model, m]", ModelProgram::vllm},
      {"image: example/vllm-router:v1, args: [--model, m]", ModelProgram::none},
      {"image: lmsysorg/sglang:v1, args: [python3, -m, sglang.launch_server]", ModelProgram::sglang},
      {"image: a, args: [--model, m]", ModelProgram::none},
      {"modelFormat: {name: huggingface}, args: [--model_name, m]", ModelProgram::vllm},
  };
  for (const ProgramRow& row : kRows) {
    CAPTURE(row.fields);
    const Sample sample(container_yaml(row.fields));
    REQUIRE_FALSE(sample.container().command_line.invocations.empty());
    CHECK(static_cast<int>(model_program(sample.container().command_line.invocations.front(), sample.container())) == static_cast<int>(row.program));
  }
}

TEST_CASE("GPUs that a command line speaks of") {
  constexpr Row kRows[] = {
      {"image: a, command: [vllm, serve, m]", ""},
      {"image: a, command: [vllm, serve, m, --tensor-parallel-size, '4']", "4 of the group"},
      {"image: a, command: [vllm, serve, m, --tensor_parallel_size=4, -pp, '2']", "8 of the group"},
      {"image: a, command: [vllm, serve, m, -tp, '4', -tp, '2']", "2 of the group"},
      {"image: a, command: [vllm, serve, m, --tensor-parallel-size, $(TP)]", ""},
      {"image: a, command: [vllm, serve, m, --tensor-parallel-size, '4', --pipeline-parallel-size, $(PP)]", ""},
      {"image: a, command: [vllm, serve, m, -tp, '2', --data-parallel-size, '4']", "8 of the group"},
      {"image: a, command: [vllm, serve, m, -tp, '2', -dp, '16', --data-parallel-size-local, '4']", "8 of the pod"},
      {"image: a, command: [vllm, serve, m, -tp, '2', -dp, '16', --data-parallel-rank, '3']", "2 of the pod"},
      {"image: a, command: [vllm, serve, m, -tp, '2', -dp, '4', --data-parallel-address, a]", "8 of the group and others"},
      {"image: a, command: [vllm, serve, m, -tp, '16', --distributed-executor-backend, ray]", "16 of the group by Ray"},
      {"image: a, command: [python, -m, sglang.launch_server, --tp, '16', --nnodes, '2']", "8 of the pod"},
      {"image: a, command: [python, -m, sglang.launch_server, --tp, '16', --nnodes, $(N)]", "16 of the group and others"},
      {"image: a, command: [python, -m, sglang.launch_server, --tp, '8', --dp, '8']", "64 of the group"},
      {"image: a, command: [python, -m, sglang.launch_server, --tp, '8', --dp, '8', --enable-dp-attention]", "8 of the group"},
      {"image: a, command: [trtllm-serve, serve, m, --tp_size, '4', --pp_size, '2']", "8 of the group"},
      {"image: a, command: [lmdeploy, serve, api_server, m, --tp, '2']", "2 of the pod"},
      {"image: a, command: [torchrun, --nnodes=4, --nproc_per_node=8, train.py]", "8 of the pod"},
      {"image: a, command: [torchrun, --nproc_per_node=auto, train.py]", ""},
      {"image: a, command: [deepspeed, --num_gpus=8, train.py]", "8 of the pod"},
      {"image: a, command: [ray, start, --num-gpus=2]", "2 of the pod"},
      {"image: a, command: [ray, job, submit, --num-gpus=2]", ""},
      {"image: a, command: [text-generation-launcher, --num-shard, '2']", "2 of the pod"},
      {"image: huggingface/text-generation-inference:2, args: [--model-id, m], env: [{name: NUM_SHARD, value: '2'}]", "2 of the pod"},
      {"image: a, command: [sh, -c, 'ray start --head && vllm serve m --tensor-parallel-size 16']", "16 of the group by Ray"},
      {"image: a, command: [sh, -c, 'vllm serve a -tp 2 & vllm serve b -tp 1']", "2 of the group; 1 of the group"},
      {"image: a, command: [vllm, serve, m, -tp, '99999999999999999999']", ""},
      {"image: a, command: [vllm, serve, m, -tp, '-1']", ""},
      {"image: a, command: [./server, --tensor-parallel-size, '4']", ""},
  };
  for (const Row& row : kRows) CHECK_MESSAGE(uses_of(row.fields) == row.expected, row.fields, " gives ", uses_of(row.fields));
}

TEST_CASE("GPUs that an object speaks of") {
  const std::string template_of_one = "template: {spec: {containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}";
  const std::string pods = "template: {containers: [{name: main}]}", worker = ", worker: {containers: [{name: main}]}";
  struct ObjectRow { std::string head, spec, expected; };
  const ObjectRow rows[] = {
      {"apiVersion: kubeflow.org/v1\nkind: PyTorchJob", "nprocPerNode: '4', pytorchReplicaSpecs: {Worker: {" + template_of_one + "}}", "4 of the pod"},
      {"apiVersion: kubeflow.org/v1\nkind: PyTorchJob", "nprocPerNode: gpu, pytorchReplicaSpecs: {Worker: {" + template_of_one + "}}", ""},
      {"apiVersion: kubeflow.org/v2beta1\nkind: MPIJob", "slotsPerWorker: 2, mpiReplicaSpecs: {Worker: {" + template_of_one + "}}", "2 of the pod"},
      {"apiVersion: kubeflow.org/v2beta1\nkind: MPIJob", "slotsPerWorker: 2, mpiReplicaSpecs: {Launcher: {" + template_of_one + "}}", ""},
      {"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob",
       "trainer: {numProcPerNode: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}", "2 of the pod"},
      {"apiVersion: ray.io/v1\nkind: RayCluster", "workerGroupSpecs: [{groupName: a, rayStartParams: {num-gpus: '2'}, " + template_of_one + "}]", "2 of the pod"},
      {"apiVersion: ray.io/v1\nkind: RayCluster",
       "workerGroupSpecs: [{groupName: a, resources: {GPU: '3'}, rayStartParams: {num-gpus: '2'}, " + template_of_one + "}]", "3 of the pod"},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService", "parallelism: {tensor: 4}, " + pods, "4 of the pod"},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService", "parallelism: {tensor: 4, pipeline: 2}, " + pods, "8 of the pod"},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService", "parallelism: {tensor: 4, pipeline: 2}, " + pods + worker, "4 of the pod"},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService", "parallelism: {tensor: 1, data: 16, dataLocal: 8}, " + pods + worker, "8 of the pod"},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService", "parallelism: {tensor: 1, data: 16}, " + pods, ""},
      {"apiVersion: apps/v1\nkind: Deployment", "nprocPerNode: 4, " + template_of_one, ""},
  };
  for (const ObjectRow& row : rows) {
    CAPTURE(row.spec);
    const Sample sample(row.head + "\nmetadata: {name: sample}\nspec: {" + row.spec + "}");
    CHECK(listed(declared_gpu_uses(sample.pod())) == row.expected);
  }
}
