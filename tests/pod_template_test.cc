// Pod specs decoded into located fields: states of values, where findings point, what the rules read.
#include "rules/kube/pod_template.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;
using gpulint::test::state_name;

namespace {

Sample pod_of(const std::string& spec) { return Sample("apiVersion: v1\nkind: Pod\nmetadata: {labels: {app: a}, annotations: {gpu-fraction: '0.5'}}\nspec: " + spec); }
Sample container_of(const std::string& fields) { return pod_of("{containers: [{name: main, " + fields + "}]}"); }

}  // namespace

TEST_CASE("states of a text field, and where it stands") {
  struct Row {
    std::string_view spec;
    std::string_view state;
    std::string_view pointer;
  };
  for (const Row& row : {Row{"{runtimeClassName: nvidia}", "known", "/spec/runtimeClassName"}, Row{"{runtimeClassName: }", "null", "/spec/runtimeClassName"},
                         Row{"{runtimeClassName: '${CLASS}'}", "unknown", "/spec/runtimeClassName"}, Row{"{runtimeClassName: true}", "invalid", "/spec/runtimeClassName"},
                         Row{"{runtimeClassName: [a]}", "invalid", "/spec/runtimeClassName"}, Row{"{}", "absent", "/spec"}}) {
    CAPTURE(row.spec);
    const Sample sample = pod_of(std::string(row.spec));
    CHECK(state_name(sample.pod().runtime_class.state) == row.state);
    CHECK(sample.pointer(sample.pod().runtime_class.node) == row.pointer);
  }
}

TEST_CASE("states of a quantity") {
  struct Row {
    std::string_view value;
    std::string_view state;
    bool positive;
  };
  for (const Row& row : {Row{"1", "known", true}, Row{"'1'", "known", true}, Row{"0", "known", false}, Row{"-1", "known", false}, Row{"0.5", "known", true}, Row{"'500m'", "known", true},
                         Row{"", "null", false}, Row{"'${GPUS}'", "unknown", true}, Row{"GPU_COUNT", "unknown", true}, Row{"''", "invalid", false}, Row{"one", "invalid", false},
                         Row{"true", "invalid", false}, Row{"0x2", "known", true}, Row{"1_0", "known", true}}) {
    CAPTURE(row.value);
    const Sample sample = container_of("resources: {limits: {nvidia.com/gpu: " + std::string(row.value) + "}}");
    REQUIRE(sample.container().asks.size() == 1);
    const Ask& ask = sample.container().asks.front();
    CHECK(state_name(ask.quantity.state) == row.state);
    CHECK(ask.positive() == row.positive);
    CHECK(sample.pointer(ask.node) == "/spec/containers/0/resources/limits/nvidia.com~1gpu");
  }
  CHECK(container_of("resources: {limits: {nvidia.com/gpu: {type: object}}}").container().asks.empty());
}

TEST_CASE("asks: in order of name, the limit where there is one, each device once, modifiers are none") {
  const Sample sample = container_of("resources: {requests: {nvidia.com/gpu: 3, amd.com/gpu: 1}, limits: {nvidia.com/gpu: 2, nvidia.com/gpumem: 3000, cpu: 4}}");
  const Container& container = sample.container();
  REQUIRE(container.asks.size() == 2);
  CHECK(container.asks[0].resource == "amd.com/gpu");
  CHECK(container.asks[1].resource == "nvidia.com/gpu");
  CHECK(container.asks[1].quantity.value.text() == "2");
  CHECK(container.first_ask(Vendor::amd) == &container.asks[0]);
  CHECK(container.first_ask(Vendor::intel) == nullptr);
  CHECK(container.resources.limit("nvidia.com/gpumem") != nullptr);
  CHECK(container.resources.request("cpu") == nullptr);
  CHECK(container.asks_for_device());
}

TEST_CASE("resources in odd forms") {
  for (std::string_view fields : {"resources: null", "resources: []", "resources: {limits: null, requests: []}", "image: i"}) {
    CAPTURE(fields);
    const Sample sample = container_of(std::string(fields));
    CHECK(sample.container().resources.limits.empty());
    CHECK_FALSE(sample.container().asks_for_device());
  }
  CHECK(container_of("resources: {claims: [{name: gpu}, other]}").container().resources.claims == std::vector<std::string_view>{"gpu", "other"});
  CHECK(container_of("resources: {claims: [{name: gpu}]}").container().asks_for_device());
}

TEST_CASE("environment") {
  const Sample sample = container_of(
      "envFrom: [{configMapRef: {name: c}}], env: [{name: A, value: '1'}, {name: B, valueFrom: {fieldRef: {}}}, {name: C, value: '$(A)'}, {name: D, value: 1}, {name: E}, {name: A, value: '2'}]");
  const Container& container = sample.container();
  CHECK(container.has_env_from);
  CHECK(container.variable("A")->value.value == "2");
  CHECK(state_name(container.variable("B")->value.state) == "unknown");
  CHECK(state_name(container.variable("C")->value.state) == "unknown");
  CHECK(state_name(container.variable("D")->value.state) == "invalid");
  CHECK(state_name(container.variable("E")->value.state) == "absent");
  CHECK(container.variable("F") == nullptr);
  CHECK(sample.pointer(container.variable("B")->node) == "/spec/containers/0/env/1");
}

