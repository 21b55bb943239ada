// The admission webhook as a pure function from text to text: an AdmissionReview request in, an AdmissionReview response out.
// Knows no HTTP beyond the status it wants, no socket, no clock. The API contract is admission.k8s.io/v1.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/policy.h"

namespace gpulint {

enum class Endpoint : std::uint8_t { validate, mutate };

enum class Verdict : std::uint8_t {
  unseen,   ///< allowed without looking at the object; AdmissionAnswer::reason says why
  allowed,  ///< judged, nothing to show
  warned,   ///< allowed with warnings
  denied,
  patched,  ///< /mutate: allowed with a patch
  refused,  ///< HTTP 400: no AdmissionReview that could be answered
  fault,    ///< HTTP 500: our own fault, so that the failurePolicy of the webhook decides
};
std::string_view name_of(Verdict verdict);

struct AdmissionAnswer {
  int http_status = 200;
  std::string body;  ///< JSON: an AdmissionReview with status 200, a Status otherwise

  /// Facts for the log and the metrics; empty where the request could not be read.
  Verdict verdict = Verdict::unseen;
  std::string reason;
  std::string uid, user, operation, object, name_space, resource;
  bool dry_run = false;
  std::vector<std::string> rules;  ///< ids of the rules that found something (or, patched: mended it), each once, sorted
};

/// Answers one request under policy.webhook.mode. Never throws on input; safe to call from many threads with one policy.
AdmissionAnswer review(Endpoint endpoint, std::string_view body, const Policy& policy);

/// The JSON of a metav1.Status for an HTTP error.
std::string status_body(int code, std::string_view reason, std::string_view message);

}  // namespace gpulint
