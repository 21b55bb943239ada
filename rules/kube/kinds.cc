#include "rules/kube/kinds.h"

#include <algorithm>

namespace gpulint {
namespace {

constexpr std::string_view kBuiltInGroups[] = {
    "", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "authentication.k8s.io", "authorization.k8s.io",
    "autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "extensions",
    "flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
    "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
};

// A leading `*` stands for any text in front.
constexpr std::string_view kNoWorkloadGroups[] = {
    "kyverno.io", "*.kyverno.io", "*.gatekeeper.sh", "karpenter.sh", "karpenter.k8s.aws", "kueue.x-k8s.io", "config.kueue.x-k8s.io",
    "nfd.k8s-sigs.io", "nfd.kubernetes.io", "kind.x-k8s.io", "kustomize.config.k8s.io", "cluster.x-k8s.io", "*.cluster.x-k8s.io",
};

constexpr KindRow kRows[] = {
    {"", "Pod", "spec"},
    {"", "PodTemplate", "template.spec"},
    {"", "ReplicationController", "spec.template.spec", 2},
    {"apps", "Deployment", "spec.template.spec", 2, "replicas", "", true},
    {"extensions", "Deployment", "spec.template.spec", 2, "replicas", "", true},
    {"apps", "ReplicaSet", "spec.template.spec", 2},
    {"extensions", "ReplicaSet", "spec.template.spec", 2},
    {"apps", "StatefulSet", "spec.template.spec", 2},
    {"apps", "DaemonSet", "spec.template.spec", 2},
    {"extensions", "DaemonSet", "spec.template.spec", 2},
    {"batch", "Job", "spec.template.spec", 2, "parallelism"},
    {"batch", "CronJob", "spec.jobTemplate.spec.template.spec", 2, "parallelism"},

    {"kubeflow.org", "PyTorchJob", "spec.pytorchReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "TFJob", "spec.tfReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "TFJob", "spec.replicaSpecs[*].template.spec", 2},
    {"kubeflow.org", "MXJob", "spec.mxReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "PaddleJob", "spec.paddleReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "XGBoostJob", "spec.xgbReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "JAXJob", "spec.jaxReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "MPIJob", "spec.mpiReplicaSpecs.*.template.spec", 2},
    {"kubeflow.org", "MPIJob", "spec.template.spec", 2},
    {"kubeflow.org", "Notebook", "spec.template.spec", 2},
    {"trainer.kubeflow.org", "ClusterTrainingRuntime", "spec.template.spec.replicatedJobs[*].template.spec.template.spec", 4},
    {"trainer.kubeflow.org", "TrainingRuntime", "spec.template.spec.replicatedJobs[*].template.spec.template.spec", 4},
    {"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs[*].template.spec.template.spec", 4},
    {"sagemaker.amazonaws.com", "HyperPodPyTorchJob", "spec.replicaSpecs[*].template.spec", 2},
    {"batch.volcano.sh", "Job", "spec.tasks[*].template.spec", 2},

    {"ray.io", "RayCluster", "spec.headGroupSpec.template.spec", 2, "replicas", "headGroupSpec"},
    {"ray.io", "RayCluster", "spec.workerGroupSpecs[*].template.spec", 2},
    {"ray.io", "RayJob", "spec.rayClusterSpec.headGroupSpec.template.spec", 2, "replicas", "headGroupSpec"},
    {"ray.io", "RayJob", "spec.rayClusterSpec.workerGroupSpecs[*].template.spec", 2},
    {"ray.io", "RayService", "spec.rayClusterConfig.headGroupSpec.template.spec", 2, "replicas", "headGroupSpec"},
    {"ray.io", "RayService", "spec.rayClusterConfig.workerGroupSpecs[*].template.spec", 2},

    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec.leaderWorkerTemplate.leaderTemplate.spec", 3, "replicas", "leaderTemplate"},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec.leaderWorkerTemplate.workerTemplate.spec", 3, "replicas", "workerTemplate"},
    {"orchestration.aibrix.ai", "StormService", "spec.template.spec.roles[*].template.spec", 2},
    {"orchestration.aibrix.ai", "RayClusterFleet", "spec.template.spec.headGroupSpec.template.spec", 2, "replicas", "headGroupSpec"},
    {"orchestration.aibrix.ai", "RayClusterFleet", "spec.template.spec.workerGroupSpecs[*].template.spec", 2},
    {"nvidia.com", "DynamoGraphDeployment", "spec.components[*].podTemplate.spec", 2},
    {"grove.io", "PodCliqueSet", "spec.template.cliques[*].spec.podSpec", 1},
    {"grove.io", "PodGangSet", "spec.template.cliques[*].spec.podSpec", 1},

