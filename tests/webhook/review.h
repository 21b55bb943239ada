// AdmissionReviews for tests: a request built from the few things a test is about, and the answer taken apart.
#pragma once
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "rules/engine/engine.h"
#include "webhook/admission.h"

namespace gpulint::testing {

using Json = nlohmann::json;

struct ReviewOf {
  Json object;
  Json old_object = nullptr;
  std::string operation = "CREATE", group = "apps", resource = "deployments", sub_resource = {}, user = "alice", name_space = "ml", uid = "u-1";

  std::string text() const {
    Json request{{"uid", uid},
                 {"operation", operation},
                 {"namespace", name_space},
                 {"resource", {{"group", group}, {"version", "v1"}, {"resource", resource}}},
                 {"userInfo", {{"username", user}}},
                 {"object", object},
                 {"oldObject", old_object}};
    if (!sub_resource.empty()) request["subResource"] = sub_resource;
    return Json{{"kind", "AdmissionReview"}, {"apiVersion", "admission.k8s.io/v1"}, {"request", request}}.dump();
  }
};

inline Policy webhook_policy(Mode mode) {
  Policy policy;
  policy.lint = false;
  policy.webhook.mode = mode;
  return policy;
}

/// The policy with every other rule off, so that a test counts what it made and nothing else.
inline Policy only(std::initializer_list<std::string_view> rules, Policy policy) {
  for (const Rule* rule : all_rules())
    if (std::find(rules.begin(), rules.end(), rule->id) == rules.end()) policy.rules[std::string(rule->id)].off = true;
  return policy;
}

/// The `response` of an answer with HTTP status 200.
inline Json response_of(const AdmissionAnswer& answer) { return Json::parse(answer.body).at("response"); }

inline Json container(const std::string& name, Json resources, Json env = Json::array()) {
  return {{"name", name}, {"image", "registry.example/app:1"}, {"resources", std::move(resources)}, {"env", std::move(env)}};
}

/// What only /mutate and custom resources can show: the API server refuses it in built-in kinds.
inline Json request_without_limit() { return {{"requests", {{"nvidia.com/gpu", "1"}}}}; }
inline Json one_gpu() { return {{"limits", {{"nvidia.com/gpu", "1"}}}}; }

inline Json pod_spec(Json containers) { return {{"containers", std::move(containers)}}; }

inline Json deployment(Json containers) {
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", {{"name", "infer"}, {"namespace", "ml"}}},
          {"spec",
           {{"replicas", 1},
            {"selector", {{"matchLabels", {{"app", "infer"}}}}},
            {"template", {{"metadata", {{"labels", {{"app", "infer"}}}}}, {"spec", pod_spec(std::move(containers))}}}}}};
}

inline Json pod(Json containers) {
  return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", "infer-0"}, {"namespace", "ml"}}}, {"spec", pod_spec(std::move(containers))}};
}

inline Json owner(const std::string& api_version, const std::string& kind) {
  return Json::array({{{"apiVersion", api_version}, {"kind", kind}, {"name", "owner"}, {"uid", "1"}, {"controller", true}}});
}

}  // namespace gpulint::testing
