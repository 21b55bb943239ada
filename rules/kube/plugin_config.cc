#include "rules/kube/plugin_config.h"

#include <string>

#include "rules/kube/decode.h"

namespace gpulint {
namespace {

struct KnownKey {
  std::string_view path, key;
};

/// The keys of the plugin's configuration and of feature discovery, which reads the same file.
constexpr KnownKey kKeys[] = {
    {"", "version"},
    {"", "flags"},
    {"", "resources"},
    {"", "sharing"},
    {"", "imex"},
    {"flags", "migStrategy"},
    {"flags", "failOnInitError"},
    {"flags", "mpsRoot"},
    {"flags", "nvidiaDriverRoot"},
    {"flags", "nvidiaDevRoot"},
    {"flags", "gdrcopyEnabled"},
    {"flags", "gdsEnabled"},
    {"flags", "mofedEnabled"},
    {"flags", "useNodeFeatureAPI"},
    {"flags", "deviceDiscoveryStrategy"},
    {"flags", "plugin"},
    {"flags", "gfd"},
    {"flags.plugin", "passDeviceSpecs"},
    {"flags.plugin", "deviceListStrategy"},
    {"flags.plugin", "deviceIDStrategy"},
    {"flags.plugin", "cdiAnnotationPrefix"},
    {"flags.plugin", "nvidiaCTKPath"},
    {"flags.plugin", "containerDriverRoot"},
    {"flags.gfd", "oneshot"},
    {"flags.gfd", "noTimestamp"},
    {"flags.gfd", "sleepInterval"},
    {"flags.gfd", "outputFile"},
    {"flags.gfd", "machineTypeFile"},
    {"resources", "gpus"},
    {"resources", "mig"},
    {"sharing", "timeSlicing"},
    {"sharing", "mps"},
    {"sharing.timeSlicing", "renameByDefault"},
    {"sharing.timeSlicing", "failRequestsGreaterThanOne"},
    {"sharing.timeSlicing.resources", "replicas"},
    {"imex", "channelIDs"},
};

/// Both ways of sharing are written alike.
std::string same_sharing(std::string_view path) {
  std::string text(path);
  if (text == "sharing.mps" || text.starts_with("sharing.mps.")) text.replace(0, std::string_view("sharing.mps").size(), "sharing.timeSlicing");
  return text;
}

/// The configuration that stands in a string; null when it holds none.
std::shared_ptr<const EmbeddedText> configuration_in(const Node& node) {
  if (!node.is_string() || node.text.find("version: v1") == std::string_view::npos) return nullptr;
  auto text = EmbeddedText::read(node);
  return text && is_plugin_configuration(text->root()) ? text : nullptr;
}

}  // namespace

bool is_plugin_configuration(const Node& mapping) {
  const Node* version = mapping.find("version");
  return version && version->text == "v1" && (mapping_of(mapping.find("flags")) || mapping_of(mapping.find("sharing")));
}

bool holds_plugin_configuration(const Node& string) { return configuration_in(string) != nullptr; }

std::vector<PluginConfiguration> plugin_configurations(const Node& root) {
  std::vector<PluginConfiguration> found;
  for_each_node(root, [&](const Node& node) {
    if (is_plugin_configuration(node)) found.push_back({&node, nullptr});
    if (const auto text = configuration_in(node)) found.push_back({&text->root(), text});
  });
  return found;
}

std::string_view right_place_of_key(std::string_view path, std::string_view key) {
  const std::string here = same_sharing(path);
  std::string_view elsewhere;
  for (const KnownKey& known : kKeys) {
    if (known.key != key) continue;
    if (known.path == here) return {};
    elsewhere = known.path;
  }
  return elsewhere;
}

}  // namespace gpulint
