#include <algorithm>

#include "rules/engine/context.h"
#include "rules/engine/run_facts.h"
#include "rules/kube/device_plugin.h"

namespace gpulint::checks {
namespace {

/// Two plugins share nodes unless their selectors differ: labels in order of key, so that their order in the text does not matter.
std::string selector_text(const PodTemplate& pod) {
  std::vector<std::string> labels;
  for (const NodeRequirement& requirement : pod.node_requirements) {
    if (!requirement.required) continue;
    std::string label = fmt::format("{} {}", requirement.key, requirement.operation);
    for (const std::string_view value : requirement.values) label += fmt::format(" {}", value);
    labels.push_back(std::move(label));
  }
  std::sort(labels.begin(), labels.end());
  std::string text;
  for (const std::string& label : labels) text += label + ";";
  return text;
}

void collect(const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  if (object.kind != "DaemonSet") return;
  for (const PodTemplate& pod : templates) {
    const auto plugin = device_plugin_in(pod);
    if (!plugin) continue;
    // The documents of one input are applied together; files side by side may be alternatives, or for other clusters.
    const std::string place = fmt::format("{}|{}", context.source.name(), selector_text(pod));
    context.note(place, fmt::format("{}/{}", object.name_space, object.name));
    context
        .propose(place, Severity::warning, plugin->container->node,
                 fmt::format("DaemonSet {} and another one of this file both run the device plugin on the same nodes", object.name))
        .in(*plugin->container);
  }
}

bool confirm(std::string_view place, const RunFacts& facts) { return facts.all(place).size() > 1; }

constexpr std::string_view kSources[] = {"kubelet device plugin API v1beta1: one endpoint a resource", "NVIDIA/aicr#332", "kubernetes-sigs KEP-5004"};

}  // namespace

extern constinit const Rule device_plugin_duplicate{
    .id = "device-plugin-duplicate",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "Two DaemonSets of one file run NVIDIA's device plugin on the same nodes.",
    .rationale = "A node has one endpoint a resource. The plugin that registers last takes it over; after each restart it may be the other one, with other "
                 "settings for sharing and MIG.",
    .remediation = "Keep one, or give them node selectors that exclude each other.",
    .details = "Judged over the documents of one file or stream (a rendered chart, `kubectl get -o yaml`): files side by side may be alternatives or go to "
               "different clusters. DaemonSets whose node selectors differ are not reported. gpulint lint only.",
    .sources = kSources,
    .check = on_run<collect, confirm>,
};

}  // namespace gpulint::checks
