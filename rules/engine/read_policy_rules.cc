#include <fmt/core.h>

#include <charconv>
#include <chrono>

#include "rules/cluster/closest_word.h"
#include "rules/engine/engine.h"
#include "rules/engine/policy_reader.h"

namespace gpulint {
namespace {

/// A day that exists, written YYYY-MM-DD.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int year = 0;
  unsigned month = 0, day = 0;
  const auto number = [text](std::size_t begin, std::size_t size, auto& value) {
    const char* end = text.data() + begin + size;
    const auto [stop, fault] = std::from_chars(text.data() + begin, end, value);
    return fault == std::errc() && stop == end;
  };
  if (!number(0, 4, year) || !number(5, 2, month) || !number(8, 2, day)) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)).ok();
}

}  // namespace

void PolicyReader::read_rules(const Node& node, RuleMap& rules, bool top) {
  if (!node.is_mapping()) return problem(node, "rules must be a mapping from rule to setting, for example missing-spread: off");
  for (const Node& member : node)
    if (const Rule* rule = known_rule(member.key, member, true)) read_rule(member, *rule, rules, top);
}

/// `off`, a severity, or `on`. YAML 1.1 reads a plain `off` as false, and people write both.
bool PolicyReader::read_level(const Node& node, RuleSettings& settings) {
  const bool off = node.text == "off" || (node.kind == NodeKind::boolean && node.text == "false");
  const bool on = node.text == "on" || (node.kind == NodeKind::boolean && node.text == "true");
  if (const Severity* severity = node.is_string() ? find_named(kSeverities, node.text) : nullptr) {
    settings.severity = *severity;
    settings.off = false;
    settings.on = true;
    return true;
  }
  if (node.is_scalar() && (off || on)) {
    settings.off = off;
    settings.on = on;
    return true;
  }
  reject_choice(node, "setting", rule_levels());
  return false;
}

void PolicyReader::read_rule(const Node& node, const Rule& rule, RuleMap& rules, bool top) {
  RuleSettings settings;
  if (const auto earlier = rules.find(rule.id); earlier != rules.end()) settings = earlier->second;
  const std::string name = fmt::format("rules.{}", rule.id);
  if (!node.is_mapping()) {
    if (!read_level(node, settings)) return;
    if (top) note_origin(name, node);
    rules[std::string(rule.id)] = std::move(settings);
    return;
  }
  std::vector<std::string> known = {"severity"};
  for (const Parameter& parameter : rule.parameters) known.emplace_back(parameter.name);
  check_names(node, rule.id, known);
  for (const Node& member : node) {
    if (member.key == "severity" && read_level(member, settings) && top) note_origin(name, member);
    for (const Parameter& parameter : rule.parameters) {
      if (member.key != parameter.name) continue;
      read_parameter(member, parameter, settings);
      if (top) note_origin(fmt::format("{}.{}", name, parameter.name), member);
    }
  }
  rules[std::string(rule.id)] = std::move(settings);
}

void PolicyReader::read_parameter(const Node& node, const Parameter& parameter, RuleSettings& settings) {
  std::vector<std::string>& values = settings.parameters[std::string(parameter.name)];
  switch (parameter.type) {
    case Parameter::Type::boolean:
      if (node.kind != NodeKind::boolean) problem(node, fmt::format("{} must be true or false", parameter.name));
      else values = {std::string(node.text)};
      return;
    case Parameter::Type::integer:
      if (node.kind != NodeKind::integer) problem(node, fmt::format("{} must be a whole number", parameter.name));
      else values = {std::string(node.text)};
      return;
    case Parameter::Type::strings: break;
  }
  if (auto given = texts(node, parameter.name)) values = std::move(*given);
}

void PolicyReader::read_ignore(const Node& node) {
  if (!check_list(node, "ignore")) return;
  std::vector<IgnoreEntry> entries;
  for (const Node& element : node)
    if (auto entry = read_ignore_entry(element)) entries.push_back(std::move(*entry));
  policy_.ignore = std::move(entries);
}

std::optional<IgnoreEntry> PolicyReader::read_ignore_entry(const Node& node) {
  if (!check_keys(node, "an ignore entry", settings::kIgnore)) return std::nullopt;
  IgnoreEntry entry;
  const Range range = range_of(source_, node);
  entry.place = {std::string(source_.name()), JsonPointer::to(node, *root_), range, std::string(source_.line(range.start.line))};
  const Node *rule = node.find("rule"), *reason = node.find("reason"), *paths = node.find("paths");
  if (!rule) problem(node, "an ignore entry needs a rule");
  else if (const auto id = text(*rule, "rule"); id && known_rule(*id, *rule, false)) entry.rule = *id;
  if (reason)
    if (auto why = text(*reason, "reason")) entry.reason = std::move(*why);
  if (!reason || (reason->is_scalar() && !reason->is_null() && entry.reason.find_first_not_of(" \t\r\n") == std::string::npos))
    problem(reason ? *reason : node, "an ignore entry needs a reason: say why the finding is right to be there");
  if (paths)
    if (auto patterns = globs(*paths, "paths")) entry.paths = std::move(*patterns);
  if (paths && paths->is_sequence() && paths->size == 0) problem(*paths, "paths is empty; leave it out to ignore the rule everywhere");
  if (const Node* expires = node.find("expires")) read_expires(*expires, entry);
  return entry;
}

void PolicyReader::read_expires(const Node& node, IgnoreEntry& entry) {
  const auto day = text(node, "expires");
  if (!day) return;
  if (is_date(*day)) entry.expires = *day;
  else problem(node, fmt::format("expires must be a day like 2027-03-01, not \"{}\"", *day));
}

}  // namespace gpulint
