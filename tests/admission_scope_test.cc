// Which requests are judged, and by whom they may not be patched.
#include "webhook/scope.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "rules/engine/patch.h"
#include "tests/webhook/review.h"

namespace gpulint {
namespace {

using testing::Json;
using testing::response_of;
using testing::ReviewOf;
/// Other rules may find something in these pods too, one day.
Policy webhook_policy(Mode mode) { return testing::only({"gpu-request-without-limit", "gpu-access-without-request"}, testing::webhook_policy(mode)); }

constexpr const char* kReplicaSetController = "system:serviceaccount:kube-system:replicaset-controller";

Json bad_pod() { return testing::pod(Json::array({testing::container("main", testing::request_without_limit())})); }
Json bad_deployment() { return testing::deployment(Json::array({testing::container("main", testing::request_without_limit())})); }

std::string reason_for(const ReviewOf& request, const Policy& policy = webhook_policy(Mode::enforce)) {
  AdmissionAnswer answer = review(Endpoint::validate, request.text(), policy);
  CHECK(answer.http_status == 200);
  return answer.verdict == Verdict::unseen ? answer.reason : std::string(name_of(answer.verdict));
}

TEST_CASE("owned objects are not judged again, unless somebody only says that they are owned") {
  struct Row { const char* api_version; const char* kind; const char* user; const char* expected; };
  const Row rows[] = {
      {"apps/v1", "ReplicaSet", kReplicaSetController, "owned by ReplicaSet"},
      {"apps/v1", "ReplicaSet", "system:kube-controller-manager", "owned by ReplicaSet"},
      {"apps/v1", "ReplicaSet", "alice", "denied"},
      {"apps/v1", "StatefulSet", "system:serviceaccount:kube-system:statefulset-controller", "owned by StatefulSet"},
      {"apps/v1", "DaemonSet", "system:serviceaccount:kube-system:daemon-set-controller", "owned by DaemonSet"},
      {"batch/v1", "Job", "system:serviceaccount:kube-system:job-controller", "owned by Job"},
      {"v1", "ReplicationController", "system:serviceaccount:kube-system:replication-controller", "owned by ReplicationController"},
      {"ray.io/v1", "RayCluster", "system:serviceaccount:ray:kuberay-operator", "denied"},
      {"apps.kruise.io/v1beta1", "StatefulSet", "system:serviceaccount:kube-system:kruise", "denied"},  // another StatefulSet
  };
  for (const Row& row : rows) {
    CAPTURE(fmt::format("{} {} by {}", row.api_version, row.kind, row.user));
    ReviewOf request{.object = bad_pod(), .group = "", .resource = "pods", .user = row.user};
    request.object["metadata"]["ownerReferences"] = testing::owner(row.api_version, row.kind);
    CHECK(reason_for(request) == row.expected);
  }
  SUBCASE("an owner that does not control it is none") {
    ReviewOf request{.object = bad_pod(), .group = "", .resource = "pods", .user = kReplicaSetController};
    request.object["metadata"]["ownerReferences"] = testing::owner("apps/v1", "ReplicaSet");
    request.object["metadata"]["ownerReferences"][0]["controller"] = false;
    CHECK(reason_for(request) == "denied");
  }
}

TEST_CASE("an update is judged when it changes what a pod is made of") {
  struct Row { const char* what; void (*change)(Json& object); const char* expected; };
  const Row rows[] = {
      {"nothing", [](Json&) {}, "template unchanged"},
      {"a label", [](Json& o) { o["metadata"]["labels"]["x"] = "1"; }, "template unchanged"},
      {"a suppression", [](Json& o) { o["metadata"]["annotations"]["ignore.gpulint.dev/gpu-request-without-limit"] = "x"; }, "template unchanged"},
      {"a finalizer", [](Json& o) { o["metadata"]["finalizers"] = {"example.com/x"}; }, "template unchanged"},
      {"the status", [](Json& o) { o["status"]["replicas"] = 1; }, "template unchanged"},
      {"replicas", [](Json& o) { o["spec"]["replicas"] = 5; }, "template unchanged"},
      {"the image", [](Json& o) { o["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2"; }, "denied"},
      {"a template annotation", [](Json& o) { o["spec"]["template"]["metadata"]["annotations"]["gpu-fraction"] = "0.5"; }, "denied"},
      {"another container", [](Json& o) { o["spec"]["template"]["spec"]["containers"].push_back({{"name", "b"}}); }, "denied"},
      {"its deletion", [](Json& o) { o["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"; o["spec"]["template"]["spec"]["nodeName"] = "x"; }, "being deleted"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    ReviewOf request{.object = bad_deployment(), .old_object = bad_deployment(), .operation = "UPDATE"};
    row.change(request.object);
    CHECK(reason_for(request) == row.expected);
  }
}

TEST_CASE("custom resources: everything outside metadata and status counts, in any order of keys") {
  auto job = [](const char* keys) {
    Json object = Json::parse(R"({"apiVersion": "example.com/v1", "kind": "Training", "metadata": {"name": "t"}})");
    object["spec"] = Json::parse(keys);
    object["spec"]["template"]["spec"] = testing::pod_spec(Json::array({testing::container("main", testing::request_without_limit())}));
    return object;
  };
  ReviewOf request{.object = job(R"({"a": 1, "b": [1, 2]})"), .old_object = job(R"({"b": [1, 2], "a": 1})"), .operation = "UPDATE", .group = "example.com", .resource = "trainings"};
  CHECK(reason_for(request) == "template unchanged");
  request.old_object["status"]["phase"] = "Running";
  CHECK(reason_for(request) == "template unchanged");
  request.old_object = job(R"({"a": 1, "b": [2, 1]})");
  CHECK(reason_for(request) == "denied");
}

TEST_CASE("exempt namespaces, pods without a GPU word, running pods") {
  Policy policy = webhook_policy(Mode::enforce);
  policy.webhook.exempt_namespaces = {"lab", "team-*"};
  for (auto [name, expected] : {std::pair{"lab", "namespace lab is exempt"}, {"team-a", "namespace team-a is exempt"}, {"laboratory", "denied"}})
    CHECK(reason_for({.object = bad_deployment(), .name_space = name}, policy) == expected);
  CHECK(reason_for({.object = testing::deployment(Json::array({testing::container("web", Json::object())}))}) == "no GPU setting");

  ReviewOf running{.object = bad_pod(), .old_object = bad_pod(), .operation = "UPDATE", .group = "", .resource = "pods"};
  running.object["metadata"]["labels"]["x"] = "1";
  CHECK(reason_for(running) == "template unchanged");
  running.object["spec"]["containers"][0]["image"] = "registry.example/app:2";
  CHECK(reason_for(running) == "denied");
}

TEST_CASE("of a pod that is being debugged only the new container is judged") {
  ReviewOf request{.object = bad_pod(), .old_object = bad_pod(), .operation = "UPDATE", .group = "", .resource = "pods", .sub_resource = "ephemeralcontainers"};
  Json exposed = testing::container("tools", Json::object(), Json::array({{{"name", "NVIDIA_VISIBLE_DEVICES"}, {"value", "all"}}}));
  Json plain = testing::container("shell", Json::object());
  request.object["spec"]["ephemeralContainers"] = Json::array({plain});
  CHECK(reason_for(request) == "allowed");
  request.object["spec"]["ephemeralContainers"] = Json::array({exposed});
  CHECK(reason_for(request) == "warned");
  request.old_object["spec"]["ephemeralContainers"] = Json::array({exposed});
  request.object["spec"]["ephemeralContainers"] = Json::array({exposed, plain});
  CHECK(reason_for(request) == "allowed");
}

std::string decoded(const std::string& base64) {
  std::string text;
  unsigned bits = 0, value = 0;
  for (char c : base64) {
    std::size_t digit = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;
    value = value << 6 | static_cast<unsigned>(digit);
    if ((bits += 6) >= 8) text += static_cast<char>(value >> (bits -= 8) & 0xFF);
  }
  return text;
}

Policy mending() {
  Policy policy = webhook_policy(Mode::warn);
  policy.webhook.mutate = {"gpu-request-without-limit"};
  return policy;
}

TEST_CASE("a patch applies to the object as received, mends it, and is not given twice") {
  ReviewOf request{.object = bad_deployment()};
  AdmissionAnswer answer = review(Endpoint::mutate, request.text(), mending());
  CHECK(answer.verdict == Verdict::patched);
  Json response = response_of(answer);
  CHECK(response["allowed"] == true);
  CHECK(response["patchType"] == "JSONPatch");
  Json patched = request.object.patch(Json::parse(decoded(response["patch"])));
  CHECK(patched["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1");

  request.object = patched;
  AdmissionAnswer again = review(Endpoint::mutate, request.text(), mending());
  CHECK(again.verdict == Verdict::allowed);
  CHECK_FALSE(response_of(again).contains("patch"));
  CHECK_FALSE(response_of(again).contains("patchType"));
}

TEST_CASE("nothing is patched that was not asked for") {
  auto answer_to = [](const ReviewOf& request, const Policy& policy) { return review(Endpoint::mutate, request.text(), policy); };
  CHECK(answer_to({.object = bad_deployment()}, webhook_policy(Mode::warn)).reason == "no rule is set to mutate");
  Policy other = mending();
  other.webhook.mutate = {"missing-gpu-toleration"};
  CHECK(answer_to({.object = bad_deployment()}, other).verdict == Verdict::allowed);
  Policy audit = mending();
  audit.webhook.mode = Mode::audit;
  CHECK(answer_to({.object = bad_deployment()}, audit).verdict == Verdict::unseen);

  ReviewOf suppressed{.object = bad_deployment()};
  suppressed.object["metadata"]["annotations"] = {{"ignore.gpulint.dev/gpu-request-without-limit", "known"}};
  CHECK(answer_to(suppressed, mending()).verdict == Verdict::allowed);
  ReviewOf owned{.object = bad_pod(), .group = "", .resource = "pods"};
  owned.object["metadata"]["ownerReferences"] = testing::owner("ray.io/v1", "RayCluster");
  CHECK(answer_to(owned, mending()).reason == "owned by RayCluster");
  ReviewOf running{.object = bad_pod(), .old_object = testing::pod(Json::array()), .operation = "UPDATE", .group = "", .resource = "pods"};
  CHECK(answer_to(running, mending()).reason == "a Pod's containers cannot be changed");
}

}  // namespace
}  // namespace gpulint