    {"serving.kserve.io", "LLMInferenceService", "spec.template", 1, "replicas", "template"},
    {"serving.kserve.io", "LLMInferenceService", "spec.worker", 1, "replicas", "worker"},
    {"serving.kserve.io", "LLMInferenceService", "spec.prefill.template", 1, "replicas", "prefill"},
    {"serving.kserve.io", "LLMInferenceService", "spec.prefill.worker", 1, "replicas", "prefill worker"},
    {"serving.kserve.io", "LLMInferenceService", "spec.router.scheduler.template", -1, "", "scheduler"},
    {"serving.kserve.io", "LLMInferenceServiceConfig", "spec.template", 1, "replicas", "template"},
    {"serving.kserve.io", "LLMInferenceServiceConfig", "spec.worker", 1, "replicas", "worker"},
    {"serving.kserve.io", "LLMInferenceServiceConfig", "spec.prefill.template", 1, "replicas", "prefill"},
    {"serving.kserve.io", "LLMInferenceServiceConfig", "spec.prefill.worker", 1, "replicas", "prefill worker"},
    {"serving.kserve.io", "LLMInferenceServiceConfig", "spec.router.scheduler.template", -1, "", "scheduler"},
    {"serving.kserve.io", "ServingRuntime", "spec", -1, "", "", false, false},
    {"serving.kserve.io", "ServingRuntime", "spec.workerSpec", -1, "", "workerSpec", false, false},
    {"serving.kserve.io", "ClusterServingRuntime", "spec", -1, "", "", false, false},
    {"serving.kserve.io", "ClusterServingRuntime", "spec.workerSpec", -1, "", "workerSpec", false, false},
    {"serving.kserve.io", "InferenceService", "spec.predictor.workerSpec", -1, "", "workerSpec"},
    {"serving.knative.dev", "Service", "spec.template.spec"},
    {"serving.knative.dev", "Configuration", "spec.template.spec"},
    {"kaito.sh", "Workspace", "inference.template.spec"},
    {"mlops.seldon.io", "Server", "spec.podSpec", 1},
    {"machinelearning.seldon.io", "SeldonDeployment", "spec.predictors[*].componentSpecs[*].spec", 3},

    {"argoproj.io", "Rollout", "spec.template.spec", 2, "replicas", "", true},
    {"apps.kruise.io", "CloneSet", "spec.template.spec", 2},
    {"apps.kruise.io", "StatefulSet", "spec.template.spec", 2},
    {"apps.kruise.io", "DaemonSet", "spec.template.spec", 2},
    {"keda.sh", "ScaledJob", "spec.jobTargetRef.template.spec", 2, "parallelism"},
    {"operators.coreos.com", "ClusterServiceVersion", "spec.install.spec.deployments[*].spec.template.spec", 2, "replicas", "", true},
    {"gateway.envoyproxy.io", "EnvoyProxy", "spec.provider.kubernetes.envoyDeployment.patch.value.spec.template.spec", 2, "replicas", "", true},
};

}  // namespace

std::vector<const KindRow*> kind_rows(std::string_view group, std::string_view kind) {
  std::vector<const KindRow*> rows;
  for (const KindRow& row : kRows)
    if (row.kind == kind && row.group == group) rows.push_back(&row);
  return rows;
}

bool is_built_in_group(std::string_view group) { return std::find(std::begin(kBuiltInGroups), std::end(kBuiltInGroups), group) != std::end(kBuiltInGroups); }

bool is_no_workload(std::string_view group, std::string_view kind) {
  if (is_built_in_group(group)) return kind_rows(group, kind).empty();
  return std::any_of(std::begin(kNoWorkloadGroups), std::end(kNoWorkloadGroups), [&](std::string_view known) {
    return known.starts_with('*') ? group.ends_with(known.substr(1)) : group == known;
  });
}

}  // namespace gpulint
