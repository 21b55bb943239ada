// The JSON Schema of the configuration: it accepts what the reader accepts, finds what an editor can find, and knows the same keys.
// `<name>.schema` beside a broken configuration lists where the schema is against it.
#include "rules/engine/configuration_schema.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "rules/engine/configuration.h"
#include "rules/engine/engine.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Names = std::set<std::string>;

/// One line a file: its name, then the places that the schema is against.
std::vector<std::string> validated(const std::vector<std::string>& files) {
  const testing::TemporaryFolder folder;
  testing::write_file(folder / "schema.json", configuration_schema());
  testing::Command command{.words = {"python3", "tests/config_schema/validate.py", folder / "schema.json"}};
  command.words.insert(command.words.end(), files.begin(), files.end());
  const testing::Outcome outcome = testing::run(command);
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err, " (python3-jsonschema is needed)");
  std::vector<std::string> lines;
  std::istringstream text(outcome.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  REQUIRE(lines.size() == files.size());
  return lines;
}

TEST_CASE("good configurations are valid") {
  const testing::TemporaryFolder folder;
  std::vector<std::string> files{"testdata/config/full.yaml"};
  for (const char* text : {"{}\n", "cluster:\nrules:\n", "cluster: gke+dra\n", "cluster: dra\n", "cluster: 'generic+taint:sku=gpu:NoSchedule+dra'\n",
                           "rules: {zero-gpu-limit: off}\n", "rules: {zero-gpu-limit: false}\n", "rules: {docker-gpus-flag: {programs: one}}\n",
                           "exclude: vendor\n", "exclude: []\n", "ignore: []\n", "overrides: [{paths: a, rules: {zero-gpu-limit: 'on'}}]\n"}) {
    files.push_back(folder / fmt::format("{}.yaml", files.size()));
    testing::write_file(files.back(), text);
    Policy policy;
    CHECK_MESSAGE(read_policy(Source(text, text), policy).empty(), text);
  }
  for (const std::string& line : validated(files)) CHECK_MESSAGE(line.find(' ') == line.npos, line);
}

TEST_CASE("broken configurations are found, where a schema can") {
  const Names unreadable{"duplicate-key", "tab", "template", "two-documents"};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator("testdata/config"))
    if (const std::string name = entry.path().stem(); entry.path().extension() == ".yaml" && name != "full" && !unreadable.contains(name))
      files.push_back(entry.path().string());
  REQUIRE(files.size() >= 6);
  for (const std::string& line : validated(files)) {
    std::istringstream words(line);
    std::string file, place, places;
    words >> file;
    while (words >> place) places += place + "\n";
    CHECK_MESSAGE(!places.empty(), file, " is valid by the schema");
    testing::check_golden(fs::path(file).replace_extension(".schema"), places);
  }
}

/// Every mapping the schema describes: the way to it (`overrides`, 0, `cluster`), and the keys it may have.
void collect(const json& root, const json& schema, std::vector<std::string> way, std::vector<std::pair<std::vector<std::string>, Names>>& mappings) {
  if (schema.contains("$ref")) return collect(root, root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), way, mappings);
  for (const json& one : schema.value("anyOf", json::array())) collect(root, one, way, mappings);
  if (schema.contains("items")) {
    auto inside = way;
    inside.push_back("0");
    collect(root, schema["items"], inside, mappings);
  }
  if (!schema.contains("properties")) return;
  CHECK(schema.at("additionalProperties") == false);
  Names keys;
  for (const auto& [key, member] : schema["properties"].items()) {
    keys.insert(key);
    auto inside = way;
    inside.push_back(key);
    collect(root, member, inside, mappings);
  }
  mappings.emplace_back(std::move(way), std::move(keys));
}

/// The keys that the reader names when a mapping has one that nothing is close to.
Names keys_by_reader(const std::vector<std::string>& way) {
  json text{{"qqqqqqqqqqqq", 1}};
  for (auto step = way.rbegin(); step != way.rend(); ++step) text = *step == "0" ? json::array({text}) : json{{*step, text}};
  Policy policy;
  Names keys;
  const std::string intro = "; it has ";
  for (const PolicyProblem& problem : read_policy(Source("c", text.dump()), policy)) {
    const std::size_t begin = problem.message.find(intro);
    if (problem.message.find("qqqqqqqqqqqq") == std::string::npos || begin == std::string::npos) continue;
    std::istringstream names(problem.message.substr(begin + intro.size()));
    for (std::string name; names >> name;) keys.insert(name.ends_with(',') ? name.substr(0, name.size() - 1) : name);
  }
  return keys;
}

TEST_CASE("reader and schema know the same keys") {
  const json schema = json::parse(configuration_schema());
  std::vector<std::pair<std::vector<std::string>, Names>> mappings;
  collect(schema, schema, {}, mappings);
  CHECK(mappings.size() > all_rules().size());
  Names rules;
  for (const Rule* rule : all_rules()) rules.emplace(rule->id);
  for (const auto& [way, keys] : mappings) {
    CAPTURE(way);
    if (!way.empty() && way.back() == "rules") CHECK(keys == rules);
    else CHECK(keys == keys_by_reader(way));
  }
}

TEST_CASE("the full sample uses every key there is, and each says what it is for") {
  const std::string full = testing::read_file("testdata/config/full.yaml");
  const auto check = [&](auto&& self, std::span<const Setting> members) -> void {
    for (const Setting& member : members) {
      CHECK_MESSAGE(full.find(std::string(member.name) + ":") != std::string::npos, member.name);
      CHECK_MESSAGE((member.description.size() > 10 && member.description.ends_with('.')), member.name);
      self(self, member.members);
    }
  };
  check(check, configuration_settings());
}

TEST_CASE("rules bring their summary, their levels and their settings with defaults") {
  const json schema = json::parse(configuration_schema());
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    const json& described = schema["definitions"][std::string(rule->id)];
    CHECK(described["description"] == rule->summary);
    CHECK(described["anyOf"][0]["enum"] == json{"off", "on", "error", "warning", "info", false, true});
    for (const Parameter& parameter : rule->parameters) {
      const json& setting = described["anyOf"][1]["properties"][std::string(parameter.name)];
      CHECK(setting["description"] == parameter.description);
      if (parameter.type == Parameter::Type::boolean) CHECK(setting["default"] == (parameter.default_value == "true"));
      else CHECK_FALSE(setting["default"].is_null());
    }
  }
}

}  // namespace
}  // namespace gpulint
