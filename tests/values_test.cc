// Chart values: which documents are values, which asks they hold, and what is read beside them.
#include "rules/kube/values.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;
using gpulint::test::state_name;
using gpulint::test::summary;

namespace {

struct Row {
  std::string_view yaml;
  std::string_view expected;
};

constexpr Row kAsks[] = {
    {"resources: {limits: {nvidia.com/gpu: 1}}", " partial the values nvidia.com/gpu=1\n"},
    {"server: {resources: {requests: {amd.com/gpu: 2}}}", "/server partial the values at server amd.com/gpu=2\n"},
    {"resources: {limits: {nvidia.com/gpus: 1}}", " partial the values\n"},
    {"a: {b: [{resources: {limits: {nvidia.com/gpu: 1}}}]}", "/a/b/0 partial the values at a.b[0] nvidia.com/gpu=1\n"},
    {"extraContainers: [{name: side, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]", "/extraContainers/0 partial container \"side\" nvidia.com/gpu=1\n"},
    {"controllers: {main: {containers: {app: {resources: {limits: {nvidia.com/gpu: 1}}}}}}", "/controllers/main/containers/app partial the values at controllers.main.containers.app nvidia.com/gpu=1\n"},
    {"modelSpec: [{name: m, requestGPU: 2}]", "/modelSpec/0 partial the values at modelSpec[0] nvidia.com/gpu=2\n"},
    {"modelSpec: [{requestGPU: 1, requestGPUType: amd.com/gpu}]", "/modelSpec/0 partial the values at modelSpec[0] amd.com/gpu=1\n"},
    {"limitGPU: 1", " partial the values nvidia.com/gpu=1\n"},
    {"singleuser: {profileList: [{kubespawner_override: {extra_resource_limits: {nvidia.com/gpu: '1'}}}]}",
     "/singleuser/profileList/0/kubespawner_override partial the values at singleuser.profileList[0].kubespawner_override nvidia.com/gpu=1\n"},
    {"singleuser: {extraResource: {guarantees: {nvidia.com/gpu: '1'}}}", "/singleuser partial the values at singleuser nvidia.com/gpu=1\n"},
    {"a: {resources: {limits: {nvidia.com/gpu: 1}}}\nb: {env: {NVIDIA_VISIBLE_DEVICES: all}}", "/a partial the values at a nvidia.com/gpu=1\n/b partial the values at b\n"},
    {"image: {resources: {limits: {nvidia.com/gpu: 1}}}", "/image partial the values at image nvidia.com/gpu=1\n"},
    {"toolkit: {enabled: true}\ndriver: {enabled: false}", ""},
};

constexpr std::string_view kNoValues[] = {
    "resources: {limits: {cpu: 1}}",
    "env: {NVIDIA_VISIBLE_DEVICES: all}",
    "spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}",
    "suite: s\ntests: [{it: x, set: {resources: {limits: {nvidia.com/gpu: 1}}}, asserts: [{equal: {}}]}]",
    "properties: {resources: {limits: {nvidia.com/gpu: {type: integer}}}}",
    "apiVersion: v2\nname: chart\ndescription: gpu",
    "services: {a: {deploy: {resources: {reservations: {devices: [{driver: nvidia}]}}}}}",
    "tolerations: [{key: nvidia.com/gpu}]",
    "[{op: add, path: /spec, value: {resources: {limits: {nvidia.com/gpu: 1}}}}]",
};

}  // namespace

TEST_CASE("asks in values files") {
  for (const Row& row : kAsks) {
    CAPTURE(row.yaml);
    const Sample sample{std::string(row.yaml)};
    CHECK(summary(sample) == row.expected);
    CHECK(static_cast<int>(sample.objects.front()->form) == static_cast<int>(ObjectForm::values));
    for (const PodTemplate& pod : sample.pods) CHECK(pod.values);
  }
}

TEST_CASE("documents that are no values files") {
  for (std::string_view yaml : kNoValues) {
    CAPTURE(yaml);
    const Sample sample{std::string(yaml)};
    CHECK(sample.pods.empty());
    CHECK(static_cast<int>(sample.objects.front()->form) == static_cast<int>(ObjectForm::other));
  }
}

TEST_CASE("values inside other objects") {
  const std::string ask = "{resources: {limits: {nvidia.com/gpu: 1}}}";
  for (const auto& [yaml, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {values: {app: " + ask + "}}}", "/spec/values/app partial the values at app nvidia.com/gpu=1\n"},
           {"{apiVersion: helm.fluxcd.io/v1, kind: HelmRelease, spec: {values: " + ask + "}}", "/spec/values partial the values nvidia.com/gpu=1\n"},
           {"{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {helm: {valuesObject: " + ask + "}}}}", "/spec/source/helm/valuesObject partial the values nvidia.com/gpu=1\n"},
           {"{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {sources: [{helm: {values: '" + ask + "'}}]}}", "/spec/sources/0/helm/values partial the values nvidia.com/gpu=1\n"},
           {"{apiVersion: helm.cattle.io/v1, kind: HelmChart, spec: {valuesContent: '" + ask + "'}}", "/spec/valuesContent partial the values nvidia.com/gpu=1\n"},
           {"{apiVersion: helm.cattle.io/v1, kind: HelmChart, spec: {valuesContent: 'not: [closed'}}", ""},
           {"{apiVersion: helm.cattle.io/v1, kind: HelmChart, spec: {valuesContent: 7}}", ""},
       }) {
    CAPTURE(yaml);
    CHECK(summary(Sample(yaml)) == expected);
  }
}

