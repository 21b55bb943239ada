#include "rules/kube/accelerator_data.h"

namespace gpulint::accelerator_data {
namespace {

using enum ResourceRole;

// Names of the vendors' device plugins, of HAMi's chart values, of Volcano's device share plugin and of the older sharing schedulers.
constexpr ResourceName kNames[] = {
    {"nvidia.com/gpu", Vendor::nvidia, device},
    {"nvidia.com/gpu.shared", Vendor::nvidia, shared},
    {"nvidia.com/pgpu", Vendor::nvidia, passthrough},
    {"nvidia.com/vgpu", Vendor::nvidia, vgpu},  // what HAMi's chart is often told to call its device
    {"nvidia.com/gpumem", Vendor::nvidia, modifier},
    {"nvidia.com/gpumem-percentage", Vendor::nvidia, modifier},
    {"nvidia.com/gpucores", Vendor::nvidia, modifier},
    {"nvidia.com/priority", Vendor::nvidia, modifier},
    {"volcano.sh/vgpu-number", Vendor::nvidia, vgpu},
    {"volcano.sh/vgpu-memory", Vendor::nvidia, modifier},
    {"volcano.sh/vgpu-memory-percentage", Vendor::nvidia, modifier},
    {"volcano.sh/vgpu-cores", Vendor::nvidia, modifier},
    {"volcano.sh/gpu-number", Vendor::nvidia, vgpu},
    {"volcano.sh/gpu-memory", Vendor::nvidia, fraction},
    {"aliyun.com/gpu-mem", Vendor::nvidia, fraction},
    {"aliyun.com/gpu-count", Vendor::nvidia, modifier},
    {"aliyun.com/gpu-core.percentage", Vendor::nvidia, modifier},
    {"tencent.com/vcuda-core", Vendor::nvidia, fraction},
    {"tencent.com/vcuda-memory", Vendor::nvidia, modifier},
    {"amd.com/gpu", Vendor::amd, device},
    {"amd.com/gpumem", Vendor::amd, modifier},
    {"amd.com/gpucores", Vendor::amd, modifier},
    {"gpu.intel.com/i915", Vendor::intel, device},
    {"gpu.intel.com/xe", Vendor::intel, device},
    {"gpu.intel.com/dxg", Vendor::intel, device},
    {"gpu.intel.com/millicores", Vendor::intel, modifier},
    {"gpu.intel.com/memory.max", Vendor::intel, modifier},
    {"gpu.intel.com/tiles", Vendor::intel, modifier},
    {"gpu.intel.com/monitoring", Vendor::intel, monitoring},
    {"gpu.intel.com/i915_monitoring", Vendor::intel, monitoring},
    {"gpu.intel.com/xe_monitoring", Vendor::intel, monitoring},
    {"habana.ai/gaudi", Vendor::habana, device},
    {"aws.amazon.com/neuron", Vendor::neuron, device},
    {"aws.amazon.com/neurondevice", Vendor::neuron, device},
    {"aws.amazon.com/neuroncore", Vendor::neuron, core},
    {"google.com/tpu", Vendor::tpu, device},
    {"huawei.com/ascend-1980", Vendor::huawei, device},
    {"cambricon.com/mlu", Vendor::cambricon, device},
    {"cambricon.com/mlunum", Vendor::cambricon, device},
    {"cambricon.com/vmlu", Vendor::cambricon, vgpu},
    {"cambricon.com/mlumem", Vendor::cambricon, modifier},
    {"cambricon.com/mlu.smlu.vmemory", Vendor::cambricon, modifier},
    {"cambricon.com/mlu.smlu.vcore", Vendor::cambricon, modifier},
    {"hygon.com/dcunum", Vendor::hygon, device},
    {"hygon.com/dcumem", Vendor::hygon, modifier},
    {"hygon.com/dcucores", Vendor::hygon, modifier},
    {"metax-tech.com/gpu", Vendor::metax, device},
    {"metax-tech.com/sgpu", Vendor::metax, vgpu},
    {"metax-tech.com/vcore", Vendor::metax, modifier},
    {"metax-tech.com/vmemory", Vendor::metax, modifier},
    {"mthreads.com/gpu", Vendor::mthreads, device},
    {"mthreads.com/vgpu", Vendor::mthreads, vgpu},
    {"mthreads.com/sgpu-memory", Vendor::mthreads, modifier},
    {"mthreads.com/sgpu-core", Vendor::mthreads, modifier},
    {"iluvatar.ai/gpu", Vendor::iluvatar, device},
    {"enflame.com/gcu", Vendor::enflame, device},
    {"enflame.com/vgcu", Vendor::enflame, vgpu},
    {"enflame.com/vgcu-percentage", Vendor::enflame, modifier},
    {"kunlunxin.com/xpu", Vendor::kunlunxin, device},
    {"kunlunxin.com/vxpu", Vendor::kunlunxin, vgpu},
    {"kunlunxin.com/vxpu-memory", Vendor::kunlunxin, modifier},
    {"vastaitech.com/va", Vendor::vastaitech, device},
    {"birentech.com/gpu", Vendor::birentech, device},
};

// Tried in order: the first that matches decides.
constexpr ResourcePattern kPatterns[] = {
    {R"(nvidia\.com/mig-\d+g\.\d+gb(\.[a-z.-]+)*\.shared)", Vendor::nvidia, shared, "nvidia.com/mig-1g.5gb.shared"},
    {R"(nvidia\.com/mig-\d+g\.\d+gb(\.[a-z.-]+)*)", Vendor::nvidia, mig, "nvidia.com/mig-1g.10gb.me"},
    {R"(nvidia\.com/gpu-\d+gb)", Vendor::nvidia, shared, "nvidia.com/gpu-20gb"},
    // The KubeVirt plugin writes the PCI database's device name in capitals, and vGPU types with their profile.
    {R"(nvidia\.com/[A-Z][A-Z0-9]*_[A-Za-z0-9._-]+)", Vendor::nvidia, passthrough, "nvidia.com/GA102GL_A10"},
    {R"(nvidia\.com/vgpu-?(mem|memory|cores?)(-percentage)?)", Vendor::nvidia, modifier, "nvidia.com/vgpu-memory"},
    {R"(amd\.com/[a-z]px_nps[124])", Vendor::amd, device, "amd.com/cpx_nps4"},
    {R"(huawei\.com/[Aa]scend.*-memory)", Vendor::huawei, modifier, "huawei.com/Ascend910A-memory"},
    {R"(huawei\.com/[Aa]scend[0-9A-Za-z]+-\d+c(\..*)?)", Vendor::huawei, vgpu, "huawei.com/Ascend910-16c"},
    {R"(huawei\.com/[Aa]scend[0-9A-Za-z]+)", Vendor::huawei, device, "huawei.com/Ascend910B"},
    {R"(cambricon\.com/mlu\d+.*)", Vendor::cambricon, device, "cambricon.com/mlu370"},
    {R"(iluvatar\.ai/.*vgpu)", Vendor::iluvatar, vgpu, "iluvatar.ai/BI-V150-vgpu"},
    {R"(iluvatar\.ai/.*\.v(Core|Mem))", Vendor::iluvatar, modifier, "iluvatar.ai/BI-V150.vCore"},
    {R"(enflame\.com/.*gcu)", Vendor::enflame, vgpu, "enflame.com/shared-gcu"},
    // A DeviceClass asked for as an extended resource (Kubernetes 1.34 and later).
    {R"(deviceclass\.resource\.kubernetes\.io/.*nvidia.*)", Vendor::nvidia, device, "deviceclass.resource.kubernetes.io/gpu.nvidia.com"},
    {R"(deviceclass\.resource\.kubernetes\.io/.*\bamd\b.*)", Vendor::amd, device, "deviceclass.resource.kubernetes.io/gpu.amd.com"},
    {R"(deviceclass\.resource\.kubernetes\.io/.*gpu.*intel.*)", Vendor::intel, device, "deviceclass.resource.kubernetes.io/gpu.intel.com"},
    {R"(deviceclass\.resource\.kubernetes\.io/.*(gpu|mig|tpu|npu|gaudi|neuron).*)", Vendor::other, device,
     "deviceclass.resource.kubernetes.io/gpu"},
};

constexpr Label kLabelTable[] = {
    {"nvidia.com/*", Vendor::nvidia},
    {"gpu.nvidia.com/*", Vendor::nvidia},
    {"amd.com/*", Vendor::amd},
    {"beta.amd.com/*", Vendor::amd},
    {"gpu.intel.com/*", Vendor::intel},
    {"intel.feature.node.kubernetes.io/gpu", Vendor::intel},
    {"habana.ai/*", Vendor::habana},
    {"aws.amazon.com/neuron*", Vendor::neuron},
    {"cloud.google.com/gke-accelerator*", Vendor::nvidia},
    {"cloud.google.com/gke-gpu-*", Vendor::nvidia},
    {"cloud.google.com/gke-max-shared-clients-per-gpu", Vendor::nvidia},
    {"cloud.google.com/gke-tpu-*", Vendor::tpu},
    {"serving.kserve.io/gke-accelerator", Vendor::nvidia},
    {"kubernetes.azure.com/accelerator", Vendor::other},
    {"k8s.amazonaws.com/accelerator", Vendor::other},
    {"karpenter.k8s.aws/instance-gpu-*", Vendor::other},
    {"karpenter.k8s.aws/instance-accelerator-*", Vendor::other},
    {"eks.amazonaws.com/instance-gpu-*", Vendor::other},
    {"eks.amazonaws.com/instance-accelerator-*", Vendor::other},
    {"accelerator", Vendor::other},
    {"gpu", Vendor::other},
};

// Node feature discovery writes the PCI vendor, with or without the device class in front of it.
constexpr LabelPattern kLabelPatternTable[] = {
    {R"(feature\.node\.kubernetes\.io/pci-([0-9a-f]{4}_)?10de[._].*)", Vendor::nvidia, "feature.node.kubernetes.io/pci-0302_10de.present"},
    {R"(feature\.node\.kubernetes\.io/pci-([0-9a-f]{4}_)?1002[._].*)", Vendor::amd, "feature.node.kubernetes.io/pci-1002.present"},
};

constexpr Variable kVariableTable[] = {
    {"NVIDIA_VISIBLE_DEVICES", Vendor::nvidia},     {"CUDA_VISIBLE_DEVICES", Vendor::nvidia},
    {"HIP_VISIBLE_DEVICES", Vendor::amd},           {"ROCR_VISIBLE_DEVICES", Vendor::amd},
    {"AMD_VISIBLE_DEVICES", Vendor::amd},           {"GPU_DEVICE_ORDINAL", Vendor::amd},
    {"ZE_AFFINITY_MASK", Vendor::intel},            {"ONEAPI_DEVICE_SELECTOR", Vendor::intel},
    {"HABANA_VISIBLE_DEVICES", Vendor::habana},     {"NEURON_RT_VISIBLE_CORES", Vendor::neuron},
    {"NEURON_RT_NUM_CORES", Vendor::neuron},        {"TPU_VISIBLE_CHIPS", Vendor::tpu},
    {"TPU_VISIBLE_DEVICES", Vendor::tpu},           {"ASCEND_VISIBLE_DEVICES", Vendor::huawei},
    {"ASCEND_RT_VISIBLE_DEVICES", Vendor::huawei},  {"MTHREADS_VISIBLE_DEVICES", Vendor::mthreads},
};

// Images whose build sets NVIDIA_VISIBLE_DEVICES, their own or that of the CUDA image they are built on.
constexpr ImagePattern kGpuImageTable[] = {
    {R"(nvidia/cuda(:.*)?)", "nvidia/cuda:12.4.1-base-ubuntu22.04"},
    {R"(nvidia/(pytorch|tensorflow|tensorflow2|jax|mxnet|paddlepaddle|tritonserver|tensorrt|nemo|nemo-rl|rapidsai/.*|merlin/.*)(:.*)?)",
     "nvcr.io/nvidia/pytorch:24.05-py3"},
    {R"(nvidia/(ai-dynamo|clara|tensorrt-llm|vllm|sglang|deepstream|riva|k8s/cuda-sample)(/.*)?(:.*)?)", "nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.4.0"},
    {R"(nvcr\.io/nim/.*)", "nvcr.io/nim/meta/llama3-8b-instruct:1.0.0"},
    {R"(pytorch/pytorch:.*-cuda.*)", "pytorch/pytorch:2.3.0-cuda12.1-cudnn8-runtime"},
    {R"(tensorflow/(tensorflow|serving):.*gpu.*)", "tensorflow/tensorflow:2.16.1-gpu"},
    {R"(llm-d/llm-d-cuda(:.*)?)", "ghcr.io/llm-d/llm-d-cuda:v0.2.0"},
    {R"(nvidia/samples:.*cuda.*)", "nvidia/samples:vectoradd-cuda10.2"},
    {R"((vllm|lmcache)/vllm-openai(:.*)?)", "vllm/vllm-openai:v0.6.3"},
    {R"(huggingface/text-generation-inference(:[0-9.]+|:latest|:sha-[0-9a-f]+)?)", "ghcr.io/huggingface/text-generation-inference:2.0.4"},
    {R"(lmsysorg/sglang(:[a-z0-9.]+(-cu[0-9]+.*)?)?)", "lmsysorg/sglang:v0.4.1-cu124"},
    {R"(rayproject/ray(-ml|-llm)?:.*-(gpu|cu[0-9]+).*)", "rayproject/ray:2.9.0-py310-gpu"},
    {R"((rayproject|anyscale)/ray-llm(:.*)?)", "anyscale/ray-llm:0.5.0"},
};

constexpr ImagePattern kInfrastructureImageTable[] = {
    {R"((nvidia/|nvidia-|volcano-vgpu-|ascend-|habana-|neuron-|intel-|amdgpu-)?(k8s-|gpu-)?device-plugin(-[a-z]+)*([:@].*)?)", "nvcr.io/nvidia/k8s-device-plugin:v0.17.0"},
    {R"(([a-z0-9]+-)*(gpu|vdcu|vgpu|npu|neuron)-device-plugin([:@].*)?)", "nvcr.io/nvidia/kubevirt-gpu-device-plugin:v1.2.10"},
    {R"(nvidia-sandbox-device-plugin([:@].*)?)", "nvcr.io/nvidia/cloud-native/nvidia-sandbox-device-plugin:v1.2.5"},
    {R"(intel-gpu-(plugin|fakedev|levelzero)([:@].*)?)", "intel/intel-gpu-plugin:0.32.0"},
    {R"((gpu|neuron|node)-feature-discovery([:@].*)?)", "nvcr.io/nvidia/gpu-feature-discovery:v0.8.2"},
    {R"(dcgm(-exporter)?([:@].*)?)", "nvcr.io/nvidia/k8s/dcgm-exporter:3.3.5"},
    {R"((nvidia-)?container-toolkit([:@].*)?)", "nvcr.io/nvidia/k8s/container-toolkit:v1.17.4"},
    {R"(nvidia/(driver|vgpu-guest-driver)([:@].*)?)", "nvcr.io/nvidia/driver:550.144.03"},
    {R"((cos-nvidia|nvidia-driver|ubuntu-nvidia-driver)-installer([:@].*)?)", "cos-nvidia-installer:fixed"},
    {R"(k8s-(driver-manager|mig-manager|cc-manager|kata-manager|vgpu|vdevice)([:@].*)?)", "nvcr.io/nvidia/cloud-native/k8s-mig-manager:v0.12.0"},
    {R"((vgpu-manager|vgpu-device-manager|gdrdrv|nvidia-fs|nvidia-mig-manager)([:@].*)?)", "nvcr.io/nvidia/vgpu-manager:535.54"},
    {R"(gpu-operator(-validator)?([:@].*)?)", "nvcr.io/nvidia/cloud-native/gpu-operator-validator:v24.9.2"},
    {R"((k8s-dra-driver(-gpu)?|nvidia-dra-driver-gpu|dra-driver-nvidia-gpu|intel-gpu-resource-driver)([:@].*)?)", "nvcr.io/nvidia/k8s-dra-driver-gpu:v25.3.0"},
    {R"((device-metrics-exporter|intel-xpumanager|xpumanager|neuron-monitor|npu-exporter)([:@].*)?)", "rocm/device-metrics-exporter:v1.2.0"},
    {R"((hami|projecthami/.*)([:@].*)?)", "projecthami/hami:v2.5.0"},
};

// Lower case. Kept short and selective: a document that holds none of them is not parsed. Names of other vendors appear with their domain.
constexpr std::string_view kWordTable[] = {
    "gpu", "nvidia", "cuda", "amd.com/", "10de", "pci-1002", "_1002", "accelerator", "visible_", "affinity_mask", "oneapi_device",
    "neuron", "habana", "google.com/tpu", "gke-tpu", "huawei.com/", "cambricon.com/", "hygon.com/", "metax-tech.com/", "mthreads.com/",
    "iluvatar.ai/", "enflame.com/", "kunlunxin.com/", "vastaitech.com/", "birentech.com/", "nvcr.io/", "vllm", "sglang",
    "text-generation-inference", "ray-llm", "device-plugin", "feature-discovery", "dcgm", "container-toolkit", "k8s-driver-manager",
    "k8s-mig-manager", "k8s-cc-manager", "k8s-kata-manager", "k8s-vdevice", "gdrdrv", "xpumanager", "npu-exporter", "device-metrics-exporter",
    "hami", "/dev/dri", "/dev/kfd", "resource.k8s.io", "resource.kubernetes.io/", "resourceclaim", "claims:", "claims\":", "deviceclass",
};

}  // namespace

constinit const std::span<const ResourceName> kResourceNames = kNames;
constinit const std::span<const ResourcePattern> kResourcePatterns = kPatterns;
constinit const std::span<const Label> kLabels = kLabelTable;
constinit const std::span<const LabelPattern> kLabelPatterns = kLabelPatternTable;
constinit const std::span<const Variable> kVariables = kVariableTable;
constinit const std::span<const ImagePattern> kGpuImages = kGpuImageTable;
constinit const std::span<const ImagePattern> kInfrastructureImages = kInfrastructureImageTable;
constinit const std::span<const std::string_view> kWords = kWordTable;

}  // namespace gpulint::accelerator_data
