// DevicePlugin: NVIDIA's device plugin (and HAMi's fork of it) in a pod template, known by what it does: an image of the plugin that mounts
// the kubelet's socket folder or runs the plugin's program. Feature discovery ships in the same image and is none.
// Sources: NVIDIA/k8s-device-plugin README (flags, variables, the static DaemonSet); kubelet device plugin API v1beta1 (socket folder).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rules/kube/image_reference.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

inline constexpr std::string_view kDevicePluginFolder = "/var/lib/kubelet/device-plugins";

/// A setting of the plugin: a variable of the container, or an option of its command line; the option wins, as in the program.
struct PluginSetting {
  std::string value;           ///< empty where nothing is known
  bool known = false;
  const Node* node = nullptr;  ///< null: not set
};

struct DevicePlugin {
  const Container* container = nullptr;
  ImageReference image;
  PluginSetting setting(std::string_view option, std::string_view variable) const;
};
std::optional<DevicePlugin> device_plugin_in(const PodTemplate& pod);

/// A plugin's version as its tags write it: `v0.17.0`, `0.15.0-rc.1`, `1.0.0-beta6`, `v0.14.5-ubi8`. `1.0.0-beta*` came before every 0.x.
struct PluginVersion {
  int major = 0, minor = 0, patch = 0;
  bool candidate = false;  ///< -rc: just before its release
  bool beta = false;       ///< 1.0.0-beta*: older than every 0.x
  static std::optional<PluginVersion> parse(std::string_view tag);
  bool older_than(const PluginVersion& other) const;
};

}  // namespace gpulint
