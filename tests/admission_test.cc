// The webhook's contract with the API server: what an answer to an AdmissionReview looks like, in every mode, for good and broken requests,
// and for every kind of request that was recorded from a real API server.
#include "webhook/admission.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "rules/engine/patch.h"
#include "tests/support/golden.h"
#include "tests/webhook/review.h"
#include "webhook/answer.h"

namespace gpulint {
namespace {

using testing::Json;
using testing::response_of;
using testing::ReviewOf;
using testing::webhook_policy;

struct Recorded {
  std::string_view name, validated, mutated;  ///< verdict, and the reason where the object is not looked at
};
constexpr std::string_view kJudged = "allowed";
constexpr std::string_view kNothingToMend = "allowed";
/// The workload has two GPUs and nothing wrong with it but infos; see testdata/admission/README.md.
constexpr Recorded kRecorded[] = {
    {"cronjob-create", kJudged, kNothingToMend},
    {"daemonset-create", kJudged, kNothingToMend},
    {"deployment-create", kJudged, kNothingToMend},
    {"deployment-create-apply", kJudged, kNothingToMend},
    {"deployment-create-dryrun", kJudged, kNothingToMend},
    {"deployment-create-generatename", kJudged, kNothingToMend},
    {"deployment-create-serverside-apply", kJudged, kNothingToMend},
    {"deployment-delete", "unseen: operation DELETE", "unseen: operation DELETE"},
    {"deployment-scale", "unseen: subresource scale", "unseen: subresource scale"},
    {"deployment-update-image", kJudged, kNothingToMend},
    {"deployment-update-same-template", "unseen: template unchanged", "unseen: template unchanged"},
    {"deployment-update-serverside-apply", "unseen: template unchanged", "unseen: template unchanged"},
    {"job-create", kJudged, kNothingToMend},
    {"job-create-by-cronjob", "unseen: owned by CronJob", "unseen: owned by CronJob"},
    {"job-create-from-cronjob", kJudged, "unseen: owned by CronJob"},  // `kubectl create job --from`: a person's doing
    {"mutating-deployment-create", "warned", kNothingToMend},  // one GPU for --tensor-parallel-size 2
    {"mutating-deployment-create-generatename", kJudged, kNothingToMend},
    {"mutating-deployment-create-invalid", "warned", "patched"},  // a GPU request without its limit, which the API server would refuse next
    {"mutating-pod-create-owned", "unseen: owned by ReplicaSet", "unseen: owned by ReplicaSet"},
    {"pod-binding", "unseen: subresource binding", "unseen: subresource binding"},
    {"pod-create", kJudged, kNothingToMend},
    {"pod-create-mirror", "unseen: mirror of a static pod", "unseen: mirror of a static pod"},
    {"pod-create-owned", "unseen: owned by ReplicaSet", "unseen: owned by ReplicaSet"},
    {"pod-create-owned-by-daemonset", "unseen: owned by DaemonSet", "unseen: owned by DaemonSet"},
    {"pod-create-owned-by-job", "unseen: owned by Job", "unseen: owned by Job"},
    {"pod-create-owned-by-statefulset", "unseen: owned by StatefulSet", "unseen: owned by StatefulSet"},
    {"pod-delete-by-garbage-collector", "unseen: operation DELETE", "unseen: operation DELETE"},
    {"pod-delete-force", "unseen: operation DELETE", "unseen: operation DELETE"},
    {"pod-ephemeralcontainers", "warned", "unseen: subresource ephemeralcontainers"},  // `kubectl debug` with NVIDIA_VISIBLE_DEVICES=all
    {"pod-eviction", "unseen: subresource eviction", "unseen: subresource eviction"},
    {"pod-exec-connect", "unseen: operation CONNECT", "unseen: subresource exec"},
    {"pod-resize", "unseen: subresource resize", "unseen: subresource resize"},
    {"pod-update-label", "unseen: owned by ReplicaSet", "unseen: a Pod's containers cannot be changed"},
    {"replicaset-create", kJudged, kNothingToMend},
    {"replicaset-create-owned", "unseen: owned by Deployment", "unseen: owned by Deployment"},
    {"replicaset-update-controller", "unseen: owned by Deployment", "unseen: owned by Deployment"},
    {"replicationcontroller-create", kJudged, kNothingToMend},
    {"statefulset-create", kJudged, kNothingToMend},
    {"statefulset-delete-foreground", "unseen: operation DELETE", "unseen: operation DELETE"},
};

std::string outcome(const AdmissionAnswer& answer) {
  std::string text(name_of(answer.verdict));
  return answer.reason.empty() ? text : fmt::format("{}: {}", text, answer.reason);
}

void check_recorded(const std::filesystem::path& folder) {
  std::map<std::string, const Recorded*> rows;
  for (const Recorded& row : kRecorded) rows[std::string(row.name)] = &row;
  Policy policy = webhook_policy(Mode::warn);
  policy.webhook.mutate = {"gpu-request-without-limit"};
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::string name = entry.path().stem().string();
    CAPTURE(entry.path().string());
    REQUIRE_MESSAGE(rows.contains(name), "no expectation for this request");
    std::string body = testing::read_file(entry.path());
    AdmissionAnswer validated = review(Endpoint::validate, body, policy), mutated = review(Endpoint::mutate, body, policy);
    CHECK(outcome(validated) == rows[name]->validated);
    CHECK(outcome(mutated) == rows[name]->mutated);
    for (const AdmissionAnswer* answer : {&validated, &mutated}) {
      Json parsed = Json::parse(answer->body);
      CHECK(answer->http_status == 200);
      CHECK(parsed["apiVersion"] == "admission.k8s.io/v1");
      CHECK(parsed["kind"] == "AdmissionReview");
      CHECK(parsed["response"]["uid"] == Json::parse(body)["request"]["uid"]);
      CHECK(parsed["response"]["allowed"] == true);
      CHECK(answer->uid == parsed["response"]["uid"]);
    }
    CHECK_FALSE(response_of(validated).contains("patch"));
    CHECK_FALSE(response_of(validated).contains("patchType"));
    ++seen;
  }
  CHECK(seen == std::size(kRecorded));
}

TEST_CASE("recorded requests") { check_recorded("testdata/admission"); }

TEST_CASE("recorded requests, as they came") {
  if (!std::filesystem::exists("../shared/cases/admission")) {
    MESSAGE("skipped: ../shared is not there");
    return;
  }
  check_recorded("../shared/cases/admission");
}

TEST_CASE("a judged workload is judged: its infos stand in the audit annotations and nowhere else") {
  AdmissionAnswer answer = review(Endpoint::validate, testing::read_file("testdata/admission/deployment-create.json"), webhook_policy(Mode::enforce));
  CHECK(std::find(answer.rules.begin(), answer.rules.end(), "missing-runtime-class") != answer.rules.end());
  Json response = response_of(answer);
  CHECK(response["auditAnnotations"].contains("missing-runtime-class"));
  CHECK_FALSE(response.contains("warnings"));
  CHECK_FALSE(response.contains("status"));
  CHECK(answer.user == "admin");
  CHECK(answer.operation == "CREATE");
  CHECK(answer.object == "Deployment cap/vllm");
}

TEST_CASE("what is no AdmissionReview v1 is refused with HTTP 400, never with allowed: false") {
  std::string good = ReviewOf{.object = testing::deployment(Json::array())}.text();
  auto without = [&](const char* key) { Json body = Json::parse(good); body["request"].erase(key); return body.dump(); };
  auto with = [&](const char* key, Json value) { Json body = Json::parse(good); body[key] = std::move(value); return body.dump(); };
  struct Row { std::string body, message; };
  const Row rows[] = {
      {"", "empty"},
      {" \n ", "empty"},
      {"hello", "not JSON"},
      {"kind: AdmissionReview", "not JSON"},
      {good.substr(0, good.size() / 2), "not JSON"},
      {good + "x", "not JSON"},
      {"[]", "no JSON object"},
      {"null", "no JSON object"},
      {"{}", "expected admission.k8s.io/v1 AdmissionReview"},
      {with("apiVersion", "admission.k8s.io/v1beta1"), "expected admission.k8s.io/v1 AdmissionReview, got \"admission.k8s.io/v1beta1\""},
      {with("apiVersion", 1), "expected admission.k8s.io/v1"},
      {with("kind", "Pod"), "got \"admission.k8s.io/v1\" \"Pod\""},
      {with("request", nullptr), "no request"},
      {with("request", "x"), "no request"},
      {without("uid"), "uid is missing"},
      {without("operation"), "operation is missing"},
      {without("resource"), "resource is missing"},
      {without("object"), "object is missing"},
      {std::string(100'000, '['), "not JSON"},
      {"{\"a\":" + std::string(600, '[') + std::string(600, ']') + "}", "not JSON"},
      {"\xff\xfe{}", "not JSON"},
  };
  for (const Row& row : rows)
    for (Endpoint endpoint : {Endpoint::validate, Endpoint::mutate}) {
      CAPTURE(row.body.substr(0, 200));
      AdmissionAnswer answer = review(endpoint, row.body, webhook_policy(Mode::enforce));
      CHECK(answer.http_status == 400);
      CHECK(answer.verdict == Verdict::refused);
      Json status = Json::parse(answer.body);
      CHECK(status["kind"] == "Status");
      CHECK(status["code"] == 400);
      std::string message = status["message"];
      CHECK_MESSAGE(message.find(row.message) != message.npos, message);
    }
}

const std::initializer_list<std::string_view> kRulesOfIt = {"gpu-request-without-limit", "gpu-access-without-request"};
ReviewOf two_errors_and_a_warning() {
  Json variable = Json::array({{{"name", "NVIDIA_VISIBLE_DEVICES"}, {"value", "all"}}});
  return {.object = testing::deployment(Json::array({testing::container("first", testing::request_without_limit()),
                                                     testing::container("second", testing::request_without_limit()),
                                                     testing::container("third", Json::object(), variable)}))};
}

TEST_CASE("the mode decides what errors and warnings become") {
  std::string body = two_errors_and_a_warning().text();
  auto webhook_policy = [](Mode mode) { return testing::only(kRulesOfIt, testing::webhook_policy(mode)); };
  SUBCASE("enforce: a denial lists every error, warnings are shown beside it") {
    AdmissionAnswer answer = review(Endpoint::validate, body, webhook_policy(Mode::enforce));
    CHECK(answer.verdict == Verdict::denied);
    Json response = response_of(answer);
    CHECK(response["allowed"] == false);
    CHECK(response["status"]["code"] == 403);
    CHECK(response["status"]["reason"] == "Forbidden");
    std::string message = response["status"]["message"];
    for (const char* part : {"container \"first\"", "container \"second\"", "spec.template.spec.containers[1]"})
      CHECK_MESSAGE(message.find(part) != message.npos, message);
    CHECK(message.find("third") == message.npos);
    CHECK(std::count(message.begin(), message.end(), '\n') == 2);
    CHECK(message.ends_with(" [gpu-request-without-limit]"));
    REQUIRE(response["warnings"].size() == 1);
    CHECK(std::string(response["warnings"][0]).ends_with(" [gpu-access-without-request]"));
  }
  SUBCASE("warn: allowed, errors before warnings") {
    AdmissionAnswer answer = review(Endpoint::validate, body, webhook_policy(Mode::warn));
    CHECK(answer.verdict == Verdict::warned);
    Json response = response_of(answer);
    CHECK(response["allowed"] == true);
    CHECK_FALSE(response.contains("status"));
    REQUIRE(response["warnings"].size() == 3);
    CHECK(std::string(response["warnings"][0]).ends_with(" [gpu-request-without-limit]"));
    CHECK(std::string(response["warnings"][2]).ends_with(" [gpu-access-without-request]"));
  }
  SUBCASE("audit: allowed, all in the annotations") {
    AdmissionAnswer answer = review(Endpoint::validate, body, webhook_policy(Mode::audit));
    CHECK(answer.verdict == Verdict::allowed);
    Json response = response_of(answer);
    CHECK_FALSE(response.contains("warnings"));
    std::string errors = response["auditAnnotations"]["gpu-request-without-limit"];
    CHECK_MESSAGE((errors.find("first") != errors.npos && errors.find("second") != errors.npos), errors);
    CHECK(response["auditAnnotations"].contains("gpu-access-without-request"));
  }
  SUBCASE("fail-on: warning makes warnings deny") {
    Policy policy = webhook_policy(Mode::enforce);
    policy.fail_on = Severity::warning;
    Json response = response_of(review(Endpoint::validate, body, policy));
    std::string message = response["status"]["message"];
    CHECK_MESSAGE(message.find("third") != message.npos, message);
    CHECK_FALSE(response.contains("warnings"));
  }
}

TEST_CASE("what was suppressed is neither denied nor shown, only noted for the audit") {
  ReviewOf request = two_errors_and_a_warning();
  request.object["metadata"]["annotations"] = {{"ignore.gpulint.dev/gpu-request-without-limit", "known"},
                                               {"ignore.gpulint.dev/gpu-access-without-request", "known"}};
  AdmissionAnswer answer = review(Endpoint::validate, request.text(), testing::only(kRulesOfIt, webhook_policy(Mode::enforce)));
  CHECK(answer.verdict == Verdict::allowed);
  Json response = response_of(answer);
  CHECK_FALSE(response.contains("warnings"));
  std::string note = response["auditAnnotations"]["gpu-request-without-limit"];
  CHECK_MESSAGE(note.find("[suppressed: known]") != note.npos, note);
}

TEST_CASE("the severity of the configuration counts, and rules that are off are silent") {
  std::string body = two_errors_and_a_warning().text();
  Policy policy = testing::only(kRulesOfIt, webhook_policy(Mode::enforce));
  policy.rules["gpu-request-without-limit"].severity = Severity::info;
  policy.rules["gpu-access-without-request"].off = true;
  AdmissionAnswer answer = review(Endpoint::validate, body, policy);
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(std::find(answer.rules.begin(), answer.rules.end(), "gpu-access-without-request") == answer.rules.end());
}

}  // namespace
}  // namespace gpulint
