#include "rules/engine/context.h"
#include "rules/kube/plugin_config.h"

namespace gpulint::checks {
namespace {

/// Resource lists have keys of their own (`name`, `devices`, `rename`, `pattern`), and `resources` itself stands in three places.
bool is_list_key(std::string_view key) { return key == "resources" || key == "name" || key == "devices" || key == "rename" || key == "pattern"; }

void check_mapping(const Node& mapping, const std::string& path, Context& context) {
  for (const Node& member : mapping) {
    const std::string_view place = right_place_of_key(path, member.key);
    if (!place.empty() && !is_list_key(member.key))
      context.warning(&member, "{} is not read {}; the device plugin reads it under {}", member.key,
                      path.empty() ? std::string("at the top of its configuration") : "under " + path, place);
    const std::string below = path.empty() ? std::string(member.key) : fmt::format("{}.{}", path, member.key);
    if (member.is_mapping()) check_mapping(member, below, context);
    if (!member.is_sequence()) continue;
    for (const Node& element : member)
      if (element.is_mapping()) check_mapping(element, below, context);
  }
}

void check(const Document& document, Context& context) {
  for (const PluginConfiguration& configuration : plugin_configurations(*document.root)) check_mapping(*configuration.root, "", context);
}

constexpr std::string_view kSources[] = {"NVIDIA/k8s-device-plugin#353", "NVIDIA/k8s-device-plugin#990", "NVIDIA/k8s-device-plugin README: configuration"};

}  // namespace

extern constinit const Rule device_plugin_ignored_config_key{
    .id = "device-plugin-ignored-config-key",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "A key of the device plugin's configuration stands where the plugin does not read it.",
    .rationale = "The plugin ignores keys it does not expect at a place. `renameByDefault` under `flags` renames nothing, `failRequestsGreaterThanOne` there "
                 "refuses nothing, and nobody is told: nodes offer what was not meant.",
    .remediation = "Move the key to the place that the message names.",
    .details = "Read in a file with `version: v1` and `flags` or `sharing`, in such a text within a ConfigMap, and in chart values. A finding about a text in a "
               "string points at the string.",
    .sources = kSources,
    .words = {},
    .check = on_document<check>,
};

}  // namespace gpulint::checks
