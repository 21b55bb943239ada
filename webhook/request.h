// AdmissionRequest: what a judgement needs of an AdmissionReview (admission.k8s.io/v1), as views into the tree it was read into.
// Says what is malformed; decides nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rules/document/document.h"

namespace gpulint {

struct AdmissionRequest {
  std::string_view uid, operation, name, name_space, user;
  std::string_view group, resource, sub_resource;  ///< of request.resource: what was asked for, converted to the version the hook names
  bool dry_run = false;
  const Node* object = nullptr;      ///< null on DELETE
  const Node* old_object = nullptr;  ///< null on CREATE and CONNECT

  bool creates() const { return operation == "CREATE"; }
  bool updates() const { return operation == "UPDATE"; }
  bool is_pod() const { return group.empty() && resource == "pods"; }
  /// `kubectl debug` on a running pod: the one subresource whose object is a pod with containers to judge.
  bool adds_ephemeral_containers() const { return is_pod() && sub_resource == "ephemeralcontainers"; }
  /// `Deployment ml/infer`; an object that the server has still to name shows its generateName and a star.
  std::string object_name() const;
};

/// The owner that manages an object (`controller: true`); there is one at most.
struct ControllerOwner {
  std::string_view api_version, kind, name;
};
std::optional<ControllerOwner> controller_of(const Node& object);

/// Nothing, and `error` set, when the documents hold no AdmissionReview of version v1 with a uid and, on CREATE and UPDATE, an object.
std::optional<AdmissionRequest> read_admission_request(const Documents& documents, std::string& error);

/// Text of a string member, empty when it is missing or no string.
std::string_view text_of(const Node* node);

}  // namespace gpulint
