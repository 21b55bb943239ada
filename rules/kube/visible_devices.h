// VisibleDevices: what the values of NVIDIA_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES mean. The two are read by different programs
// (the container runtime; the CUDA driver in the process) with different rules, and rules about them must not guess.
// Sources: NVIDIA container toolkit, internal/config/image; CUDA programming guide, environment variables; PyTorch's own parser.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpulint {

/// CUDA_VISIBLE_DEVICES as the CUDA driver reads it. Indices count the devices of the container, not of the node.
struct CudaVisibleDevices {
  std::vector<std::int64_t> indices;  ///< up to the first element that is no index
  bool by_uuid = false;               ///< `GPU-...` or `MIG-...`: no indices
  bool duplicates = false;            ///< an element stands twice, which hides every device
  bool stopped = false;               ///< an element that is no index ended the list early

  /// No device is visible, however many the container has.
  bool hides_all() const { return duplicates || (!by_uuid && indices.empty()); }
  static CudaVisibleDevices parse(std::string_view text);
};

/// Whether NVIDIA_VISIBLE_DEVICES of this value makes the runtime bring in devices: not for `void`, `none` and the empty text.
bool shows_nvidia_devices(std::string_view value);

/// Whether NVIDIA_VISIBLE_DEVICES of this value names a device beyond the first `count`: `all`, or an index of `count` or more.
/// UUIDs and MIG devices (`0:1`) are left out: nobody can tell from the text which device they are.
bool names_devices_beyond(std::string_view value, std::int64_t count);

}  // namespace gpulint
