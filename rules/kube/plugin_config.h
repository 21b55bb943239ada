// The configuration file of NVIDIA's device plugin (`version: v1` with `flags` or `sharing`), wherever a manifest carries it: as a file, in a
// ConfigMap's data, in chart values. Source: NVIDIA/k8s-device-plugin README, "Configuration".
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/kube/embedded_text.h"

namespace gpulint {

/// Whether the mapping is such a configuration.
bool is_plugin_configuration(const Node& mapping);
/// Whether the text of a string is one.
bool holds_plugin_configuration(const Node& string);

struct PluginConfiguration {
  const Node* root = nullptr;
  std::shared_ptr<const EmbeddedText> text;  ///< keeps the tree of a configuration that stands in a string
};
/// Every configuration below the node, in document order.
std::vector<PluginConfiguration> plugin_configurations(const Node& root);

/// Where the plugin reads a key that stands at `path` ("flags", "sharing.timeSlicing", "" for the root; list elements add no part):
/// empty when it reads it there, or knows no such key at all; else the right place as a path with the key.
std::string_view right_place_of_key(std::string_view path, std::string_view key);

}  // namespace gpulint