TEST_CASE("security contexts") {
  const Sample sample = pod_of(
      "{securityContext: {runAsNonRoot: true, runAsUser: 1000}, containers: [{name: a, securityContext: {privileged: true, runAsUser: 0, runAsGroup: 5, "
      "readOnlyRootFilesystem: false, capabilities: {add: [SYS_ADMIN, IPC_LOCK]}}}, {name: b}]}");
  CHECK(sample.pod().run_as_non_root.value_or(false));
  CHECK(sample.pod().run_as_user.value_or(0) == 1000);
  const Container& first = sample.pod().containers[0];
  CHECK(first.privileged.value_or(false));
  CHECK(first.run_as_user.known());
  CHECK(first.run_as_group.value_or(0) == 5);
  CHECK(first.read_only_root.known());
  CHECK(sample.pointer(first.added_capability("IPC_LOCK")) == "/spec/containers/0/securityContext/capabilities/add/1");
  CHECK(first.added_capability("NET_RAW") == nullptr);
  CHECK(sample.pointer(first.capabilities_node) == "/spec/containers/0/securityContext/capabilities/add");
  CHECK(sample.pod().containers[1].privileged.absent());
  CHECK(sample.pointer(sample.pod().containers[1].privileged.node) == "/spec/containers/1");
}

TEST_CASE("container roles") {
  const Sample sample = pod_of("{initContainers: [{name: i}, {name: s, restartPolicy: Always}], containers: [{name: m}], ephemeralContainers: [{name: e}]}");
  std::string order;
  sample.pod().for_each_container([&](const Container& container) { order += std::string(container.name.value) + std::to_string(static_cast<int>(container.role)) + " "; });
  CHECK(order == "i1 s2 m0 e3 ");
}

TEST_CASE("node requirements from selector and affinity") {
  const Sample sample = pod_of(
      "{nodeSelector: {pool: gpu}, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: k}]}, nodeAffinity: "
      "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [r1, r2]}]}, {matchFields: "
      "[{key: metadata.name, operator: In, values: [node1]}]}]}, preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: p, operator: Exists}]}}]}}}");
  const auto& requirements = sample.pod().node_requirements;
  REQUIRE(requirements.size() == 4);
  CHECK(requirements[0].key == "pool");
  CHECK(requirements[0].from_selector);
  CHECK(requirements[0].term == -1);
  CHECK(requirements[0].values == std::vector<std::string_view>{"gpu"});
  CHECK(requirements[1].values == std::vector<std::string_view>{"r1", "r2"});
  CHECK(requirements[1].term == 0);
  CHECK(requirements[2].key == "metadata.name");
  CHECK(requirements[2].term == 1);
  CHECK_FALSE(requirements[3].required);
  CHECK(requirements[3].operation == "Exists");
  CHECK(sample.pod().has_pod_anti_affinity);
  CHECK(sample.pointer(sample.pod().node_selector) == "/spec/nodeSelector");
}

TEST_CASE("tolerations, spread, volumes, mounts, claims") {
  const Sample sample = pod_of(
      "{tolerations: [{key: nvidia.com/gpu, operator: Exists}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}], "
      "volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}, {name: dev, hostPath: {path: /dev/dri}}, {name: tmp, emptyDir: {}}], resourceClaims: [{name: gpu}], "
      "resources: {limits: {cpu: 1}}, containers: [{name: a, volumeMounts: [{name: shm, mountPath: /dev/shm}, {name: tmp, mountPath: /tmp, readOnly: true}]}]}");
  const PodTemplate& pod = sample.pod();
  CHECK(pod.tolerations.at(0).key.value == "nvidia.com/gpu");
  CHECK(pod.tolerations.at(0).value.absent());
  CHECK(pod.spread.at(0).max_skew.value == 1);
  CHECK(pod.spread.at(0).node_taints_policy.absent());
  CHECK(pod.volumes.at(0).empty_dir_medium.value == "Memory");
  CHECK(pod.volumes.at(0).empty_dir_size_limit.value.text() == "8589934592");
  CHECK(pod.volumes.at(1).host_path.value == "/dev/dri");
  CHECK(pod.volumes.at(2).empty_dir_medium.absent());
  CHECK(pod.containers.at(0).mounts.at(0).path == "/dev/shm");
  CHECK(pod.containers.at(0).mounts.at(1).read_only);
  CHECK(pod.resource_claims != nullptr);
  CHECK(pod.pod_resources != nullptr);
  CHECK(pod.annotation("gpu-fraction") == "0.5");
  CHECK(pod.annotation("other").empty());
  CHECK(pod.asks_by_annotation());
  CHECK(pod.labels->find("app") != nullptr);
}

