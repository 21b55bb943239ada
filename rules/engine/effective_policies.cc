#include "rules/engine/effective_policies.h"

#include <fmt/core.h>

namespace gpulint {
namespace {

void set_over(RuleSettings& settings, const RuleSettings& over) {
  if (over.off || over.on) settings.off = over.off;
  if (over.severity) settings.severity = over.severity;
  for (const auto& [name, values] : over.parameters) settings.parameters[name] = values;
}

void set_over(Policy& policy, const Override& over) {
  if (over.cluster) {
    policy.cluster = *over.cluster;
    policy.origins["cluster"] = over.cluster_origin;
  }
  for (const auto& [id, settings] : over.rules) {
    set_over(policy.rules[id], settings);
    if (settings.off || settings.on || settings.severity) policy.origins[fmt::format("rules.{}", id)] = over.origin;
    for (const auto& parameter : settings.parameters) policy.origins[fmt::format("rules.{}.{}", id, parameter.first)] = over.origin;
  }
}

}  // namespace

const Policy& EffectivePolicies::of(std::string_view path) const {
  if (policy_.overrides.empty()) return policy_;
  std::vector<std::size_t> matching;
  for (std::size_t i = 0; i < policy_.overrides.size(); ++i)
    if (policy_.matches(policy_.overrides[i].paths, path)) matching.push_back(i);
  if (matching.empty()) return policy_;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Policy>& made = made_[matching];
  if (!made) {
    auto policy = std::make_unique<Policy>(policy_);
    for (const std::size_t index : matching) set_over(*policy, policy_.overrides[index]);
    policy->rebuild_words();
    made = std::move(policy);
  }
  return *made;
}

}  // namespace gpulint
