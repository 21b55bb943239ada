#include "rules/engine/context.h"
#include "rules/engine/run_facts.h"
#include "rules/kube/device_plugin.h"
#include "rules/kube/plugin_config.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kConfiguration = "configuration";
/// What needs no other document to hold.
constexpr std::string_view kByItself = "";

void note_configuration(const ObjectView& object, Context& context) {
  const Node* data = object.root->find("data");
  if (!data || !data->is_mapping()) return;
  for (const Node& member : *data)
    if (holds_plugin_configuration(member)) context.note(kConfiguration, fmt::format("{}/{}", object.name_space, object.name));
}

void propose(const ObjectView& object, const Container& container, Context& context) {
  const Node* sources = container.node->find("envFrom");
  if (sources && sources->is_sequence())
    for (const Node& source : *sources)
      if (const Node* name = source.at("configMapRef", "name"); name && name->is_string())
        context.propose(fmt::format("{}/{}", object.name_space, name->text), Severity::warning, name,
                        fmt::format("{}: ConfigMap {} holds a configuration file, which the device plugin does not read from variables", container.label(), name->text))
            .in(container);
  for (const EnvironmentVariable& variable : container.env)
    if (variable.value.known() && holds_plugin_configuration(*variable.value.node))
      context.propose(std::string(kByItself), Severity::warning, variable.value.node,
                      fmt::format("{}: variable {} holds a configuration file, which the device plugin does not read from variables", container.label(), variable.name))
          .in(container);
}

void collect(const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  if (object.is("", "ConfigMap")) note_configuration(object, context);
  for (const PodTemplate& pod : templates)
    if (const auto plugin = device_plugin_in(pod)) propose(object, *plugin->container, context);
}

bool confirm(std::string_view config_map, const RunFacts& facts) { return config_map == kByItself || facts.count(kConfiguration, config_map) > 0; }

constexpr std::string_view kSources[] = {"NVIDIA/k8s-device-plugin#990", "NVIDIA/k8s-device-plugin README: CONFIG_FILE", "EnvFromSource (core/v1)"};

}  // namespace

extern constinit const Rule device_plugin_config_not_read{
    .id = "device-plugin-config-not-read",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "The device plugin gets its configuration file as a variable, where it does not read one.",
    .rationale = "The plugin reads its configuration from the file that CONFIG_FILE names. A ConfigMap given by envFrom becomes a variable named like the file; the "
                 "plugin starts with its defaults, so time-slicing or MIG stays off without a word.",
    .remediation = "Mount the ConfigMap as a volume and name the file in CONFIG_FILE or --config-file.",
    .details = "Judged when the ConfigMap is part of the same run. A ConfigMap of single settings such as MIG_STRATEGY is right in envFrom. gpulint lint only.",
    .sources = kSources,
    .check = on_run<collect, confirm>,
};

}  // namespace gpulint::checks
