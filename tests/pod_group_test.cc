// Which pods work together, and how many GPUs they have: one row a kind.
#include "rules/kube/pod_group.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";

std::string spec(int gpus) {
  return "spec: {containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: " + std::to_string(gpus) + "}}}]}";
}
std::string pod(int gpus) { return "template: {" + spec(gpus) + "}"; }
std::string object(const std::string& api_version, const std::string& kind, const std::string& fields) {
  return "apiVersion: " + api_version + "\nkind: " + kind + "\nmetadata: {name: sample}\nspec: {" + fields + "}";
}

/// `2 pods, 16 GPUs`, of the group of the first template that asks for GPUs; `unknown` where nothing can be said.
std::string group_of(const std::string& yaml) {
  const Sample sample(yaml);
  for (const PodTemplate& one : sample.pods)
    if (one.first_ask()) {
      const std::optional<PodGroup> group = pod_group(one, kGpu, sample.accelerators);
      return group ? std::to_string(group->pods) + " pods, " + std::to_string(group->gpus) + " GPUs" : "unknown";
    }
  return "no template";
}

struct Row {
  std::string api_version, kind, fields, expected;
};

}  // namespace

TEST_CASE("copies work each by themselves") {
  const Row rows[] = {
      {"apps/v1", "Deployment", "replicas: 3, " + pod(2), "1 pods, 2 GPUs"},
      {"apps/v1", "StatefulSet", "replicas: 3, " + pod(2), "1 pods, 2 GPUs"},
      {"argoproj.io/v1alpha1", "Rollout", "replicas: 3, " + pod(2), "1 pods, 2 GPUs"},
      {"serving.knative.dev/v1", "Service", pod(2), "1 pods, 2 GPUs"},
      {"batch/v1", "Job", pod(2), "1 pods, 2 GPUs"},
      {"example.com/v1", "Farm", "replicas: 3, " + pod(2), "unknown"},
  };
  for (const Row& row : rows) CHECK_MESSAGE(group_of(object(row.api_version, row.kind, row.fields)) == row.expected, row.kind, " ", row.fields);
}

TEST_CASE("pods of one job work together") {
  const std::string two_roles = "{Master: {" + pod(2) + "}, Worker: {replicas: 3, " + pod(2) + "}}";
  const std::string jobs = "{name: a, replicas: 2, template: {spec: {parallelism: 2, completions: 2, " + pod(4) + "}}}";
  const Row rows[] = {
      {"batch/v1", "Job", "parallelism: 4, completions: 4, " + pod(2), "4 pods, 8 GPUs"},
      {"batch/v1", "Job", "parallelism: 4, completions: 2, " + pod(2), "2 pods, 4 GPUs"},
      {"batch/v1", "Job", "parallelism: $PODS, " + pod(2), "unknown"},
      {"kubeflow.org/v1", "PyTorchJob", "pytorchReplicaSpecs: " + two_roles, "4 pods, 8 GPUs"},
      {"kubeflow.org/v1", "TFJob", "tfReplicaSpecs: " + two_roles, "4 pods, 8 GPUs"},
      {"kubeflow.org/v2beta1", "MPIJob", "mpiReplicaSpecs: {Worker: {replicas: 2, " + pod(4) + "}}", "2 pods, 8 GPUs"},
      {"jobset.x-k8s.io/v1alpha2", "JobSet", "replicatedJobs: [" + jobs + "]", "4 pods, 16 GPUs"},
      {"trainer.kubeflow.org/v1alpha1", "TrainJob", "trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}", "2 pods, 8 GPUs"},
      {"trainer.kubeflow.org/v1alpha1", "TrainJob", "trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}", "unknown"},
      {"trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime",
       "mlPolicy: {numNodes: 2}, template: {spec: {replicatedJobs: [{name: node, template: {spec: {" + pod(4) + "}}}]}}", "2 pods, 8 GPUs"},
  };
  for (const Row& row : rows) CHECK_MESSAGE(group_of(object(row.api_version, row.kind, row.fields)) == row.expected, row.kind, " ", row.fields);
}

TEST_CASE("servers of several pods") {
  const std::string lws = "leaderWorkerTemplate: {size: 3, ";
  const std::string leader = "leaderTemplate: {" + spec(1) + "}, ", worker = "workerTemplate: {" + spec(4) + "}}";
  const std::string ray = "headGroupSpec: {" + pod(2) + "}, workerGroupSpecs: [{groupName: a, ";
  const std::string roles = "template: {spec: {roles: [{name: prefill, replicas: 3, podGroupSize: 2, " + pod(4) + "}]}}";
  const std::string services = "services: {Worker: {multinode: {nodeCount: 2}, resources: {limits: {gpu: '4'}}, extraPodSpec: {mainContainer: {image: a}}}}";
  const std::string service = "template: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 8}}}]}, "
                              "worker: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 8}}}]}";
  const Row rows[] = {
      {"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", lws + leader + worker, "3 pods, 9 GPUs"},
      {"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", lws + worker, "3 pods, 12 GPUs"},
      {"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", lws + "subGroupPolicy: {subGroupSize: 1}, " + worker, "unknown"},
      {"ray.io/v1", "RayCluster", ray + "replicas: 2, " + pod(4) + "}]", "3 pods, 10 GPUs"},
      {"ray.io/v1", "RayCluster", ray + "replicas: 2, numOfHosts: 2, " + pod(4) + "}]", "5 pods, 18 GPUs"},
      {"ray.io/v1", "RayCluster", ray + "replicas: 1, maxReplicas: 4, " + pod(4) + "}]", "5 pods, 18 GPUs"},
      {"orchestration.aibrix.ai/v1alpha1", "RayClusterFleet", "template: {spec: {" + ray + "replicas: 1, " + pod(2) + "}]}}", "2 pods, 4 GPUs"},
      {"orchestration.aibrix.ai/v1alpha1", "StormService", roles, "2 pods, 8 GPUs"},
      {"nvidia.com/v1alpha1", "DynamoGraphDeployment", services, "2 pods, 8 GPUs"},
      {"serving.kserve.io/v1alpha1", "LLMInferenceService", "parallelism: {data: 16, dataLocal: 8}, " + service, "2 pods, 16 GPUs"},
      {"serving.kserve.io/v1alpha1", "LLMInferenceService", "parallelism: {pipeline: 3}, " + service, "3 pods, 24 GPUs"},
      {"serving.kserve.io/v1alpha1", "LLMInferenceService", service, "unknown"},
  };
  for (const Row& row : rows) CHECK_MESSAGE(group_of(object(row.api_version, row.kind, row.fields)) == row.expected, row.kind, " ", row.fields);
}

TEST_CASE("charts that say that they spread over nodes are no single pods") {
  const std::string container = "image: a\nresources: {limits: {nvidia.com/gpu: 8}}\n";
  CHECK(group_of(container) == "1 pods, 8 GPUs");
  CHECK(group_of("multinode: true\n" + container) == "unknown");
  CHECK(group_of("multinode: false\n" + container) == "1 pods, 8 GPUs");
}
