#include <algorithm>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

/// The operator's own values file, or the values that a HelmRelease or Application gives it.
const Node* operator_values(const ObjectView& object) {
  if (object.form == ObjectForm::values) return object.root;
  const Node* spec = object.root->find("spec");
  if (!spec) return nullptr;
  if (object.kind == "HelmRelease") return spec->find("values");
  if (object.kind == "Application") return spec->at("source", "helm", "valuesObject");
  return nullptr;
}

bool is_false(const Node* node) { return node && node->kind == NodeKind::boolean && node->text == "false"; }

bool sets_socket(const Node& toolkit) {
  const Node* env = toolkit.find("env");
  if (!env) return false;
  return std::any_of(env->begin(), env->end(), [](const Node& variable) {
    const Node* name = variable.find("name");
    return name && (name->text == "CONTAINERD_SOCKET" || name->text == "RUNTIME_CONFIG_SOURCE" || name->text == "CONTAINERD_CONFIG");
  });
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  const Node* values = operator_values(object);
  const Node* toolkit = values ? values->find("toolkit") : nullptr;
  if (!toolkit || !toolkit->is_mapping() || !(values->find("driver") || values->find("devicePlugin"))) return;
  if (is_false(toolkit->find("enabled")) || sets_socket(*toolkit)) return;
  context.warning(toolkit, "the toolkit is not told where k3s keeps containerd: it writes /etc/containerd, which k3s does not read, and no nvidia handler appears");
}

/// Values for an operator whose name already says GPU need not say it again.
constexpr std::string_view kWords[] = {"toolkit:", "\"toolkit\""};
constexpr std::string_view kSources[] = {"NVIDIA/gpu-operator#522", "NVIDIA/gpu-operator#238", "GPU operator documentation: containerd settings of k3s and RKE2"};

}  // namespace

extern constinit const Rule operator_toolkit_paths{
    .id = "operator-toolkit-paths",
    .group = Group::components,
    .severity = Severity::warning,
    .summary = "Values of the GPU operator for k3s or RKE2 leave the toolkit its default containerd paths.",
    .rationale = "The operator's toolkit configures the containerd it finds at the default paths. k3s and RKE2 run a containerd of their own with its socket at "
                 "/run/k3s/containerd/containerd.sock; the toolkit's container waits for the default socket, or writes a configuration nobody reads.",
    .remediation = "Set CONTAINERD_SOCKET (and CONTAINERD_CONFIG) in `toolkit.env` to the paths of k3s, or `toolkit.enabled: false` where the node brings the toolkit.",
    .details = "Only under the preset k3s.",
    .sources = kSources,
    .words = kWords,
    .applies = [](const Cluster& cluster) { return cluster.brings_own_containerd(); },
    .check = on_object<check>,
};

}  // namespace gpulint::checks
