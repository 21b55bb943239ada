#include "lint/rule_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "lint/exit_status.h"
#include "lint/output.h"
#include "lint/print.h"
#include "lint/visible_text.h"
#include "rules/engine/documentation.h"
#include "rules/engine/engine.h"
#include "rules/engine/policy.h"

namespace gpulint {
namespace {

std::string table() {
  std::map<Group, std::vector<const Rule*>> groups;
  std::size_t width = 0;
  for (const Rule* rule : all_rules()) {
    groups[rule->group].push_back(rule);
    width = std::max(width, rule->id.size());
  }
  std::string text;
  for (const auto& [group, rules] : groups) {
    text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", title_of(group), name_of(group));
    for (const Rule* rule : rules) {
      const std::string fix = rule->fixability == Fixability::no ? "-" : fmt::format("{} fix", name_of(rule->fixability));
      text += fmt::format("  {:<{}}  {:<7}  {:<10}  {}\n", rule->id, width, name_of(rule->severity), fix, rule->summary);
    }
  }
  return text + "\n`gpulint explain RULE` says why, with samples. The severity is the highest a rule can have.\n";
}

std::string json() {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const Rule* rule : all_rules())
    rules.push_back({{"id", rule->id}, {"group", name_of(rule->group)}, {"severity", name_of(rule->severity)},
                     {"summary", rule->summary}, {"fixable", name_of(rule->fixability)}});
  return rules.dump(2) + "\n";
}

}  // namespace

int list_rules(const std::string& format) { return print(format == "json" ? json() : format == "markdown" ? catalogue_markdown() : table()); }

int explain(const std::string& id) {
  if (const Rule* rule = find_rule(id)) return print(explain_text(*rule));
  std::vector<std::string> ids;
  for (const Rule* rule : all_rules()) ids.emplace_back(rule->id);
  const std::optional<std::string> meant = did_you_mean(id, ids);
  complain(fmt::format("gpulint: there is no rule \"{}\"{}; `gpulint rules` lists all", visible(id), meant ? fmt::format(", did you mean \"{}\"?", *meant) : ""));
  return kExitTrouble;
}

}  // namespace gpulint