TEST_CASE("keys that hold limits and requests") {
  const Sample spawner("{extra_resource_limits: {nvidia.com/gpu: 1}, extra_resource_guarantees: {nvidia.com/gpu: 2}}");
  const Resources& resources = spawner.container().resources;
  CHECK(resources.limits_key == "extra_resource_limits");
  CHECK(resources.requests_key == "extra_resource_guarantees");
  CHECK(resources.node == spawner.pod().spec);
  CHECK(resources.request("nvidia.com/gpu")->quantity.value.text() == "2");
  // A chart that takes one number writes it to both.
  const Sample bare("{requestGPU: 2}");
  CHECK(bare.container().resources.limit("nvidia.com/gpu") != nullptr);
  CHECK(bare.container().resources.request("nvidia.com/gpu") != nullptr);
}

TEST_CASE("what stands beside an ask") {
  const Sample sample(
      "runtimeClassName: outer\n"
      "defaultPodOptions: {securityContext: {runAsUser: 568}, nodeSelector: {pool: gpu}}\n"
      "app:\n"
      "  resources: {limits: {nvidia.com/gpu: 1}}\n"
      "  image: {registry: nvcr.io, repository: nvidia/cuda, tag: 12.4.1-base}\n"
      "  env: {NVIDIA_VISIBLE_DEVICES: 0, TOKEN: {valueFrom: {secretKeyRef: {}}}}\n"
      "  extraEnv: [{name: CUDA_VISIBLE_DEVICES, value: 1}]\n"
      "  command: [python3, train.py]\n"
      "  args: '--gpus 2'\n"
      "  tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n"
      "  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}\n"
      "  securityContext: {privileged: true}\n");
  const PodTemplate& pod = sample.pod();
  const Container& container = sample.container();
  CHECK(pod.runtime_class.value == "outer");
  CHECK(pod.run_as_user.value_or(0) == 568);
  CHECK(pod.node_requirements.size() == 2);
  CHECK(pod.tolerations.size() == 1);
  CHECK(container.image.value == "nvcr.io/nvidia/cuda:12.4.1-base");
  CHECK(sample.pointer(container.image.node) == "/app/image/repository");
  CHECK(container.variable("NVIDIA_VISIBLE_DEVICES")->value.value == "0");
  CHECK(state_name(container.variable("TOKEN")->value.state) == "unknown");
  CHECK(container.variable("CUDA_VISIBLE_DEVICES")->value.value == "1");
  CHECK(container.command_line.options("--gpus").at(0).value == "2");
  CHECK(container.privileged.value_or(false));
}

TEST_CASE("images of values") {
  struct Image {
    std::string_view yaml;
    std::string_view state;
    std::string_view image;
  };
  for (const Image& row : {Image{"image: vllm/vllm-openai:v1", "known", "vllm/vllm-openai:v1"}, Image{"image: {repository: a/b}", "known", "a/b"},
                           Image{"image: {repository: a/b, tag: '${TAG}'}", "unknown", "a/b:${TAG}"}, Image{"image: {tag: x}", "unknown", ""},
                           Image{"repository: vllm/vllm-openai\ntag: v1", "known", "vllm/vllm-openai:v1"}, Image{"image: {repository: a, digest: 'sha256:1'}", "known", "a@sha256:1"},
                           Image{"x: 1", "absent", ""}}) {
    CAPTURE(row.yaml);
    const Sample sample("resources: {limits: {nvidia.com/gpu: 1}}\n" + std::string(row.yaml));
    CHECK(state_name(sample.container().image.state) == row.state);
    CHECK(sample.container().image.value == row.image);
  }
}

TEST_CASE("a map of containers has its pod options beside it") {
  const Sample sample("controllers: {main: {pod: {runtimeClassName: nvidia, nodeSelector: {a: b}}, containers: {app: {resources: {limits: {nvidia.com/gpu: 1}}}}}}");
  CHECK(sample.pod().runtime_class.value == "nvidia");
  CHECK(sample.pod().node_requirements.size() == 1);
  CHECK(Sample("deployment: {runtimeClassName: nvidia}\nresources: {limits: {nvidia.com/gpu: 1}}").pod().runtime_class.value == "nvidia");
}
