#include "webhook/admission.h"

#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "rules/engine/engine.h"
#include "rules/engine/patch.h"
#include "webhook/answer.h"
#include "webhook/request.h"
#include "webhook/scope.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// Nodes of one review: the largest body the server takes, at about ten bytes a value. Bounds the memory of one request.
constexpr std::size_t kMaxNodes = 700'000;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string base64(std::string_view text) {
  std::string encoded((text.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends with a NUL
  int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()), reinterpret_cast<const unsigned char*>(text.data()),
                             static_cast<int>(text.size()));
  encoded.resize(static_cast<std::size_t>(size));
  return encoded;
}

Json allowing(std::string_view uid) { return Json{{"uid", uid}, {"allowed", true}}; }

void set_response(AdmissionAnswer& answer, Json response) {
  answer.body = dump(Json{{"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"response", std::move(response)}});
}

/// The object as a document of its own: pointers of findings start at it, as they do when the linter reads the same object from a file.
Document object_document(const Document& review, const Node& object) {
  auto inside = [&](const Node* node) { return node && node->span.begin >= object.span.begin && node->span.end <= object.span.end; };
  Document document;
  document.state = DocumentState::parsed;
  document.root = &object;
  document.span = object.span;
  for (const DuplicateKey& duplicate : review.duplicates)
    if (inside(duplicate.kept) && inside(duplicate.lost)) document.duplicates.push_back(duplicate);
  return document;
}

/// Of a running pod only the ephemeral containers that this request adds are judged: nobody may be kept from debugging a pod because of
/// what it was created with.
void keep_added_ephemeral_containers(const AdmissionRequest& request, FileReport& report) {
  constexpr std::string_view kList = "ephemeralContainers";
  const Node* list = request.object->at("spec", kList);
  const Node* old_list = request.old_object ? request.old_object->at("spec", kList) : nullptr;
  std::size_t already = old_list && old_list->is_sequence() ? old_list->size : 0;
  std::set<std::string_view> names;
  std::vector<JsonPointer> places;
  for (std::size_t i = already; list && i < list->size; ++i) {
    if (const Node* container = list->element(i)) names.insert(text_of(container->find("name")));
    places.push_back(JsonPointer("/spec/ephemeralContainers").append(i));
  }
  names.erase("");
  std::erase_if(report.findings, [&](const Finding& finding) {
    bool placed = std::any_of(places.begin(), places.end(), [&](const JsonPointer& place) { return place.contains(finding.pointer); });
    return !placed && !names.contains(finding.container);
  });
}

Json worded(std::string_view uid, const Words& words) {
  Json response{{"uid", uid}, {"allowed", !words.denied}};
  if (words.denied)
    response["status"] = Json{{"status", "Failure"}, {"message", words.message}, {"reason", "Forbidden"}, {"code", 403}};
  if (!words.warnings.empty()) response["warnings"] = words.warnings;
  if (!words.annotations.empty()) response["auditAnnotations"] = words.annotations;
  return response;
}

void validate(const AdmissionRequest& request, const Source& source, const Document& document, const Policy& policy,
              AdmissionAnswer& answer) {
  std::vector<FileReport> reports(1);
  inspect_document(source, object_document(document, *request.object), policy, reports.front());
  if (request.adds_ephemeral_containers()) keep_added_ephemeral_containers(request, reports.front());
  Report report = conclude(std::move(reports), policy);
  Words words = words_of(report, decide(report, policy), policy);
  std::set<std::string> rules;
  for (const Finding& finding : report.findings) rules.emplace(finding.rule->id);
  answer.rules.assign(rules.begin(), rules.end());
  answer.verdict = words.denied ? Verdict::denied : words.warnings.empty() ? Verdict::allowed : Verdict::warned;
  set_response(answer, worded(request.uid, words));
}

void mutate(const AdmissionRequest& request, std::string_view object_text, const Policy& policy, AdmissionAnswer& answer) {
  Mend mended = mend(object_text, policy, policy.webhook.mutate, Safety::safe);
  Json response = allowing(request.uid);
  answer.verdict = Verdict::allowed;
  if (!mended.ops.empty()) {
    answer.verdict = Verdict::patched;
    answer.rules = mended.rules;
    std::sort(answer.rules.begin(), answer.rules.end());
    for (const std::string& rule : answer.rules) response["auditAnnotations"][rule] = "mended";
    response["patchType"] = "JSONPatch";
    response["patch"] = base64(patch_text(mended.ops));
  }
  set_response(answer, std::move(response));
}

void refuse(AdmissionAnswer& answer, std::string_view error) {
  answer.http_status = 400;
  answer.verdict = Verdict::refused;
  answer.reason = printable(error);
  answer.body = status_body(400, "BadRequest", answer.reason);
}

void describe(const AdmissionRequest& request, AdmissionAnswer& answer) {
  answer.uid = request.uid;
  answer.user = request.user;
  answer.operation = request.operation;
  answer.object = request.object_name();
  answer.name_space = request.name_space;
  answer.resource = request.resource;
  answer.dry_run = request.dry_run;
}

void answer_review(Endpoint endpoint, std::string_view body, const Policy& policy, AdmissionAnswer& answer) {
  if (body.find_first_not_of(" \t\r\n") == body.npos) return refuse(answer, "the request body is empty");
  Source source("AdmissionReview", std::string(body));
  ReadOptions options;
  options.max_nodes = kMaxNodes;
  Documents documents = read_json(source, options);
  std::string error;
  std::optional<AdmissionRequest> request = read_admission_request(documents, error);
  if (!request) return refuse(answer, error);
  describe(*request, answer);
  std::string_view object_text = request->object ? source.text(request->object->span) : std::string_view();
  std::optional<std::string> unseen = endpoint == Endpoint::validate ? why_not_validated(*request, object_text, policy)
                                                                     : why_not_mutated(*request, object_text, policy);
  if (unseen) {
    answer.reason = *unseen;
    set_response(answer, allowing(request->uid));
  } else if (endpoint == Endpoint::validate) {
    validate(*request, source, documents.list.front(), policy, answer);
  } else {
    mutate(*request, object_text, policy, answer);
  }
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::unseen: return "unseen";
    case Verdict::allowed: return "allowed";
    case Verdict::warned: return "warned";
    case Verdict::denied: return "denied";
    case Verdict::patched: return "patched";
    case Verdict::refused: return "refused";
    case Verdict::fault: return "fault";
  }
  return "fault";
}

std::string status_body(int code, std::string_view reason, std::string_view message) {
  return dump(Json{{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Json::object()}, {"status", "Failure"},
                   {"message", message}, {"reason", reason}, {"code", code}});
}

AdmissionAnswer review(Endpoint endpoint, std::string_view body, const Policy& policy) {
  AdmissionAnswer answer;
  try {
    answer_review(endpoint, body, policy, answer);
  } catch (const std::exception& error) {
    answer.http_status = 500;
    answer.verdict = Verdict::fault;
    answer.reason = printable(error.what());
    answer.rules.clear();
    answer.body = status_body(500, "InternalError", "the request could not be judged; the log of the webhook says why");
  }
  return answer;
}

}  // namespace gpulint
