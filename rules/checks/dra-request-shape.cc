#include <algorithm>
#include <iterator>

#include "rules/document/document.h"
#include "rules/engine/context.h"
#include "rules/kube/decode.h"

namespace gpulint::checks {
namespace {

/// What describes a device: under `exactly` since v1beta2, directly in the request before.
constexpr std::string_view kDeviceKeys[] = {"deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity"};

bool is_device_key(std::string_view key) { return std::find(std::begin(kDeviceKeys), std::end(kDeviceKeys), key) != std::end(kDeviceKeys); }

const Node* requests_of(const ObjectView& object) {
  const Node* spec = object.root->find("spec");
  if (spec && object.kind == "ResourceClaimTemplate") spec = spec->find("spec");
  return spec ? sequence_of(spec->at("devices", "requests")) : nullptr;
}

std::string label_of(const Node& request) {
  const std::string_view name = text_of(request.find("name"));
  return name.empty() ? std::string("the request") : fmt::format("request \"{}\"", name);
}

/// Moves the keys that stand in the request into `exactly`; nothing where one stands there already.
std::vector<PatchOp> nest(const Node& request, const Context& context) {
  const Node* exactly = request.find("exactly");
  if (request.find("firstAvailable") || (exactly && !exactly->is_mapping())) return {};
  std::vector<PatchOp> added, removed;
  std::string members;
  for (const Node& member : request) {
    if (!is_device_key(member.key)) continue;
    if (exactly && exactly->find(member.key)) return {};
    removed.push_back(remove_op(context.pointer(member)));
    if (exactly) added.push_back(add_op(context.pointer(*exactly).append(member.key), to_json(member)));
    else members += fmt::format("{}{}:{}", members.empty() ? "" : ",", json_string(member.key), to_json(member));
  }
  if (!exactly) added.push_back(add_op(context.pointer(request).append("exactly"), "{" + members + "}"));
  added.insert(added.end(), removed.begin(), removed.end());
  return added;
}

std::vector<PatchOp> flatten(const Node& request, const Node& exactly, const Context& context) {
  std::vector<PatchOp> ops;
  if (!exactly.is_mapping() || request.find("firstAvailable")) return ops;
  for (const Node& member : exactly) {
    if (request.find(member.key)) return {};
    ops.push_back(add_op(context.pointer(request).append(member.key), to_json(member)));
  }
  ops.push_back(remove_op(context.pointer(exactly)));
  return ops;
}

/// v1 and v1beta2.
void check_nested(const Node& request, Context& context) {
  const std::string_view version = context.object->version;
  const Node* exactly = request.find("exactly");
  const Node* first_available = request.find("firstAvailable");
  const Node* flat = nullptr;
  for (const std::string_view key : kDeviceKeys)
    if (!flat) flat = request.find(key);
  if (flat) {
    context.error(flat, "{}: {} stands directly in the request; {} has it under {}", label_of(request), flat->key, version,
                  first_available ? "firstAvailable" : "exactly")
        .fix(Safety::safe, "Move the description of the device under exactly", nest(request, context));
  } else if (exactly && first_available) {
    context.error(exactly, "{}: exactly and firstAvailable are both given; {} takes one of them", label_of(request), version);
  } else if (!exactly && !first_available) {
    context.error(&request, "{}: neither exactly nor firstAvailable says which device is meant; {} needs one of them", label_of(request), version);
  }
}

/// v1beta1.
void check_flat(const Node& request, Context& context) {
  if (const Node* exactly = request.find("exactly"))
    context.error(exactly, "{}: v1beta1 has no exactly; the description of the device stands directly in the request", label_of(request))
        .fix(Safety::safe, "Move the description of the device out of exactly", flatten(request, *exactly, context));
}

void check(const ObjectView& object, const std::vector<PodTemplate>&, Context& context) {
  if (object.group != "resource.k8s.io" || (object.kind != "ResourceClaim" && object.kind != "ResourceClaimTemplate")) return;
  const bool nested = object.version == "v1" || object.version == "v1beta2";
  const Node* requests = nested || object.version == "v1beta1" ? requests_of(object) : nullptr;
  if (!requests) return;
  for (const Node& request : *requests) {
    if (!request.is_mapping()) continue;
    if (nested) check_nested(request, context);
    else check_flat(request, context);
  }
}

constexpr std::string_view kSources[] = {
    "DeviceRequest of resource.k8s.io v1, v1beta2 and v1beta1: exactly, firstAvailable, deviceClassName",
    "Kubernetes documentation: Dynamic Resource Allocation",
};

}  // namespace

extern constinit const Rule dra_request_shape{
    .id = "dra-request-shape",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::safe,
    .summary = "A device request of a ResourceClaim or ResourceClaimTemplate has the shape of another API version.",
    .rationale =
        "v1beta2 moved the description of a device from the request into `exactly` (or `firstAvailable`). The API server refuses a field that the "
        "version does not have, and where validation is off it drops the field and then misses the other: no claim is made and the pods that use it "
        "wait for ever.",
    .remediation = "In v1 and v1beta2 write the device under `exactly`; in v1beta1 directly in the request. v1 is served since Kubernetes 1.34.",
    .details =
        "v1 and v1beta2: deviceClassName, selectors, allocationMode, count, adminAccess, tolerations or capacity directly in the request; neither "
        "`exactly` nor `firstAvailable`; or both.\n\n"
        "v1beta1: `exactly`. `firstAvailable` is known there as well.\n\n"
        "The fix moves the description, unless a field would then stand twice. Older versions are no longer served and removed-api-version speaks of "
        "them.",
    .sources = kSources,
    .check = on_object<check>,
};

}  // namespace gpulint::checks
