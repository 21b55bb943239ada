#include "webhook/scope.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rules/kube/object_view.h"

namespace gpulint {
namespace {

struct BuiltInOwner {
  std::string_view group_version, kind;
};
/// Owners whose pod template is judged when they are created or changed, so that what their controller makes of it needs no second look.
constexpr std::array kBuiltInOwners = {
    BuiltInOwner{"apps/v1", "Deployment"},  BuiltInOwner{"apps/v1", "ReplicaSet"}, BuiltInOwner{"apps/v1", "StatefulSet"},
    BuiltInOwner{"apps/v1", "DaemonSet"},   BuiltInOwner{"batch/v1", "Job"},       BuiltInOwner{"batch/v1", "CronJob"},
    BuiltInOwner{"v1", "ReplicationController"},
};

/// Built-in controllers run under their own service accounts, or all under one name without --use-service-account-credentials.
bool is_control_plane(std::string_view user) {
  return user.starts_with("system:serviceaccount:kube-system:") || user == "system:kube-controller-manager";
}

/// An owner reference is only a claim: whoever writes one by hand is judged like everybody else. Pods that exist are past that:
/// their image may be changed by anybody who may update pods, yet the template they came from is what gets judged.
bool made_by_built_in_controller(const AdmissionRequest& request) {
  std::optional<ControllerOwner> owner = controller_of(*request.object);
  if (!owner) return false;
  bool built_in = std::any_of(kBuiltInOwners.begin(), kBuiltInOwners.end(), [&](const BuiltInOwner& known) {
    return known.group_version == owner->api_version && known.kind == owner->kind;
  });
  return built_in && (is_control_plane(request.user) || (request.is_pod() && request.updates()));
}

std::vector<const Node*> sorted_members(const Node& mapping) {
  std::vector<const Node*> members;
  members.reserve(mapping.size);
  for (const Node& member : mapping) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](const Node* a, const Node* b) { return a->key < b->key; });
  return members;
}

bool same_or_both_missing(const Node* left, const Node* right) {
  return left && right ? same_value(*left, *right) : left == right;
}

/// Everything a rule could read in an object that is no built-in workload.
bool same_outside_metadata_and_status(const Node& left, const Node& right) {
  auto counts = [](const Node& member) { return member.key != "metadata" && member.key != "status"; };
  auto number = [&](const Node& object) { return std::count_if(object.begin(), object.end(), counts); };
  if (number(left) != number(right)) return false;
  return std::all_of(left.begin(), left.end(),
                     [&](const Node& member) { return !counts(member) || same_or_both_missing(&member, right.find(member.key)); });
}

Document document_of(const Node& object) {
  Document document;
  document.state = DocumentState::parsed;
  document.root = &object;
  document.span = object.span;
  return document;
}

bool same_templates(const ObjectView& now, const ObjectView& before, const AcceleratorTable& accelerators) {
  std::vector<PodTemplate> left = pod_templates(now, accelerators), right = pod_templates(before, accelerators);
  if (left.empty() || left.size() != right.size()) return same_outside_metadata_and_status(*now.root, *before.root);
  bool is_pod = now.is("", "Pod");  // the metadata of a Pod is the object's own: relabelling it changes no container
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!same_or_both_missing(left[i].spec, right[i].spec)) return false;
    if (is_pod) continue;
    if (!same_or_both_missing(left[i].labels, right[i].labels)) return false;
    if (!same_or_both_missing(left[i].annotations, right[i].annotations)) return false;
  }
  return true;
}

bool nothing_changed(const AdmissionRequest& request, const AcceleratorTable& accelerators) {
  if (!request.updates() || !request.old_object) return false;
  Document now = document_of(*request.object), before = document_of(*request.old_object);
  std::vector<ObjectView> left = objects_in(now, accelerators), right = objects_in(before, accelerators);
  if (left.size() != 1 || right.size() != 1) return same_outside_metadata_and_status(*request.object, *request.old_object);
  if (!left.front().built_in) return same_outside_metadata_and_status(*request.object, *request.old_object);
  return same_templates(left.front(), right.front(), accelerators);
}

bool is_exempt(std::string_view name_space, const Policy& policy) {
  const auto& exempt = policy.webhook.exempt_namespaces;
  return std::any_of(exempt.begin(), exempt.end(), [&](const std::string& pattern) { return glob_matches(pattern, name_space); });
}

/// The same prefilter as the linter's; an escape in the text could spell any word.
bool holds_gpu_word(std::string_view text, const Policy& policy) {
  return policy.read_everything || policy.words().found_in(text) || text.find("\\u") != text.npos;
}

}  // namespace

bool same_value(const Node& left, const Node& right) {
  if (left.kind != right.kind || left.size != right.size) return false;
  if (left.is_scalar()) return left.text == right.text;
  if (left.is_mapping()) {
    std::vector<const Node*> a = sorted_members(left), b = sorted_members(right);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Node* x, const Node* y) { return x->key == y->key && same_value(*x, *y); });
  }
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same_value);
}

std::optional<std::string> why_not_validated(const AdmissionRequest& request, std::string_view object_text, const Policy& policy) {
  if (!request.creates() && !request.updates()) return fmt::format("operation {}", request.operation);
  if (!request.sub_resource.empty() && !request.adds_ephemeral_containers()) return fmt::format("subresource {}", request.sub_resource);
  if (is_exempt(request.name_space, policy)) return fmt::format("namespace {} is exempt", request.name_space);
  const Node* metadata = request.object->find("metadata");
  if (metadata && metadata->at("annotations", "kubernetes.io/config.mirror")) return "mirror of a static pod";
  if (metadata && !text_of(metadata->find("deletionTimestamp")).empty()) return "being deleted";
  if (!request.adds_ephemeral_containers() && made_by_built_in_controller(request))
    return fmt::format("owned by {}", controller_of(*request.object)->kind);
  if (nothing_changed(request, policy.accelerators)) return "template unchanged";
  if (!holds_gpu_word(object_text, policy)) return "no GPU setting";
  return std::nullopt;
}

std::optional<std::string> why_not_mutated(const AdmissionRequest& request, std::string_view object_text, const Policy& policy) {
  if (policy.webhook.mutate.empty()) return "no rule is set to mutate";
  if (policy.webhook.mode == Mode::audit) return "mode audit changes nothing";
  if (!request.sub_resource.empty()) return fmt::format("subresource {}", request.sub_resource);
  if (request.is_pod() && request.updates()) return "a Pod's containers cannot be changed";
  if (request.object)
    if (std::optional<ControllerOwner> owner = controller_of(*request.object)) return fmt::format("owned by {}", owner->kind);
  return why_not_validated(request, object_text, policy);
}

}  // namespace gpulint
