// Vendors of asks, images and node requirements, and the texts that do not tell.
#include "rules/kube/vendor_of.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

namespace {

Sample pod(const std::string& containers, const std::string& fields = "") {
  return Sample("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [" + containers + "]" + fields + "}");
}

std::string asking(const std::string& limits) { return "{name: a, image: a, resources: {limits: {" + limits + "}}}"; }

}  // namespace

TEST_CASE("the vendor asked for") {
  struct Row { std::string containers; Vendor vendor; };
  const Row kRows[] = {
      {asking("cpu: 1"), Vendor::none},
      {asking("nvidia.com/gpu: 1"), Vendor::nvidia},
      {asking("amd.com/gpu: 0"), Vendor::none},
      {asking("amd.com/gpu: $GPUS"), Vendor::amd},
      {asking("nvidia.com/gpu: 1, amd.com/gpu: 1"), Vendor::none},
      {asking("nvidia.com/gpu: 1, amd.com/gpu: 0"), Vendor::nvidia},
      {asking("gpu.intel.com/i915: 1") + ", " + asking("cpu: 1"), Vendor::intel},
      {"{name: a, image: a, resources: {claims: [{name: gpu}], limits: {nvidia.com/gpu: 1}}}", Vendor::none},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.containers);
    const Sample sample = pod(row.containers);
    CHECK(vendor_name(vendor_asked(sample.pod())) == vendor_name(row.vendor));
    CHECK(vendor_name(vendor_asked(sample.pod().containers.front())) == vendor_name(row.vendor));
  }
}

TEST_CASE("containers of several vendors ask for none of them alone") {
  const Sample sample = pod(asking("nvidia.com/gpu: 1") + ", " + asking("amd.com/gpu: 1"));
  CHECK(vendor_name(vendor_asked(sample.pod())) == vendor_name(Vendor::none));
  CHECK(vendor_name(vendor_asked(sample.pod().containers.back())) == vendor_name(Vendor::amd));
}

TEST_CASE("the vendor an image is built for") {
  struct Row { const char* image; Vendor vendor; };
  constexpr Row kRows[] = {
      {"example/train:1.0", Vendor::none},
      {"nvidia/cuda:12.4.1-base-ubuntu22.04", Vendor::nvidia},
      {"vllm/vllm-openai:v0.6.3", Vendor::nvidia},
      {"pytorch/pytorch:2.3.0-cuda12.1-cudnn8-runtime", Vendor::nvidia},
      {"rocm/pytorch:rocm6.2_ubuntu22.04", Vendor::amd},
      {"vllm/vllm-openai-rocm:v0.11.0", Vendor::amd},
      {"huggingface/text-generation-inference:2.0.4-rocm", Vendor::amd},
      {"intel/intel-extension-for-pytorch:2.3.110-xpu", Vendor::intel},
      {"vault.habana.ai/gaudi-docker/1.18.0/ubuntu22.04/habanalabs/pytorch:latest", Vendor::habana},
      {"example/pytorch-inference-neuronx:2.1", Vendor::neuron},
      {"vllm/vllm-tpu:nightly", Vendor::tpu},
      {"example/bench:cuda-and-rocm", Vendor::none},
      {"example/microcmd:1.0", Vendor::none},
      {"", Vendor::none},
  };
  const AcceleratorTable table;
  for (const Row& row : kRows) {
    CAPTURE(row.image);
    CHECK(vendor_name(vendor_of_image(row.image, table)) == vendor_name(row.vendor));
  }
}

TEST_CASE("the vendor whose nodes are selected") {
  struct Row { const char* requirement; Vendor vendor; };
  constexpr Row kRows[] = {
      {"{key: nvidia.com/gpu.present, operator: In, values: ['true']}", Vendor::nvidia},
      {"{key: nvidia.com/gpu.present, operator: In, values: ['false']}", Vendor::none},
      {"{key: nvidia.com/gpu.present, operator: Exists}", Vendor::nvidia},
      {"{key: nvidia.com/gpu.present, operator: DoesNotExist}", Vendor::none},
      {"{key: nvidia.com/gpu.count, operator: Gt, values: ['1']}", Vendor::nvidia},
      {"{key: nvidia.com/gpu.product, operator: NotIn, values: [Tesla-T4]}", Vendor::none},
      {"{key: nvidia.com/gpu.product, operator: In, values: [$PRODUCT]}", Vendor::none},
      {"{key: feature.node.kubernetes.io/pci-1002.present, operator: Exists}", Vendor::amd},
      {"{key: cloud.google.com/gke-tpu-accelerator, operator: In, values: [tpu-v5-lite-podslice]}", Vendor::tpu},
      {"{key: accelerator, operator: In, values: [nvidia-a100]}", Vendor::nvidia},
      {"{key: accelerator, operator: In, values: [AMD-MI300X, amd-mi250]}", Vendor::amd},
      {"{key: accelerator, operator: In, values: [nvidia-a100, amd-mi300x]}", Vendor::none},
      {"{key: accelerator, operator: In, values: ['true']}", Vendor::none},
      {"{key: karpenter.k8s.aws/instance-gpu-manufacturer, operator: In, values: [nvidia]}", Vendor::nvidia},
      {"{key: kubernetes.io/hostname, operator: In, values: [nvidia-1]}", Vendor::none},
  };
  const AcceleratorTable table;
  for (const Row& row : kRows) {
    CAPTURE(row.requirement);
    const Sample sample = pod("{name: a, image: a}", ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                                                     "{nodeSelectorTerms: [{matchExpressions: [" + std::string(row.requirement) + "]}]}}}");
    REQUIRE(sample.pod().node_requirements.size() == 1);
    CHECK(vendor_name(vendor_of_nodes(sample.pod().node_requirements.front(), table)) == vendor_name(row.vendor));
  }
}
