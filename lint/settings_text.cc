#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/config_command.h"
#include "lint/visible_text.h"
#include "rules/engine/configuration.h"
#include "rules/engine/context.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(json_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string list_of_parts(const std::vector<std::string>& parts) { return fmt::format("[{}]", fmt::join(parts, ", ")); }

std::string level_of(const RuleSettings& settings) {
  if (settings.off) return "off";
  return settings.severity ? std::string(name_of(*settings.severity)) : "on";
}

std::string value_of(const Parameter& parameter, const RuleSettings& settings) {
  const auto set = settings.parameters.find(parameter.name);
  const std::vector<std::string> values = set == settings.parameters.end() ? split_list(parameter.default_value) : set->second;
  if (parameter.type == Parameter::Type::strings) return list_of(values);
  return values.empty() ? "" : values.front();
}

std::string mapping_of(const std::vector<std::string>& members) { return fmt::format("{{{}}}", fmt::join(members, ", ")); }

std::string text_of(const IgnoreEntry& entry) {
  std::vector<std::string> members{"rule: " + entry.rule};
  if (!entry.paths.empty()) members.push_back("paths: " + list_of(entry.paths));
  members.push_back("reason: " + json_string(entry.reason));
  if (!entry.expires.empty()) members.push_back("expires: " + entry.expires);
  return mapping_of(members);
}

std::string text_of(const RuleSettings& settings, const Rule& rule) {
  std::vector<std::string> members;
  if (settings.off || settings.on || settings.severity) members.push_back("severity: " + level_of(settings));
  for (const Parameter& parameter : rule.parameters)
    if (settings.parameters.contains(parameter.name)) members.push_back(fmt::format("{}: {}", parameter.name, value_of(parameter, settings)));
  return mapping_of(members);
}

std::string text_of(const Override& over) {
  std::vector<std::string> members{"paths: " + list_of(over.paths)}, rules;
  if (over.cluster) members.push_back("cluster: " + json_string(over.cluster->name()));
  for (const auto& [id, settings] : over.rules) rules.push_back(fmt::format("{}: {}", id, text_of(settings, *find_rule(id))));
  if (!rules.empty()) members.push_back("rules: " + mapping_of(rules));
  return mapping_of(members);
}

std::string text_of(const AcceleratorEntry& entry) {
  return mapping_of({"resource: " + json_string(entry.resource), "vendor: " + json_string(vendor_name(entry.accelerator.vendor)),
               fmt::format("role: {}", name_in(kRoles, entry.accelerator.role))});
}

std::string text_of(const RenderSettings::Chart& chart) {
  return mapping_of({"paths: " + list_of(chart.paths), "values: " + list_of(chart.values)});
}

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& all) {
  std::vector<std::string> texts;
  for (const T& one : all) texts.push_back(text_of(one));
  return texts;
}

class Writer {
 public:
  explicit Writer(const Policy& policy) : policy_(policy) {}

  /// `setting` is what the origin is known by; the last part of it is the key.
  void line(std::string_view setting, std::string_view value) {
    const std::size_t dot = setting.rfind('.');
    text += fmt::format("{}{}: {}  # {}\n", std::string(2 * depth, ' '), setting.substr(dot + 1), value, origin(setting));
  }
  void open(std::string_view key) {
    text += fmt::format("{}{}:\n", std::string(2 * depth, ' '), key);
    ++depth;
  }
  std::string origin(std::string_view setting) const {
    const auto found = policy_.origins.find(setting);
    return found == policy_.origins.end() ? "default" : visible(found->second);
  }

  std::string text;
  std::size_t depth = 0;

 private:
  const Policy& policy_;
};

void write_rules(const Policy& policy, Writer& out) {
  out.open("rules");
  std::size_t others = 0;
  for (const Rule* rule : all_rules()) {
    const RuleSettings* given = policy.settings(rule->id);
    const RuleSettings settings = given ? *given : RuleSettings();
    const std::string name = fmt::format("rules.{}", rule->id);
    if (rule->parameters.empty()) {
      if (given) out.line(name, level_of(settings));
      else ++others;
      continue;
    }
    out.open(rule->id);
    out.text += fmt::format("{}severity: {}  # {}\n", std::string(2 * out.depth, ' '), level_of(settings), out.origin(name));
    for (const Parameter& parameter : rule->parameters) out.line(fmt::format("{}.{}", name, parameter.name), value_of(parameter, settings));
    --out.depth;
  }
  out.text += fmt::format("  # the other {} rules are on, with severities of their own  # default\n", others);
  --out.depth;
}

void write_entries(const Policy& policy, Writer& out) {
  if (policy.ignore.empty()) out.line("ignore", "[]");
  else out.text += "ignore:\n";
  for (const IgnoreEntry& entry : policy.ignore)
    out.text += fmt::format("  - {}  # {}:{}\n", text_of(entry), visible(entry.place.file), entry.place.range.start.line);
  if (policy.overrides.empty()) return;
  out.text += "overrides:\n";
  for (const Override& over : policy.overrides)
    out.text += fmt::format("  - {}  # {}\n", text_of(over), visible(over.cluster ? over.cluster_origin : over.origin));
}

}  // namespace

std::string settings_text(const Policy& policy) {
  Writer out(policy);
  out.line("cluster", json_string(policy.cluster.name()));
  out.line("fail-on", name_of(policy.fail_on));
  write_rules(policy, out);
  write_entries(policy, out);
  out.line("exclude", list_of(policy.exclude));
  out.open("render");
  out.line("render.enabled", policy.render.enabled ? "true" : "false");
  out.line("render.timeout", std::to_string(policy.render.timeout));
  out.line("render.charts", list_of_parts(texts_of(policy.render.charts)));
  --out.depth;
  out.line("baseline", policy.baseline.empty() ? "null" : json_string(policy.baseline));
  out.line("accelerators", list_of_parts(texts_of(policy.accelerators.added())));
  out.open("webhook");
  out.line("webhook.mode", name_in(kModes, policy.webhook.mode));
  out.line("webhook.mutate", list_of(policy.webhook.mutate));
  out.line("webhook.exempt", mapping_of({"namespaces: " + list_of(policy.webhook.exempt_namespaces)}));
  return out.text;
}

}  // namespace gpulint
