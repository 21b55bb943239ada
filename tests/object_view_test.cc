// Objects of a document, and where each kind keeps its pod templates and GPU asks.
#include "rules/kube/object_view.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;
using gpulint::test::summary;

namespace {

struct Row {
  std::string_view api_version;
  std::string_view kind;
  std::string_view body;      // flow style; C stands for a list of containers with one GPU
  std::string_view expected;  // see summary()
};

std::string with_containers(std::string body) {
  for (std::size_t at = body.find("<C>"); at != std::string::npos; at = body.find("<C>", at))
    body.replace(at, 3, "[{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]");
  return body;
}

#define ONE " container \"c\" nvidia.com/gpu=1\n"

constexpr Row kTemplates[] = {
    {"v1", "Pod", "spec: {containers: <C>}", "/spec" ONE},
    {"v1", "PodTemplate", "template: {spec: {containers: <C>}}", "/template/spec" ONE},
    {"v1", "ReplicationController", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"apps/v1", "Deployment", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"extensions/v1beta1", "DaemonSet", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"batch/v1", "Job", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"batch/v1", "CronJob", "spec: {jobTemplate: {spec: {template: {spec: {containers: <C>}}}}}", "/spec/jobTemplate/spec/template/spec" ONE},
    {"kubeflow.org/v1", "PyTorchJob", "spec: {pytorchReplicaSpecs: {Master: {template: {spec: {containers: <C>}}}, Worker: {template: {spec: {containers: <C>}}}}}",
     "/spec/pytorchReplicaSpecs/Master/template/spec role=Master" ONE "/spec/pytorchReplicaSpecs/Worker/template/spec role=Worker" ONE},
    {"kubeflow.org/v1alpha1", "TFJob", "spec: {replicaSpecs: [{tfReplicaType: PS, template: {spec: {containers: <C>}}}]}", "/spec/replicaSpecs/0/template/spec role=PS" ONE},
    {"kubeflow.org/v2beta1", "MPIJob", "spec: {mpiReplicaSpecs: {Launcher: {template: {spec: {containers: <C>}}}}}", "/spec/mpiReplicaSpecs/Launcher/template/spec role=Launcher" ONE},
    {"kubeflow.org/v1alpha2", "MPIJob", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"kubeflow.org/v1alpha1", "MPIJob", "spec: {gpus: 16, template: {spec: {containers: [{name: c, image: i}]}}}", "/spec/template/spec container \"c\" claim\n"},
    {"trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime", "spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: <C>}}}}}]}}}",
     "/spec/template/spec/replicatedJobs/0/template/spec/template/spec role=node" ONE},
    {"jobset.x-k8s.io/v1alpha2", "JobSet", "spec: {replicatedJobs: [{name: w, replicas: 2, template: {spec: {template: {spec: {containers: <C>}}}}}]}",
     "/spec/replicatedJobs/0/template/spec/template/spec role=w" ONE},
    {"ray.io/v1", "RayCluster", "spec: {headGroupSpec: {template: {spec: {containers: <C>}}}, workerGroupSpecs: [{groupName: g, template: {spec: {containers: <C>}}}]}",
     "/spec/headGroupSpec/template/spec role=headGroupSpec" ONE "/spec/workerGroupSpecs/0/template/spec role=g" ONE},
    {"ray.io/v1", "RayJob", "spec: {rayClusterSpec: {workerGroupSpecs: [{template: {spec: {containers: <C>}}}]}}", "/spec/rayClusterSpec/workerGroupSpecs/0/template/spec role=workerGroupSpecs" ONE},
    {"ray.io/v1", "RayService", "spec: {rayClusterConfig: {headGroupSpec: {template: {spec: {containers: <C>}}}}}", "/spec/rayClusterConfig/headGroupSpec/template/spec role=headGroupSpec" ONE},
    {"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "spec: {leaderWorkerTemplate: {leaderTemplate: {spec: {containers: <C>}}, workerTemplate: {spec: {containers: <C>}}}}",
     "/spec/leaderWorkerTemplate/leaderTemplate/spec role=leaderTemplate" ONE "/spec/leaderWorkerTemplate/workerTemplate/spec role=workerTemplate" ONE},
    {"serving.kserve.io/v1alpha1", "LLMInferenceService", "spec: {template: {containers: <C>}, worker: {containers: <C>}, prefill: {template: {containers: <C>}}}",
     "/spec/template role=template" ONE "/spec/worker role=worker" ONE "/spec/prefill/template role=prefill" ONE},
    {"serving.kserve.io/v1alpha1", "ServingRuntime", "spec: {containers: <C>}", "/spec" ONE},
    {"serving.kserve.io/v1beta1", "InferenceService", "spec: {predictor: {containers: <C>}}", "/spec/predictor role=predictor" ONE},
    {"serving.knative.dev/v1", "Service", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"batch.volcano.sh/v1alpha1", "Job", "spec: {tasks: [{name: worker, template: {spec: {containers: <C>}}}]}", "/spec/tasks/0/template/spec role=worker" ONE},
    {"orchestration.aibrix.ai/v1alpha1", "StormService", "spec: {template: {spec: {roles: [{name: prefill, template: {spec: {containers: <C>}}}]}}}", "/spec/template/spec/roles/0/template/spec role=prefill" ONE},
    {"nvidia.com/v1beta1", "DynamoGraphDeployment", "spec: {components: [{name: worker, podTemplate: {spec: {containers: <C>}}}]}", "/spec/components/0/podTemplate/spec role=worker" ONE},
    {"grove.io/v1alpha1", "PodCliqueSet", "spec: {template: {cliques: [{name: w, spec: {podSpec: {containers: <C>}}}]}}", "/spec/template/cliques/0/spec/podSpec role=w" ONE},
    {"kaito.sh/v1beta1", "Workspace", "inference: {template: {spec: {containers: <C>}}}", "/inference/template/spec" ONE},
    {"machinelearning.seldon.io/v1", "SeldonDeployment", "spec: {predictors: [{name: p, componentSpecs: [{spec: {containers: <C>}}]}]}", "/spec/predictors/0/componentSpecs/0/spec role=componentSpecs" ONE},
    {"argoproj.io/v1alpha1", "Rollout", "spec: {template: {spec: {containers: <C>}}}", "/spec/template/spec" ONE},
    {"operators.coreos.com/v1alpha1", "ClusterServiceVersion", "spec: {install: {spec: {deployments: [{name: d, spec: {template: {spec: {containers: <C>}}}}]}}}",
     "/spec/install/spec/deployments/0/spec/template/spec role=d" ONE},
    // Kinds the table does not know.
    {"example.com/v1", "Thing", "spec: {anything: {here: [{containers: <C>}]}}", "/spec/anything/here/0" ONE},
    {"kubeflow.org/v1beta1", "Experiment", "spec: {trialTemplate: {trialSpec: {apiVersion: batch/v1, kind: Job, spec: {template: {spec: {containers: <C>}}}}}}",
     "/spec/trialTemplate/trialSpec/spec/template/spec" ONE},
    {"workload.codeflare.dev/v1beta2", "AppWrapper", "spec: {components: [{template: {kind: Pod, spec: {containers: <C>}}}]}", "/spec/components/0/template/spec" ONE},
    {"example.com/v1", "Thing", "spec: {containers: [plain, texts]}", ""},
    {"example.com/v1", "Thing", "spec: {containers: []}", ""},
};

constexpr Row kAsks[] = {
    {"serving.kserve.io/v1beta1", "InferenceService", "spec: {predictor: {minReplicas: 1, model: {modelFormat: {name: x}, resources: {limits: {nvidia.com/gpu: 1}}}}}",
     "/spec/predictor role=predictor partial the container at predictor.model nvidia.com/gpu=1\n"},
    {"serving.kserve.io/v1alpha2", "InferenceService", "spec: {default: {predictor: {pytorch: {storageUri: s, resources: {limits: {nvidia.com/gpu: 1}}}}}}",
     "/spec/default/predictor role=predictor partial the container at predictor.pytorch nvidia.com/gpu=1\n"},
    {"serving.kubeflow.org/v1alpha2", "InferenceService", "spec: {default: {predictor: {custom: {container: {name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}}}}}",
     "/spec/default/predictor role=predictor partial" ONE},
    {"serving.kubeflow.org/v1alpha1", "KFService", "spec: {default: {tensorflow: {modelUri: u, resources: {requests: {nvidia.com/gpu: 1}}}}}",
     "/spec/default role=default partial the container at default.tensorflow nvidia.com/gpu=1\n"},
    {"apps.nvidia.com/v1alpha1", "NIMService", "spec: {image: {repository: r, tag: t}, resources: {limits: {nvidia.com/gpu: 2}}}", "/spec partial the container nvidia.com/gpu=2\n"},
    {"apps.nvidia.com/v1alpha1", "NIMService", "spec: {draResources: [{resourceClaimTemplateName: x}]}", "/spec partial the container claim\n"},
    {"apps.nvidia.com/v1alpha1", "NIMService", "spec: {resources: {limits: {cpu: 2}}}", ""},
    {"apps.nvidia.com/v1alpha1", "NIMPipeline", "spec: {services: [{name: a, spec: {resources: {limits: {nvidia.com/gpu: 1}}}}]}", "/spec/services/0/spec partial the container nvidia.com/gpu=1\n"},
    {"nvidia.com/v1alpha1", "DynamoGraphDeployment",
     "spec: {services: {Worker: {replicas: 2, resources: {limits: {gpu: '2', memory: 1Gi}}, extraPodSpec: {mainContainer: {image: i}}}, Frontend: {resources: {limits: {cpu: 1}}}}}",
     "/spec/services/Worker role=Worker partial the service Worker nvidia.com/gpu=2\n"},
    {"nvidia.com/v1alpha1", "DynamoGraphDeployment", "spec: {services: {W: {resources: {limits: {gpu: 1, gpuType: gpu.intel.com/xe, custom: {nvidia.com/mig-1g.5gb: 1}}}}}}",
     "/spec/services/W role=W partial the service W gpu.intel.com/xe=1 nvidia.com/mig-1g.5gb=1\n"},
    {"sparkoperator.k8s.io/v1beta2", "SparkApplication", "spec: {image: i, driver: {cores: 1}, executor: {instances: 2, gpu: {name: nvidia.com/gpu, quantity: 1}}}",
     "/spec/driver role=driver partial the driver\n/spec/executor role=executor partial the executor nvidia.com/gpu=1\n"},
    {"sparkoperator.k8s.io/v1beta2", "SparkApplication", "spec: {executor: {}, sparkConf: {spark.executor.resource.gpu.amount: '2', spark.executor.resource.gpu.vendor: amd.com}}",
     "/spec/executor role=executor partial the executor amd.com/gpu=2\n"},
    {"trainer.kubeflow.org/v1alpha1", "TrainJob", "spec: {trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}}", "/spec/trainer role=trainer partial the trainer nvidia.com/gpu=4\n"},
    {"inference.llmkube.dev/v1alpha1", "InferenceService", "spec: {resources: {gpu: 1}}", "/spec partial the container nvidia.com/gpu=1\n"},
    {"inference.llmkube.dev/v1alpha1", "Model", "spec: {hardware: {gpu: {enabled: true, count: 2, vendor: amd}}}", "/spec/hardware/gpu partial the container amd.com/gpu=2\n"},
    {"argoproj.io/v1alpha1", "Workflow", "spec: {templates: [{name: t, container: {image: i, resources: {limits: {nvidia.com/gpu: 1}}}}, {name: dag, dag: {tasks: []}}]}",
     "/spec/templates/0 role=t partial the container of template \"t\" nvidia.com/gpu=1\n"},
    {"argoproj.io/v1alpha1", "CronWorkflow", "spec: {workflowSpec: {templates: [{name: t, script: {image: i}, sidecars: <C>}]}}",
     "/spec/workflowSpec/templates/0 role=t partial the script of template \"t\" container \"c\" nvidia.com/gpu=1\n"},
    {"argoproj.io/v1alpha1", "WorkflowTemplate", "spec: {templates: [{name: t, container: {image: i}, podSpecPatch: '{\"runtimeClassName\": \"nvidia\", \"containers\": [{\"name\": \"main\", \"resources\": {\"limits\": {\"nvidia.com/gpu\": 2}}}]}'}]}",
     "/spec/templates/0 role=t partial the container of template \"t\" nvidia.com/gpu=2\n"},
    {"serving.kserve.io/v1alpha2", "LLMInferenceService", "metadata: {annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}\nspec: {template: {containers: [{name: main}]}, router: {scheduler: {template: {containers: [{name: main}]}}}}",
     "/spec/template role=template container \"main\" claim\n/spec/router/scheduler/template role=scheduler container \"main\"\n"},
};

constexpr Row kNoWorkloads[] = {
    {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {versions: [{schema: {containers: <C>}}]}", ""},
    {"karpenter.sh/v1", "NodePool", "spec: {limits: {nvidia.com/gpu: 8}}", ""},
    {"kueue.x-k8s.io/v1beta1", "ClusterQueue", "spec: {resourceGroups: [{flavors: [{resources: [{name: nvidia.com/gpu}]}]}]}", ""},
    {"v1", "ResourceQuota", "spec: {hard: {requests.nvidia.com/gpu: 4}}", ""},
    {"v1", "LimitRange", "spec: {limits: [{type: Container, default: {nvidia.com/gpu: 1}}]}", ""},
    {"v1", "ConfigMap", "data: {containers: <C>}", ""},
    {"nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule", "spec: {rules: [{containers: <C>}]}", ""},
    {"kyverno.io/v1", "ClusterPolicy", "spec: {rules: [{validate: {pattern: {spec: {containers: <C>}}}}]}", ""},
    {"policies.kyverno.io/v1alpha1", "ValidatingPolicy", "spec: {containers: <C>}", ""},
    {"templates.gatekeeper.sh/v1", "ConstraintTemplate", "spec: {containers: <C>}", ""},
    {"constraints.gatekeeper.sh/v1beta1", "K8sGpu", "spec: {parameters: {containers: <C>}}", ""},
    {"batch/v1", "Unknown", "spec: {containers: <C>}", ""},
};

template <std::size_t count>
void check_rows(const Row (&rows)[count]) {
  for (const Row& row : rows) {
    const std::string yaml = "apiVersion: " + std::string(row.api_version) + "\nkind: " + std::string(row.kind) + "\n" + with_containers(std::string(row.body)) + "\n";
    CAPTURE(yaml);
    CHECK(summary(Sample(yaml)) == row.expected);
  }
}

std::string described(const Sample& sample) {
  constexpr const char* kForms[] = {"object", "values", "other"};
  std::string text;
  for (const auto& object : sample.objects) {
    text += sample.pointer(object->root) + " " + kForms[static_cast<int>(object->form)];
    for (std::string_view part : {object->group, object->version, object->kind, object->name_space, object->name}) text += " '" + std::string(part) + "'";
    text += object->built_in ? " built-in\n" : "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("each kind has its pod templates where the table says, unknown ones are searched") { check_rows(kTemplates); }
TEST_CASE("GPU asks without a pod template") { check_rows(kAsks); }
TEST_CASE("kinds that run nothing have no templates") { check_rows(kNoWorkloads); }

TEST_CASE("group, version, name and what is built in") {
  CHECK(described(Sample("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ml}}")) == " object 'apps' 'v1' 'Deployment' 'ml' 'web' built-in\n");
  CHECK(described(Sample("{apiVersion: v1, kind: Pod, metadata: {generateName: g-}}")) == " object '' 'v1' 'Pod' '' 'g-' built-in\n");
  CHECK(described(Sample("{apiVersion: ray.io/v1, kind: RayJob}")) == " object 'ray.io' 'v1' 'RayJob' '' ''\n");
  CHECK(described(Sample("{apiVersion: v1}")) == " other '' 'v1' '' '' ''\n");
  CHECK(described(Sample("[1, 2]")) == " other '' '' '' '' ''\n");
  CHECK(described(Sample("{kind: [], apiVersion: {}}")) == " other '' '' '' '' ''\n");
}

TEST_CASE("lists are flattened, nested and typed ones too") {
  CHECK(described(Sample("{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}, {apiVersion: v1, kind: List, items: [{apiVersion: batch/v1, kind: Job}]}]}")) ==
        "/items/0 object '' 'v1' 'Pod' '' '' built-in\n/items/1/items/0 object 'batch' 'v1' 'Job' '' '' built-in\n");
  CHECK(described(Sample("{apiVersion: apps/v1, kind: DeploymentList, items: [{metadata: {name: a}}]}")) == "/items/0 object 'apps' 'v1' 'Deployment' '' 'a' built-in\n");
  CHECK(described(Sample("{apiVersion: v1, kind: List, items: []}")).empty());
  CHECK(described(Sample("{apiVersion: example.com/v1, kind: AllowList, spec: {}}")) == " object 'example.com' 'v1' 'AllowList' '' ''\n");
}

TEST_CASE("templates come in document order") {
  const Sample sample(with_containers("{apiVersion: ray.io/v1, kind: RayCluster, spec: {workerGroupSpecs: [{groupName: w, template: {spec: {containers: <C>}}}], headGroupSpec: {template: {spec: {containers: <C>}}}}}"));
  REQUIRE(sample.pods.size() == 2);
  CHECK(sample.pods[0].role == "w");
}

TEST_CASE("GPU requests are counted by container and resource") {
  const Sample sample("{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2, nvidia.com/gpumem: 1000, amd.com/gpu: 0}}}, {name: b, resources: {requests: {nvidia.com/gpu: '$N'}}}, {name: c, resources: {limits: {nvidia.com/gpu: }}}]}}");
  CHECK(count_gpu_requests(sample.pods) == 2);
}

TEST_CASE("a class in podSpecPatch counts, and what is said of it points at the string") {
  const Sample sample("apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  podSpecPatch: |\n    runtimeClassName: nvidia\n    nodeSelector: {pool: gpu}\n  templates:\n  - name: t\n    container: {image: i}\n");
  CHECK(sample.pod().runtime_class.value == "nvidia");
  CHECK(sample.pointer(sample.pod().runtime_class.node) == "/spec/podSpecPatch");
  CHECK(sample.pod().runtime_class.node->span == sample.root().at("spec", "podSpecPatch")->span);
  CHECK(sample.pod().runtime_class.node->via_alias);
  CHECK(&place_of(sample.root()) == &sample.root());
}

TEST_CASE("kinds with and without a place for a runtime class") {
  CHECK_FALSE(Sample("{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, spec: {trainer: {}}}").pod().can_have_runtime_class);
  CHECK_FALSE(Sample("{apiVersion: serving.kserve.io/v1alpha1, kind: ServingRuntime, spec: {containers: [{name: a}]}}").pod().can_have_runtime_class);
  CHECK(Sample("{apiVersion: v1, kind: Pod, spec: {}}").pod().can_have_runtime_class);
}

TEST_CASE("wrong types of built-in kinds") {
  struct Wrong {
    std::string_view spec;
    std::string_view expected;
  };
  constexpr Wrong kWrong[] = {
      {"{containers: {name: a}}", "/spec/containers a list\n"},
      {"{containers: [text]}", "/spec/containers/0 a mapping\n"},
      {"{containers: [{name: a, env: [{name: A, value: 1}, {name: B, value: true}, {name: C, value: 'x'}]}]}", "/spec/containers/0/env/0/value a string\n/spec/containers/0/env/1/value a string\n"},
      {"{containers: [{name: a, args: [x, 1]}]}", "/spec/containers/0/args/1 a string\n"},
      {"{containers: [{name: a, command: python}]}", "/spec/containers/0/command a list\n"},
      {"{containers: [{name: a, resources: {limits: [1]}}]}", "/spec/containers/0/resources/limits a mapping\n"},
      {"{containers: [{name: a, resources: {limits: {nvidia.com/gpu: {a: 1}, cpu: one, memory: true}}}]}", "/spec/containers/0/resources/limits/nvidia.com~1gpu a quantity\n"},
      {"{containers: [{name: a, securityContext: {privileged: 'true', runAsUser: '0'}}]}", "/spec/containers/0/securityContext/privileged true or false\n/spec/containers/0/securityContext/runAsUser an integer\n"},
      {"{runtimeClassName: true, nodeSelector: {a: 1}, tolerations: [{value: true}], containers: []}", "/spec/runtimeClassName a string\n/spec/nodeSelector/a a string\n/spec/tolerations/0/value a string\n"},
      {"{hostIPC: 'yes', volumes: {a: b}}", "/spec/hostIPC true or false\n/spec/volumes a list\n"},
      {"{containers: null, nodeSelector: , runtimeClassName: null}", ""},
      {"{hostIPC: '${HOST_IPC}', containers: '{{ containers }}'}", ""},
  };
  for (const Wrong& row : kWrong) {
    CAPTURE(row.spec);
    const Sample sample("{apiVersion: v1, kind: Pod, spec: " + std::string(row.spec) + "}");
    std::string found;
    for (const WrongType& wrong : wrong_types(*sample.objects.front(), sample.pods)) found += sample.pointer(wrong.node) + " " + std::string(wrong.expected) + "\n";
    CHECK(found == row.expected);
  }
  const Sample deployment("{apiVersion: apps/v1, kind: Deployment, metadata: {labels: {a: 1}}, spec: {replicas: '2', strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: []}}}}");
  CHECK(wrong_types(*deployment.objects.front(), deployment.pods).size() == 3);
  const Sample foreign("{apiVersion: example.com/v1, kind: Pod, spec: {containers: {name: a}}}");
  CHECK(wrong_types(*foreign.objects.front(), foreign.pods).empty());
}
