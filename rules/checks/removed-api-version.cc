#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/object_view.h"
#include "rules/kube/placeholder.h"

namespace gpulint::checks {
namespace {

/// In the order of search: a kind before its version as a whole.
struct Removed {
  std::string_view api_version;
  std::string_view kind;   ///< empty: every kind
  std::string_view since;  ///< the first Kubernetes without it; empty where releases differ
  std::string_view now;
};
constexpr Removed kRemoved[] = {
    {"extensions/v1beta1", "DaemonSet", "1.16", "apps/v1"},
    {"extensions/v1beta1", "Deployment", "1.16", "apps/v1"},
    {"extensions/v1beta1", "ReplicaSet", "1.16", "apps/v1"},
    {"apps/v1beta1", "", "1.16", "apps/v1"},
    {"apps/v1beta2", "", "1.16", "apps/v1"},
    {"batch/v1beta1", "CronJob", "1.25", "batch/v1"},
    {"batch/v2alpha1", "CronJob", "1.21", "batch/v1"},
    {"node.k8s.io/v1alpha1", "RuntimeClass", "", "node.k8s.io/v1"},
    {"node.k8s.io/v1beta1", "RuntimeClass", "1.25", "node.k8s.io/v1"},
    {"resource.k8s.io/v1alpha1", "ResourceClass", "1.27", "DeviceClass of resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha1", "", "1.27", "resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha2", "ResourceClass", "1.31", "DeviceClass of resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha2", "", "1.31", "resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha3", "DeviceClass", "", "resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha3", "ResourceClaim", "", "resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha3", "ResourceClaimTemplate", "", "resource.k8s.io/v1"},
    {"resource.k8s.io/v1alpha3", "ResourceSlice", "", "resource.k8s.io/v1"},
};

/// Where the kinds that hold GPU settings live: no other built-in group ever had them.
struct Home {
  std::string_view kind, group, now;
};
constexpr Home kHomes[] = {
    {"Pod", "", "v1"},
    {"ReplicationController", "", "v1"},
    {"Deployment", "apps", "apps/v1"},
    {"DaemonSet", "apps", "apps/v1"},
    {"StatefulSet", "apps", "apps/v1"},
    {"ReplicaSet", "apps", "apps/v1"},
    {"Job", "batch", "batch/v1"},
    {"CronJob", "batch", "batch/v1"},
    {"RuntimeClass", "node.k8s.io", "node.k8s.io/v1"},
    {"DeviceClass", "resource.k8s.io", "resource.k8s.io/v1"},
    {"ResourceClaim", "resource.k8s.io", "resource.k8s.io/v1"},
    {"ResourceClaimTemplate", "resource.k8s.io", "resource.k8s.io/v1"},
    {"ResourceSlice", "resource.k8s.io", "resource.k8s.io/v1"},
};

bool names_gpu(const Node& node, const AcceleratorTable& accelerators) {
  if (accelerators.resource(node.key)) return true;
  if (!node.is_string()) return false;
  const std::string_view text = node.text;
  if (node.key == "image") return accelerators.is_gpu_image(text) || accelerators.is_infrastructure_image(text);
  if (node.key == "name") return accelerators.visibility_variable(text).has_value();
  if (node.key == "runtimeClassName" || node.key == "handler") return text.starts_with("nvidia");
  return accelerators.node_label(node.key).value_or(Vendor::other) != Vendor::other;
}

/// The pod template is not found in a version that the table of kinds does not know: anything in the object counts.
bool is_gpu_object(const ObjectView& object, const AcceleratorTable& accelerators) {
  const std::string_view kind = object.kind;
  if (object.group == "resource.k8s.io" || kind == "DeviceClass" || kind.starts_with("ResourceClaim")) return true;
  bool found = false;
  for_each_node(*object.root, [&](const Node& node) { found = found || names_gpu(node, accelerators); });
  return found;
}

void report_removed(const Removed& row, const Node* place, Context& context) {
  const std::string since = row.since.empty() ? std::string() : fmt::format(" since Kubernetes {}", row.since);
  context.error(place, "{} of {} is no longer served{}; {} took its place", context.object->kind, row.api_version, since, row.now);
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  if (object.form != ObjectForm::object || holds_placeholder(object.api_version)) return;
  const Node* place = object.root->find("apiVersion");
  const auto removed = std::find_if(std::begin(kRemoved), std::end(kRemoved), [&](const Removed& row) {
    return row.api_version == object.api_version && (row.kind.empty() || row.kind == object.kind);
  });
  const auto home = std::find_if(std::begin(kHomes), std::end(kHomes), [&](const Home& row) { return row.kind == object.kind; });
  if (removed != std::end(kRemoved)) {
    if (is_gpu_object(object, context.accelerators)) report_removed(*removed, place, context);
    return;
  }
  // Groups of custom resources have a dot in their name.
  const bool foreign = !object.built_in && object.group.find('.') != std::string_view::npos;
  if (home == std::end(kHomes) || foreign) return;
  const bool newer = home->group == "resource.k8s.io";  // it still gets versions
  if (object.api_version == home->now || (object.group == home->group && newer) || !is_gpu_object(object, context.accelerators)) return;
  context.error(place, "Kubernetes has no {} in {}; it is in {}", object.kind, object.api_version, home->now);
}

constexpr std::string_view kSources[] = {
    "Kubernetes documentation: Deprecated API Migration Guide",
    "NVIDIA/k8s-device-plugin deployments/static/extensions-v1beta1-nvidia-device-plugin.yml",
    "kubernetes/kubernetes#125488",
    "kubernetes/kubernetes#128003",
};

}  // namespace

extern constinit const Rule removed_api_version{
    .id = "removed-api-version",
    .group = Group::components,
    .severity = Severity::error,
    .summary = "A GPU object is written in an API version that the server no longer has, or never had.",
    .rationale =
        "Old device plugins, driver installers and claims are still copied from where they were published. The API server answers `no matches for "
        "kind` and the object is not created.",
    .remediation =
        "Write the object in the version that took its place. From extensions/v1beta1 to apps/v1 a `selector` has to be added; claims in "
        "resource.k8s.io have another shape.",
    .details =
        "No longer served: Deployment, DaemonSet and ReplicaSet in extensions/v1beta1, apps/v1beta1 and apps/v1beta2 (1.16); CronJob in "
        "batch/v2alpha1 (1.21) and batch/v1beta1 (1.25); RuntimeClass in node.k8s.io/v1alpha1 and v1beta1 (1.25); device claims in resource.k8s.io "
        "v1alpha1 (1.27), v1alpha2 (1.31) and v1alpha3. v1beta1 and v1beta2 of resource.k8s.io can still be turned on and are no finding.\n\n"
        "Never there: these kinds in any other version or group of the API server itself, such as a Deployment in v1.\n\n"
        "Only objects that have to do with GPUs are judged. Versions of custom resources depend on the installed operator and are not.",
    .sources = kSources,
    .check = on_object<check>,
};

}  // namespace gpulint::checks
