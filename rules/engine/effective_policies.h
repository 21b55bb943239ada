// EffectivePolicies: the settings of each file, once `overrides` of the configuration are set over those for all files.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "rules/engine/policy.h"

namespace gpulint {

class EffectivePolicies {
 public:
  /// `policy` must outlive this.
  explicit EffectivePolicies(const Policy& policy) : policy_(policy) {}

  /// What holds for a file of this name. One policy is made for each set of overrides that some file matches; without overrides it is
  /// `policy` itself. Thread-safe; the reference stays good.
  const Policy& of(std::string_view path) const;

 private:
  const Policy& policy_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<std::size_t>, std::unique_ptr<const Policy>> made_;  // by the indexes of the overrides that match
};

}  // namespace gpulint
