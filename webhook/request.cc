#include "webhook/request.h"

#include <fmt/core.h>

namespace gpulint {
namespace {

constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";

const Node* mapping(const Node* node) { return node && node->is_mapping() ? node : nullptr; }

std::string unreadable(const Documents& documents) {
  if (documents.list.empty() || !documents.list.front().root)
    return fmt::format("the request body is not JSON: {}", documents.list.empty() ? "nothing in it" : documents.list.front().problem);
  return "the request body is no JSON object";
}

AdmissionRequest decode(const Node& request) {
  AdmissionRequest decoded;
  decoded.uid = text_of(request.find("uid"));
  decoded.operation = text_of(request.find("operation"));
  decoded.name = text_of(request.find("name"));
  decoded.name_space = text_of(request.find("namespace"));
  decoded.user = text_of(request.at("userInfo", "username"));
  decoded.group = text_of(request.at("resource", "group"));
  decoded.resource = text_of(request.at("resource", "resource"));
  decoded.sub_resource = text_of(request.find("subResource"));
  const Node* dry_run = request.find("dryRun");
  decoded.dry_run = dry_run && dry_run->kind == NodeKind::boolean && dry_run->text == "true";
  decoded.object = mapping(request.find("object"));
  decoded.old_object = mapping(request.find("oldObject"));
  return decoded;
}

}  // namespace

std::string_view text_of(const Node* node) { return node && node->is_string() ? node->text : std::string_view(); }

std::string AdmissionRequest::object_name() const {
  const Node* shown = object ? object : old_object;
  std::string_view kind = shown ? text_of(shown->find("kind")) : resource;
  std::string known(name);
  if (known.empty() && shown) known = text_of(shown->at("metadata", "name"));
  if (known.empty() && shown) known = fmt::format("{}*", text_of(shown->at("metadata", "generateName")));
  return name_space.empty() ? fmt::format("{} {}", kind, known) : fmt::format("{} {}/{}", kind, name_space, known);
}

std::optional<ControllerOwner> controller_of(const Node& object) {
  const Node* owners = object.at("metadata", "ownerReferences");
  if (!owners || !owners->is_sequence()) return std::nullopt;
  for (const Node& owner : *owners) {
    const Node* controller = owner.find("controller");
    if (!controller || controller->kind != NodeKind::boolean || controller->text != "true") continue;
    return ControllerOwner{text_of(owner.find("apiVersion")), text_of(owner.find("kind")), text_of(owner.find("name"))};
  }
  return std::nullopt;
}

std::optional<AdmissionRequest> read_admission_request(const Documents& documents, std::string& error) {
  const Node* review = documents.list.empty() ? nullptr : mapping(documents.list.front().root);
  if (!review) {
    error = unreadable(documents);
    return std::nullopt;
  }
  std::string_view version = text_of(review->find("apiVersion")), kind = text_of(review->find("kind"));
  if (version != kReviewVersion || kind != "AdmissionReview") {
    error = fmt::format("expected {} AdmissionReview, got \"{}\" \"{}\"", kReviewVersion, version, kind);
    return std::nullopt;
  }
  const Node* request = mapping(review->find("request"));
  if (!request) {
    error = "the AdmissionReview has no request";
    return std::nullopt;
  }
  AdmissionRequest decoded = decode(*request);
  if (decoded.uid.empty()) error = "request.uid is missing";
  else if (decoded.operation.empty()) error = "request.operation is missing";
  else if (decoded.resource.empty()) error = "request.resource.resource is missing";
  else if ((decoded.creates() || decoded.updates()) && !decoded.object) error = "request.object is missing";
  else return decoded;
  return std::nullopt;
}

}  // namespace gpulint
