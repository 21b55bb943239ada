#include "rules/kube/device_plugin.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "rules/kube/path_text.h"

namespace gpulint {
namespace {

bool is_plugin_repository(const ImageReference& image) {
  if (image.placeholder) return false;
  const std::string_view name = base_name(image.repository);
  if (name == "k8s-device-plugin") return image.repository.find("rocm") == std::string_view::npos;
  return name == "nvidia-gpu-device-plugin" || name == "hami";
}

bool is_socket_folder(std::string_view path) {
  path = without_trailing_slashes(path);
  return path == kDevicePluginFolder || path.ends_with("/device-plugins");
}

bool mounts_socket_folder(const Container& container, const PodTemplate& pod) {
  const auto mounted = [&](std::string_view volume) {
    return std::any_of(container.mounts.begin(), container.mounts.end(), [&](const VolumeMount& mount) { return mount.name == volume; });
  };
  const auto folder = [](const VolumeMount& mount) { return is_socket_folder(mount.path); };
  const auto volume = [&](const Volume& one) { return is_socket_folder(one.host_path.value_or("")) && mounted(one.name); };
  return std::any_of(container.mounts.begin(), container.mounts.end(), folder) || std::any_of(pod.volumes.begin(), pod.volumes.end(), volume);
}

bool runs_plugin(const Container& container) {
  return std::any_of(container.command_line.invocations.begin(), container.command_line.invocations.end(),
                     [](const Invocation& invocation) { return invocation.program == "nvidia-device-plugin"; });
}

/// The number at the front of `text`, which loses it and the separator behind it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('.')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<DevicePlugin> device_plugin_in(const PodTemplate& pod) {
  for (const Container& container : pod.containers) {
    if (!container.image.known()) continue;
    const ImageReference image = ImageReference::parse(container.image.value);
    if (is_plugin_repository(image) && (mounts_socket_folder(container, pod) || runs_plugin(container))) return DevicePlugin{&container, image};
  }
  return std::nullopt;
}

PluginSetting DevicePlugin::setting(std::string_view option, std::string_view variable) const {
  const auto options = container->command_line.options(option);
  if (!options.empty()) {
    const CommandLine::Option& last = options.back();
    // An option without a value is a switch that is on.
    return {last.value.empty() ? "true" : last.value, true, last.flag->node};
  }
  const EnvironmentVariable* set = container->variable(variable);
  if (!set) return {};
  return {std::string(set->value.value_or("")), set->value.known(), set->value.node ? set->value.node : set->node};
}

std::optional<PluginVersion> PluginVersion::parse(std::string_view tag) {
  if (tag.starts_with('v')) tag.remove_prefix(1);
  PluginVersion version;
  const auto major = take_number(tag), minor = take_number(tag);
  if (!major || !minor) return std::nullopt;
  version.major = *major;
  version.minor = *minor;
  version.patch = take_number(tag).value_or(0);
  version.candidate = tag.starts_with("-rc");
  version.beta = version.major == 1 && version.minor == 0 && tag.starts_with("-beta");
  return version;
}

bool PluginVersion::older_than(const PluginVersion& other) const {
  const auto rank = [](const PluginVersion& version) {
    return std::tuple(!version.beta, version.major, version.minor, version.patch, !version.candidate);
  };
  return rank(*this) < rank(other);
}

}  // namespace gpulint
