// The claims of a pod (spec.resourceClaims) and their uses by containers (resources.claims).
#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "rules/cluster/closest_word.h"
#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/placeholder.h"
#include "rules/kube/pod_shape.h"

namespace gpulint::checks {
namespace {

/// The member of a claim in which older APIs described it.
const Node* old_description(const Node& claim) {
  if (const Node* source = mapping_of(claim.find("source"))) return source;
  return mapping_of(claim.find("claim"));
}

const Node* uses_of(const Container& container) {
  return container.resources.node ? sequence_of(container.resources.node->find("claims")) : nullptr;
}

/// The first of the container's claims that is a bare name.
const Node* bare_name(const Container& container) {
  const Node* uses = uses_of(container);
  if (!uses) return nullptr;
  const auto found = std::find_if(uses->begin(), uses->end(), [](const Node& use) { return use.is_string(); });
  return found == uses->end() ? nullptr : &*found;
}

bool has_removed_form(const PodTemplate& pod) {
  bool found = pod.resource_claims && std::any_of(pod.resource_claims->begin(), pod.resource_claims->end(),
                                                  [](const Node& claim) { return old_description(claim) != nullptr; });
  pod.for_each_container([&](const Container& container) { found = found || bare_name(container); });
  return found;
}

std::string_view name_of_claim(const Node& claim) { return text_of(claim.find("name")); }

// ---- legacy-claim-source

void report_description(const Node& claim, const Node& description, Context& context) {
  const std::string_view name = name_of_claim(claim);
  if (description.key == "source")
    context.error(&description, "claim \"{}\": source is gone since Kubernetes 1.31; what stands in it belongs beside the name", name);
  else
    context.error(&description, "claim \"{}\": no API server reads {}; a claim is named by resourceClaimName or resourceClaimTemplateName", name,
                  description.key);
}

/// Runs on containers because predictors without a whole pod spec count too; the pod's own list is judged with the first container.
void check_legacy(const Container& container, const PodTemplate& pod, Context& context) {
  if (pod.values) return;
  if (const Node* name = bare_name(container))
    context.error(name, "{}: the claim \"{}\" is a bare name; the API takes a mapping with the key name", container.label(), name->text);
  if (!pod.resource_claims || !is_first_container(container, pod)) return;
  context.enter(nullptr);
  for (const Node& claim : *pod.resource_claims)
    if (const Node* description = old_description(claim)) report_description(claim, *description, context);
}

// ---- undeclared-resource-claim

void check_undeclared(const PodTemplate& pod, Context& context) {
  if (has_removed_form(pod) || completed_elsewhere(pod)) return;
  std::vector<std::string> declared;
  if (pod.resource_claims)
    for (const Node& claim : *pod.resource_claims) declared.emplace_back(name_of_claim(claim));
  if (std::any_of(declared.begin(), declared.end(), [](const std::string& name) { return holds_placeholder(name); })) return;
  pod.for_each_container([&](const Container& container) {
    const Node* uses = uses_of(container);
    if (!uses) return;
    for (const Node& use : *uses) {
      const std::string name(name_of_claim(use));
      if (name.empty() || holds_placeholder(name) || std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
      context.error(&use, "{}: the pod declares no claim \"{}\" in resourceClaims{}", container.label(), name, meant_instead(name, declared)).in(container);
    }
  });
}

// ---- unused-resource-claim

/// Drivers of network devices attach them to the pod, whether or not a container names the claim.
bool is_network(std::string_view name) {
  constexpr std::string_view kWords[] = {"net", "dranet", "network", "nic", "nics", "gvnic", "rdma", "mrdma", "ib", "roce", "hca", "eth", "vf", "sriov", "efa", "interface"};
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t end = begin;
    while (end < name.size() && is_letter(name[end])) ++end;
    if (std::find(std::begin(kWords), std::end(kWords), name.substr(begin, end - begin)) != std::end(kWords)) return true;
    begin = end + 1;
  }
  return false;
}

void check_unused(const PodTemplate& pod, Context& context) {
  if (!pod.resource_claims || has_removed_form(pod) || completed_elsewhere(pod)) return;
  std::set<std::string_view> used;
  pod.for_each_container([&](const Container& container) { used.insert(container.resources.claims.begin(), container.resources.claims.end()); });
  if (std::any_of(used.begin(), used.end(), holds_placeholder)) return;
  for (const Node& claim : *pod.resource_claims) {
    const std::string_view name = name_of_claim(claim);
    if (name.empty() || holds_placeholder(name) || used.contains(name)) continue;
    const bool network = is_network(name) || is_network(text_of(claim.find("resourceClaimTemplateName"))) || is_network(text_of(claim.find("resourceClaimName")));
    if (!network) context.warning(&claim, "the claim \"{}\" is allotted to the pod, but no container lists it in resources.claims", name);
  }
}

constexpr std::string_view kSources[] = {
    "PodSpec.resourceClaims and Container.resources.claims (core/v1)",
    "Kubernetes documentation: Dynamic Resource Allocation",
    "kubernetes/kubernetes#125116",
};

}  // namespace

extern constinit const Rule legacy_claim_source{
    .id = "legacy-claim-source",
    .group = Group::resources,
    .severity = Severity::error,
    .summary = "A pod names its device claims in a form that the API no longer has.",
    .rationale =
        "The alpha API of claims was changed without a transition. The API server refuses the old form or drops it and then misses the name of the "
        "claim; a custom resource is accepted and its pods cannot be created.",
    .remediation =
        "Write `resourceClaimName` or `resourceClaimTemplateName` beside the claim's name, and list claims of a container as mappings: `claims: "
        "[{name: gpu}]`.",
    .details =
        "Error: `source:` in `resourceClaims` (Kubernetes 1.26 to 1.30), `claim:` there (an earlier design), or a bare name in a container's "
        "`resources.claims`.\n\n"
        "Where it speaks, unused-resource-claim and undeclared-resource-claim are silent. Not judged in chart values.",
    .sources = kSources,
    .check = on_container<check_legacy>,
};

extern constinit const Rule undeclared_resource_claim{
    .id = "undeclared-resource-claim",
    .group = Group::resources,
    .severity = Severity::error,
    .summary = "A container uses a device claim that its pod does not declare.",
    .rationale =
        "Names in a container's `resources.claims` refer to the pod's `resourceClaims`. The API server refuses a pod where one is missing (\"must be "
        "one of the names in pod.spec.resourceClaims\"); a custom resource is accepted and its pods cannot be created.",
    .remediation = "Declare the claim in `resourceClaims` of the pod spec, or correct the name.",
    .details =
        "Silent where a container has no image (a patch), for serving runtimes and configurations that another object completes, in chart values and "
        "where a declared name is a placeholder.",
    .sources = kSources,
    .check = on_pod_template<check_undeclared>,
};

extern constinit const Rule unused_resource_claim{
    .id = "unused-resource-claim",
    .group = Group::resources,
    .severity = Severity::warning,
    .summary = "A pod declares a device claim that no container uses.",
    .rationale =
        "The device is allotted to the pod and taken from others for as long as the pod lives, but it is made available only in containers that name "
        "the claim: the program finds no GPU.",
    .remediation = "List the claim in `resources.claims` of the container that needs the device, or remove it.",
    .details =
        "Claims of network devices, known by a word such as `net`, `nic` or `rdma` in the name of the claim or its template, belong to the pod and "
        "need no container.\n\n"
        "Silent where a container has no image (a patch), for serving runtimes and configurations that another object completes, and in chart values.",
    .sources = kSources,
    .check = on_pod_template<check_unused>,
};

}  // namespace gpulint::checks
