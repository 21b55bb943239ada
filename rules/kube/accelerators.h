// AcceleratorTable: which resource names are accelerators and of which kind, which variables and labels belong to which vendor,
// which images carry GPU settings. One table of data, handed down as a value; the configuration adds to a copy of it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

enum class Vendor : std::uint8_t {
  none, nvidia, amd, intel, habana, neuron, tpu, huawei, cambricon, hygon, metax, mthreads, iluvatar, enflame, kunlunxin,
  vastaitech, birentech, other,
};
std::string_view vendor_name(Vendor vendor);  ///< "NVIDIA", "AMD", ...

enum class ResourceRole : std::uint8_t {
  device,      ///< whole devices: nvidia.com/gpu, amd.com/gpu, google.com/tpu, aws.amazon.com/neuron
  core,        ///< part of a device that the vendor counts one by one: aws.amazon.com/neuroncore
  shared,      ///< time-sliced or MPS: nvidia.com/gpu.shared, nvidia.com/mig-1g.5gb.shared, sliced by size: nvidia.com/gpu-20gb
  mig,         ///< nvidia.com/mig-1g.5gb
  fraction,    ///< a complete ask measured in memory or percent: aliyun.com/gpu-mem, volcano.sh/gpu-memory, tencent.com/vcuda-core
  vgpu,        ///< a counted virtual GPU: volcano.sh/vgpu-number, metax-tech.com/sgpu
  modifier,    ///< says how much of a device, no device by itself: nvidia.com/gpumem, nvidia.com/gpucores
  monitoring,  ///< exposes all devices to look at them: gpu.intel.com/i915_monitoring
  passthrough, ///< KubeVirt: nvidia.com/GA102GL_A10, nvidia.com/pgpu
};
/// Whether a request for it is a request for a device (everything but modifier and monitoring).
bool asks_for_device(ResourceRole role);

struct Accelerator {
  Vendor vendor = Vendor::none;
  ResourceRole role = ResourceRole::device;
};

/// A resource the configuration adds: `accelerators: [{resource: example.com/npu, vendor: example}]`.
struct AcceleratorEntry {
  std::string resource;  ///< exact name, or a prefix ending in `*`
  Accelerator accelerator;
};

class AcceleratorTable {
 public:
  AcceleratorTable();  ///< the built-in data (accelerator_data.cc)
  ~AcceleratorTable();
  AcceleratorTable(const AcceleratorTable&);
  AcceleratorTable& operator=(const AcceleratorTable&);

  void add(AcceleratorEntry entry);
  const std::vector<AcceleratorEntry>& added() const { return added_; }

  /// The accelerator a resource name stands for; exact names before prefixes before patterns. `deviceclass.resource.kubernetes.io/gpu...` too.
  std::optional<Accelerator> resource(std::string_view name) const;
  /// A node label or annotation key that tells about accelerators (nvidia.com/gpu.product, cloud.google.com/gke-accelerator ...):
  /// its vendor, Vendor::other where the label names no vendor.
  std::optional<Vendor> node_label(std::string_view key) const;
  /// A variable that chooses devices (NVIDIA_VISIBLE_DEVICES, CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES ...).
  std::optional<Vendor> visibility_variable(std::string_view name) const;
  /// An image known to bake NVIDIA_VISIBLE_DEVICES (rules.md "GPU image").
  bool is_gpu_image(std::string_view image) const;
  /// Device plugins, drivers, toolkits, exporters, feature discovery, validators, MIG managers, by image.
  bool is_infrastructure_image(std::string_view image) const;
  /// Texts one of which every document holds that this table can recognise anything in; lower case. For the prefilter.
  std::vector<std::string> words() const;

 private:
  struct Data;
  std::shared_ptr<const Data> builtin_;
  std::vector<AcceleratorEntry> added_;
};

/// Name rules of the API for extended resources: holds a `/`, not in kubernetes.io/, no `requests.` in front.
bool is_extended_resource(std::string_view name);

}  // namespace gpulint
