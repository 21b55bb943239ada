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

void PolicyReader::read_rules(const Node& node) {
  if (!node.is_mapping()) return problem(node, "rules must be a mapping from rule to setting, for example missing-spread: off");
  for (const Node& member : node)
    if (const Rule* rule = known_rule(member.key, member, true)) read_rule(member, *rule);
}

/// `off`, a severity, or `on`. YAML 1.1 reads a plain `off` as false, and people write both.
bool PolicyReader::read_level(const Node& node, RuleSettings& settings) {
  const bool off = node.text == "off" || (node.kind == NodeKind::boolean && node.text == "false");
  const bool on = node.text == "on" || (node.kind == NodeKind::boolean && node.text == "true");
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info})
    if (node.is_string() && node.text == name_of(severity)) {
      settings.severity = severity;
      settings.off = false;
      return true;
    }
  if (node.is_scalar() && (off || on)) {
    settings.off = off;
    return true;
  }
  reject_choice(node, "setting", {"off", "on", "error", "warning", "info"});
  return false;
}

void PolicyReader::read_rule(const Node& node, const Rule& rule) {
  RuleSettings settings;
  if (const RuleSettings* earlier = policy_.settings(rule.id)) settings = *earlier;
  if (!node.is_mapping()) {
    if (read_level(node, settings)) policy_.rules[std::string(rule.id)] = std::move(settings);
    return;
  }
  std::vector<std::string> known = {"severity"};
  for (const Parameter& parameter : rule.parameters) known.emplace_back(parameter.name);
  check_keys(node, rule.id, known);
  for (const Node& member : node) {
    if (member.key == "severity") read_level(member, settings);
    for (const Parameter& parameter : rule.parameters)
      if (member.key == parameter.name) read_parameter(member, parameter, settings);
  }
  policy_.rules[std::string(rule.id)] = std::move(settings);
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
  if (!check_keys(node, "an ignore entry", {"rule", "paths", "reason", "expires"})) return std::nullopt;
  IgnoreEntry entry;
  const Node *rule = node.find("rule"), *reason = node.find("reason"), *paths = node.find("paths"), *expires = node.find("expires");
  if (!rule) problem(node, "an ignore entry needs a rule");
  else if (const auto id = text(*rule, "rule"); id && known_rule(*id, *rule, false)) entry.rule = *id;
  if (reason)
    if (auto why = text(*reason, "reason")) entry.reason = std::move(*why);
  if (!reason || (reason->is_scalar() && !reason->is_null() && entry.reason.find_first_not_of(" \t\r\n") == std::string::npos))
    problem(reason ? *reason : node, "an ignore entry needs a reason: say why the finding is right to be there");
  if (paths)
    if (auto globs = texts(*paths, "paths")) entry.paths = std::move(*globs);
  if (paths && paths->is_sequence() && paths->size == 0) problem(*paths, "paths is empty; leave it out to ignore the rule everywhere");
  if (expires) {
    if (auto day = text(*expires, "expires")) entry.expires = std::move(*day);
    if (!entry.expires.empty() && !is_date(entry.expires)) problem(*expires, fmt::format("expires must be a day like 2027-03-01, not \"{}\"", entry.expires));
  }
  return entry;
}

}  // namespace gpulint
