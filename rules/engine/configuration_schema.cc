#include "rules/engine/configuration_schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rules/engine/configuration.h"
#include "rules/engine/context.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Setting& setting);

/// A key whose value is commented out is null.
Json or_null(Json schema) { return {{"anyOf", {std::move(schema), {{"type", "null"}}}}}; }

Json mapping_of(std::span<const Setting> members) {
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  for (const Setting& member : members) {
    schema["properties"][std::string(member.name)] = schema_of(member);
    if (member.required) schema["required"].push_back(member.name);
  }
  return schema;
}

Json one_or_list(const Json& one, bool may_be_empty = true) {
  Json list{{"type", "array"}, {"items", one}};
  if (!may_be_empty) list["minItems"] = 1;
  return {{"anyOf", {one, std::move(list)}}};
}

/// `gke`, `gke+dra`, `generic+taint:sku=gpu:NoSchedule`: names completed by editors, everything else by its form.
Json cluster_name() {
  std::vector<std::string> names = preset_names(), parts = add_on_names();
  const std::string taint = "taint:[^+]+";
  names.insert(names.end(), parts.begin(), parts.end());
  const Json any{{"type", "string"}, {"pattern", fmt::format("^({0}|{2})(\\+({1}|{2}))*$", fmt::join(names, "|"), fmt::join(parts, "|"), taint)}};
  return {{"anyOf", {{{"enum", names}}, any}}};
}

/// What is plain `off` and `on` in the text is false and true to readers of YAML 1.1.
Json level() {
  Json levels = rule_levels();
  levels.push_back(false);
  levels.push_back(true);
  return {{"enum", std::move(levels)}};
}

Json schema_of(const Parameter& parameter) {
  Json schema;
  const std::string text(parameter.default_value);
  switch (parameter.type) {
    case Parameter::Type::boolean: schema = {{"type", "boolean"}, {"default", text == "true"}}; break;
    case Parameter::Type::integer: schema = {{"type", "integer"}, {"default", Json::parse(text, nullptr, false)}}; break;
    case Parameter::Type::strings:
      schema = one_or_list({{"type", {"string", "number", "boolean"}}});
      schema["default"] = split_list(text);
      break;
  }
  schema["description"] = parameter.description;
  return schema;
}

Json schema_of(const Rule& rule) {
  Json members{{"severity", level()}};
  for (const Parameter& parameter : rule.parameters) members[std::string(parameter.name)] = schema_of(parameter);
  const Json mapping{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(members)}};
  return {{"description", rule.summary}, {"anyOf", {level(), mapping}}};
}

Json rules() {
  Json members = Json::object();
  for (const Rule* rule : all_rules()) members[std::string(rule->id)] = {{"$ref", fmt::format("#/definitions/{}", rule->id)}};
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(members)}};
}

Json form_of(const Setting& setting) {
  const Json text{{"type", {"string", "number", "boolean"}}};
  switch (setting.type) {
    case Setting::Type::text: return setting.required ? Json{{"type", {"string", "number", "boolean"}}, {"pattern", "\\S"}} : text;
    case Setting::Type::choice: return {{"enum", setting.choices()}};
    case Setting::Type::choices: return one_or_list({{"enum", setting.choices()}});
    case Setting::Type::flag: return {{"type", "boolean"}};
    case Setting::Type::seconds: return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostSeconds}};
    case Setting::Type::day: return {{"type", "string"}, {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}};
    case Setting::Type::texts: return one_or_list(text);
    case Setting::Type::globs: return one_or_list({{"type", "string"}, {"minLength", 1}, {"pattern", "^[^!]"}}, setting.may_be_empty);
    case Setting::Type::mapping: return mapping_of(setting.members);
    case Setting::Type::list: return {{"type", "array"}, {"items", mapping_of(setting.members)}};
    case Setting::Type::rules: return rules();
    case Setting::Type::cluster: return {{"anyOf", {cluster_name(), mapping_of(setting.members)}}};
    case Setting::Type::resource: return {{"type", "string"}, {"pattern", "^[^/*]+/[^*]+\\*?$"}};
  }
  return Json::object();
}

Json schema_of(const Setting& setting) {
  Json schema = form_of(setting);
  schema["description"] = setting.description;
  if (!setting.default_value.empty()) schema["default"] = Json::parse(setting.default_value);
  return schema;
}

}  // namespace

std::string configuration_schema() {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Configuration of gpulint"}};
  Json top = mapping_of(configuration_settings());
  for (auto& [name, member] : top["properties"].items()) {
    Json described = or_null(member);
    for (const char* note : {"description", "default"})
      if (member.contains(note)) described[note] = member[note];
    member = std::move(described);
  }
  schema.update(top);
  for (const Rule* rule : all_rules()) schema["definitions"][std::string(rule->id)] = schema_of(*rule);
  return schema.dump(1) + "\n";
}

}  // namespace gpulint
