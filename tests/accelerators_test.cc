// The accelerator table: names of every vendor, what the names mean, and that the prefilter's words find all of them.
#include "rules/kube/accelerators.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "rules/kube/accelerator_data.h"

using namespace gpulint;

namespace {

struct Row {
  std::string_view name;
  Vendor vendor;
  ResourceRole role;
};

using enum ResourceRole;

constexpr Row kKnown[] = {
    {"nvidia.com/gpu", Vendor::nvidia, device},
    {"nvidia.com/gpu.shared", Vendor::nvidia, shared},
    {"nvidia.com/gpu-20gb", Vendor::nvidia, shared},
    {"nvidia.com/mig-1g.5gb", Vendor::nvidia, mig},
    {"nvidia.com/mig-1g.10gb.me", Vendor::nvidia, mig},
    {"nvidia.com/mig-1g.10gb.me.all", Vendor::nvidia, mig},
    {"nvidia.com/mig-3g.20gb.shared", Vendor::nvidia, shared},
    {"nvidia.com/gpumem", Vendor::nvidia, modifier},
    {"nvidia.com/gpumem-percentage", Vendor::nvidia, modifier},
    {"nvidia.com/gpucores", Vendor::nvidia, modifier},
    {"nvidia.com/pgpu", Vendor::nvidia, passthrough},
    {"nvidia.com/GA102GL_A10", Vendor::nvidia, passthrough},
    {"nvidia.com/GRID_T4-2Q", Vendor::nvidia, passthrough},
    {"nvidia.com/TU104GL_Tesla_T4", Vendor::nvidia, passthrough},
    {"volcano.sh/vgpu-number", Vendor::nvidia, vgpu},
    {"volcano.sh/vgpu-memory", Vendor::nvidia, modifier},
    {"volcano.sh/gpu-memory", Vendor::nvidia, fraction},
    {"aliyun.com/gpu-mem", Vendor::nvidia, fraction},
    {"tencent.com/vcuda-core", Vendor::nvidia, fraction},
    {"tencent.com/vcuda-memory", Vendor::nvidia, modifier},
    {"amd.com/gpu", Vendor::amd, device},
    {"amd.com/cpx_nps4", Vendor::amd, device},
    {"gpu.intel.com/i915", Vendor::intel, device},
    {"gpu.intel.com/xe_monitoring", Vendor::intel, monitoring},
    {"habana.ai/gaudi", Vendor::habana, device},
    {"aws.amazon.com/neuron", Vendor::neuron, device},
    {"aws.amazon.com/neuroncore", Vendor::neuron, core},
    {"google.com/tpu", Vendor::tpu, device},
    {"huawei.com/Ascend910", Vendor::huawei, device},
    {"huawei.com/Ascend910B", Vendor::huawei, device},
    {"huawei.com/ascend-1980", Vendor::huawei, device},
    {"huawei.com/Ascend910A-memory", Vendor::huawei, modifier},
    {"cambricon.com/vmlu", Vendor::cambricon, vgpu},
    {"hygon.com/dcunum", Vendor::hygon, device},
    {"metax-tech.com/sgpu", Vendor::metax, vgpu},
    {"mthreads.com/vgpu", Vendor::mthreads, vgpu},
    {"iluvatar.ai/MR-V100-vgpu", Vendor::iluvatar, vgpu},
    {"enflame.com/vgcu", Vendor::enflame, vgpu},
    {"kunlunxin.com/vxpu", Vendor::kunlunxin, vgpu},
    {"vastaitech.com/va", Vendor::vastaitech, device},
    {"birentech.com/gpu", Vendor::birentech, device},
    {"deviceclass.resource.kubernetes.io/gpu.nvidia.com", Vendor::nvidia, device},
    {"deviceclass.resource.kubernetes.io/gpu.amd.com", Vendor::amd, device},
    {"deviceclass.resource.kubernetes.io/my-gpu", Vendor::other, device},
};

constexpr std::string_view kUnknown[] = {
    "cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "gpu", "nvidia.com/gpus", "nvidia.com/GPU", "nvidia/gpu", "alpha.kubernetes.io/nvidia-gpu",
    "nvidia.com/mig-1g5gb", "nvidia.com/mig-1g.5gb+me", "nvidia.com/", "rdma/ib", "vpc.amazonaws.com/efa", "example.com/gpu", "nvidia.com/gpu-20Gi",
    "deviceclass.resource.kubernetes.io/nic", "requests.nvidia.com/gpu", "",
};

bool holds_a_word(std::string_view text, const std::vector<std::string>& words) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

TEST_CASE("resource names and what they stand for") {
  const AcceleratorTable table;
  for (const Row& row : kKnown) {
    CAPTURE(row.name);
    const auto found = table.resource(row.name);
    REQUIRE(found.has_value());
    CHECK(vendor_name(found->vendor) == vendor_name(row.vendor));
    CHECK(static_cast<int>(found->role) == static_cast<int>(row.role));
  }
  for (std::string_view name : kUnknown) {
    CAPTURE(name);
    CHECK_FALSE(table.resource(name).has_value());
  }
}

TEST_CASE("modifiers and monitoring resources ask for no device") {
  CHECK(asks_for_device(device));
  CHECK(asks_for_device(fraction));
  CHECK(asks_for_device(vgpu));
  CHECK(asks_for_device(passthrough));
  CHECK_FALSE(asks_for_device(modifier));
  CHECK_FALSE(asks_for_device(monitoring));
}

TEST_CASE("the configuration adds to a copy and wins over the built-in data") {
  const AcceleratorTable plain;
  AcceleratorTable table = plain;
  table.add({"example.com/npu", {Vendor::other, device}});
  table.add({"example.org/*", {Vendor::other, fraction}});
  table.add({"nvidia.com/gpumem", {Vendor::nvidia, device}});
  CHECK(table.resource("example.com/npu")->role == device);
  CHECK(table.resource("example.org/slice")->role == fraction);
  CHECK_FALSE(table.resource("example.org/").has_value());
  CHECK(table.resource("nvidia.com/gpumem")->role == device);
  CHECK_FALSE(plain.resource("example.com/npu").has_value());
  CHECK(holds_a_word("example.com/npu: 1", table.words()));
  CHECK(holds_a_word("example.org/slice: 1", table.words()));
}

TEST_CASE("every entry of the table is found by one of the words") {
  const std::vector<std::string> words = AcceleratorTable().words();
  const auto check = [&](std::string_view text) {
    CAPTURE(text);
    CHECK(holds_a_word(text, words));
  };
  for (const auto& row : accelerator_data::kResourceNames) check(row.name);
  for (const auto& row : accelerator_data::kResourcePatterns) check(row.sample);
  for (const auto& row : accelerator_data::kLabels) check(row.key);
  for (const auto& row : accelerator_data::kLabelPatterns) check(row.sample);
  for (const auto& row : accelerator_data::kVariables) check(row.name);
  for (const auto& row : accelerator_data::kGpuImages) check(row.sample);
  for (const auto& row : accelerator_data::kInfrastructureImages) check(row.sample);
  for (std::string_view text : {"gpu-fraction: '0.5'", "apiVersion: resource.k8s.io/v1", "resourceClaims:", "claims:", "\"claims\": [", "deviceClassName: x",
                                "runtimeClassName: nvidia", "--gpus", "path: /dev/dri", "path: /dev/kfd"})
    check(text);
}

TEST_CASE("the words are lower case and leave ordinary manifests alone") {
  const std::vector<std::string> words = AcceleratorTable().words();
  for (const std::string& word : words) CHECK(std::none_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  for (std::string_view text : {"httpGet: {path: /output, port: http}", "resources: [persistentvolumeclaims]", "\"persistentvolumeclaims\"", "volumeClaimTemplates",
                                "kind: Deployment", "claimName: data"}) {
    CAPTURE(text);
    CHECK_FALSE(holds_a_word(text, words));
  }
}

TEST_CASE("each pattern matches its sample") {
  const AcceleratorTable table;
  for (const auto& row : accelerator_data::kResourcePatterns) {
    CAPTURE(row.sample);
    REQUIRE(table.resource(row.sample).has_value());
    CHECK(table.resource(row.sample)->role == row.role);
  }
  for (const auto& row : accelerator_data::kLabelPatterns) {
    CAPTURE(row.sample);
    CHECK(table.node_label(row.sample) == row.vendor);
  }
  for (const auto& row : accelerator_data::kGpuImages) {
    CAPTURE(row.sample);
    CHECK(table.is_gpu_image(row.sample));
  }
  for (const auto& row : accelerator_data::kInfrastructureImages) {
    CAPTURE(row.sample);
    CHECK(table.is_infrastructure_image(row.sample));
    CHECK_FALSE(table.is_gpu_image(row.sample));
  }
}

TEST_CASE("node labels by vendor") {
  const AcceleratorTable table;
  CHECK(table.node_label("nvidia.com/gpu.product") == Vendor::nvidia);
  CHECK(table.node_label("nvidia.com/mig.config") == Vendor::nvidia);
  CHECK(table.node_label("cloud.google.com/gke-accelerator") == Vendor::nvidia);
  CHECK(table.node_label("cloud.google.com/gke-accelerator-count") == Vendor::nvidia);
  CHECK(table.node_label("cloud.google.com/gke-tpu-topology") == Vendor::tpu);
  CHECK(table.node_label("karpenter.k8s.aws/instance-gpu-name") == Vendor::other);
  CHECK(table.node_label("kubernetes.azure.com/accelerator") == Vendor::other);
  CHECK(table.node_label("amd.com/gpu.family") == Vendor::amd);
  CHECK(table.node_label("feature.node.kubernetes.io/pci-10de.present") == Vendor::nvidia);
  CHECK(table.node_label("feature.node.kubernetes.io/pci-0300_10de.present") == Vendor::nvidia);
  for (std::string_view key : {"kubernetes.io/hostname", "node.kubernetes.io/instance-type", "nvidia.com/", "feature.node.kubernetes.io/pci-15b3.present",
                               "cloud.google.com/gke-nodepool", ""}) {
    CAPTURE(key);
    CHECK_FALSE(table.node_label(key).has_value());
  }
}

TEST_CASE("variables that choose devices") {
  const AcceleratorTable table;
  CHECK(table.visibility_variable("NVIDIA_VISIBLE_DEVICES") == Vendor::nvidia);
  CHECK(table.visibility_variable("CUDA_VISIBLE_DEVICES") == Vendor::nvidia);
  CHECK(table.visibility_variable("ROCR_VISIBLE_DEVICES") == Vendor::amd);
  CHECK_FALSE(table.visibility_variable("CUDA_DEVICE_ORDER").has_value());
  CHECK_FALSE(table.visibility_variable("NVIDIA_DRIVER_CAPABILITIES").has_value());
}

TEST_CASE("images that bring GPU settings, and those that do not") {
  const AcceleratorTable table;
  for (std::string_view image : {"nvidia/cuda", "nvcr.io/nvidia/cuda:12.4.1-base", "mirror.local/nvidia/cuda@sha256:abc", "pytorch/pytorch:2.3.0-cuda12.1-cudnn8-runtime",
                                 "vllm/vllm-openai:latest", "rayproject/ray-ml:2.46.0-py311-gpu", "nvcr.io/nim/meta/llama3-8b-instruct:1.0.3"}) {
    CAPTURE(image);
    CHECK(table.is_gpu_image(image));
  }
  for (std::string_view image : {"pytorch/pytorch:2.3.0", "tensorflow/tensorflow:2.16.1", "rayproject/ray:2.9.0", "busybox", "rocm/vllm:latest", "evil/notvllm/vllm-openai2",
                                 "ghcr.io/huggingface/text-generation-inference:2.0.4-rocm", "nvcr.io/nvidia/k8s-device-plugin:v0.17.0", ""}) {
    CAPTURE(image);
    CHECK_FALSE(table.is_gpu_image(image));
  }
  for (std::string_view image : {"driver", "nvidia/samples:vectoradd-cuda10.2", "mygpu-operators", "app/toolkit", ""}) {
    CAPTURE(image);
    CHECK_FALSE(table.is_infrastructure_image(image));
  }
}

TEST_CASE("extended resource names") {
  CHECK(is_extended_resource("nvidia.com/gpu"));
  CHECK(is_extended_resource("rdma/ib"));
  CHECK_FALSE(is_extended_resource("cpu"));
  CHECK_FALSE(is_extended_resource("gpu"));
  CHECK_FALSE(is_extended_resource("alpha.kubernetes.io/nvidia-gpu"));
  CHECK_FALSE(is_extended_resource("requests.nvidia.com/gpu"));
}
