// The registry: the rules of the folder rules/checks, listed by CMake in rule_list.inc as RULE(symbol) lines.
#include <algorithm>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {

namespace checks {
#define RULE(symbol) extern const Rule symbol;
#include "rule_list.inc"
#undef RULE
}  // namespace checks

std::span<const Rule* const> all_rules() {
  static const std::vector<const Rule*> rules = [] {
    std::vector<const Rule*> list = {
#define RULE(symbol) &checks::symbol,
#include "rule_list.inc"
#undef RULE
    };
    std::sort(list.begin(), list.end(), [](const Rule* left, const Rule* right) { return left->id < right->id; });
    return list;
  }();
  return rules;
}

const Rule* find_rule(std::string_view id) {
  const auto rules = all_rules();
  const auto place = std::lower_bound(rules.begin(), rules.end(), id, [](const Rule* rule, std::string_view wanted) { return rule->id < wanted; });
  return place != rules.end() && (*place)->id == id ? *place : nullptr;
}

}  // namespace gpulint