TEST_CASE("owners, replicas and strategies") {
  struct Row {
    std::string_view yaml;
    std::string_view owner;
    std::string_view replicas;
    std::string_view surge;
  };
  for (const Row& row : {
           Row{"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%}}, template: {spec: {}}}}", "/spec", "3", "25%"},
           Row{"{apiVersion: apps/v1, kind: Deployment, spec: {strategy: {rollingUpdate: {maxSurge: 1}}, template: {spec: {}}}}", "/spec", "absent", "1"},
           Row{"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: '${N}', template: {spec: {}}}}", "/spec", "unknown", ""},
           Row{"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {replicas: 2, strategy: {canary: {maxSurge: 0}}, template: {spec: {}}}}", "/spec", "2", "0"},
           Row{"{apiVersion: apps/v1, kind: StatefulSet, spec: {replicas: 2, strategy: {rollingUpdate: {maxSurge: 1}}, template: {spec: {}}}}", "/spec", "2", ""},
           Row{"{apiVersion: batch/v1, kind: Job, spec: {parallelism: 4, template: {spec: {}}}}", "/spec", "4", ""},
           Row{"{apiVersion: kubeflow.org/v1, kind: PyTorchJob, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {}}}}}}", "/spec/pytorchReplicaSpecs/Worker", "2", ""},
           Row{"{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, spec: {replicatedJobs: [{replicas: 2, template: {spec: {template: {spec: {}}}}}]}}", "/spec/replicatedJobs/0", "2", ""},
           Row{"{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, spec: {replicas: 2, leaderWorkerTemplate: {workerTemplate: {spec: {}}}}}", "/spec", "2", ""},
           Row{"{apiVersion: v1, kind: Pod, spec: {}}", "(none)", "absent", ""},
       }) {
    CAPTURE(row.yaml);
    const Sample sample{std::string(row.yaml)};
    const PodTemplate& pod = sample.pod();
    CHECK(sample.pointer(pod.owner_spec) == row.owner);
    CHECK((pod.replicas.known() ? std::to_string(pod.replicas.value) : state_name(pod.replicas.state)) == row.replicas);
    CHECK(pod.strategy.max_surge.value == row.surge);
  }
}

TEST_CASE("infrastructure is told by image, host path, selector or an operator's mark") {
  for (std::string_view spec : {"{containers: [{name: a, image: 'nvcr.io/nvidia/k8s-device-plugin:v0.17.0'}]}", "{containers: [{name: a, image: FILLED BY THE OPERATOR}]}",
                           "{initContainers: [{name: a, image: 'cos-nvidia-installer:fixed'}], containers: [{name: p, image: pause}]}",
                           "{containers: [{name: a, image: x}], volumes: [{name: d, hostPath: {path: /var/lib/kubelet/device-plugins}}]}",
                           "{containers: [{name: a, image: x}], volumes: [{name: d, hostPath: {path: /run/nvidia/driver}}]}",
                           "{containers: [{name: a, image: x}], nodeSelector: {nvidia.com/gpu.deploy.driver: 'true'}}"}) {
    CAPTURE(spec);
    CHECK(pod_of(std::string(spec)).pod().infrastructure);
  }
  for (std::string_view spec : {"{containers: [{name: a, image: nvidia/cuda:12}]}", "{containers: [{name: a}], volumes: [{name: d, hostPath: {path: /run/nvidia-other}}]}",
                           "{containers: [{name: a}], nodeSelector: {nvidia.com/gpu.present: 'true'}}", "{}"}) {
    CAPTURE(spec);
    CHECK_FALSE(pod_of(std::string(spec)).pod().infrastructure);
  }
}

TEST_CASE("first ask of a pod, in start order") {
  const Sample sample = pod_of("{initContainers: [{name: i, resources: {limits: {amd.com/gpu: 1}}}], containers: [{name: a, resources: {limits: {nvidia.com/gpu: 0}}}, {name: b, resources: {limits: {nvidia.com/gpu: 1}}}]}");
  CHECK(sample.pod().first_ask().container->name.value == "i");
  CHECK(sample.pod().first_ask(Vendor::nvidia).container->name.value == "b");
  CHECK_FALSE(sample.pod().first_ask(Vendor::intel));
  CHECK(sample.pod().asks_for_device());
}

TEST_CASE("a spec of wrong types is decoded as far as it goes") {
  for (std::string_view spec : {"{containers: {a: b}, nodeSelector: [x], affinity: 1, tolerations: {a: b}, volumes: x, initContainers: 1, securityContext: 2, topologySpreadConstraints: 1}",
                           "{containers: [1, null, [a]], tolerations: [1, null], volumes: [1], topologySpreadConstraints: [null], affinity: {nodeAffinity: 1, podAntiAffinity: 2}}",
                           "{containers: [{name: [], image: {}, env: 1, command: 2, args: {a: b}, volumeMounts: [1], securityContext: []}]}",
                           "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [1, {matchExpressions: [2]}]}}}}", "[]", "null", "text"}) {
    CAPTURE(spec);
    const Sample sample = pod_of(std::string(spec));
    for (const PodTemplate& pod : sample.pods) CHECK_FALSE(pod.asks_for_device());
    CHECK(wrong_types(*sample.objects.front(), sample.pods).size() < 20);
  }
}
