// What others run of this repository: the GitHub action, the GitLab template, the hooks of pre-commit. Their scripts are executed here with the
// built program; what they install is tests/packaging's business.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "gpulint_version.h"
#include "tests/support/gpulint_program.h"

namespace gpulint::testing {
namespace {

using Inputs = std::map<std::string, std::string>;

// `${{ inputs.name }}` of GitHub and `$[[ inputs.name ]]` of GitLab.
std::string filled_in(std::string text, const YAML::Node& declared, const Inputs& given) {
  for (const auto& input : declared) {
    const std::string name = input.first.as<std::string>();
    const auto value = given.find(name);
    const std::string replacement = value != given.end() ? value->second : input.second["default"].as<std::string>();
    RE2::GlobalReplace(&text, fmt::format(R"(\$(\{{\{{|\[\[) inputs\.{} (\}}\}}|\]\]))", RE2::QuoteMeta(name)), replacement);
  }
  for (const auto& name : given) CHECK_MESSAGE(declared[name.first], "no input ", name.first);
  return text;
}

/// A folder with manifests, and one where programs are found before all others: gpulint, and a pip that only notes its arguments.
struct Runner {
  Runner() {
    write_file(tools / "pip", "#!/bin/sh\necho \"pip $*\" >>" + (tools / "log") + "\n");
    write_file(tools / "apt-get", "#!/bin/sh\necho \"apt-get $*\" >>" + (tools / "log") + "\n");
    for (const char* name : {"pip", "apt-get"}) std::filesystem::permissions(tools / name, std::filesystem::perms::owner_all);
    std::filesystem::create_symlink(kProgram, tools / "gpulint");
  }
  Outcome script(const std::string& text, Inputs environment = {}) {
    environment["PATH"] = tools.path() + ":" + std::getenv("PATH");
    return run({.words = {"bash", "-e", "-o", "pipefail", "-c", text}, .environment = environment, .directory = place.folder.path()});
  }
  std::string log() { return std::filesystem::exists(tools / "log") ? read_file(tools / "log") : ""; }
  Workplace place;
  TemporaryFolder tools;
};

struct Row {
  Inputs inputs;
  int status;
  std::string out;  ///< a part
};

// Options of gpulint that a text uses are options of `gpulint lint`.
void check_options(const std::string& text) {
  const std::string help = program({"lint", "--help"}).out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!RE2::PartialMatch(line, R"(gpulint lint|options\+?=)")) continue;
    re2::StringPiece rest(line);
    for (std::string option; RE2::FindAndConsume(&rest, R"((--[a-z][a-z-]*))", &option);) CHECK_MESSAGE(help.find(option + " ") != std::string::npos, option);
  }
}

// The packages of a text's apt-get install, as one line.
std::string packages_in(const std::string& text) {
  std::string packages;
  CHECK_MESSAGE(RE2::PartialMatch(text, R"(apt-get install (?:-\S+ )*([a-z0-9+ .-]+))", &packages), text);
  return packages.substr(0, packages.find_last_not_of(" \n") + 1);
}

}  // namespace

TEST_CASE("the GitHub action") {
  const std::string text = read_file("action.yml");
  check_options(text);
  const YAML::Node action = YAML::Load(text);
  CHECK(action["runs"]["using"].as<std::string>() == "composite");
  const YAML::Node step = action["runs"]["steps"][1];
  for (const Row& row : {
           Row{{}, 1, "::error file=bad.yaml,line=9"},
           Row{{{"paths", "good.yaml sub"}}, 0, ""},
           Row{{{"paths", "bad.yaml"}, {"cluster", "k3s"}}, 1, "missing-runtime-class"},
           Row{{{"paths", "bad.yaml"}, {"cluster", "k3"}}, 2, ""},
           Row{{{"args", "--quiet --baseline missing"}}, 2, ""},
           Row{{{"paths", "bad.yaml"}, {"sarif", "r.sarif"}}, 1, "::error"},
           Row{{{"paths", "$(touch owned)"}}, 2, ""},
       }) {
    Runner runner;
    Inputs environment;
    for (const auto& variable : step["env"])
      environment[variable.first.as<std::string>()] = filled_in(variable.second.as<std::string>(), action["inputs"], row.inputs);
    const Outcome outcome = runner.script(step["run"].as<std::string>(), environment);
    INFO(fmt::format("{}", row.inputs), outcome.out, outcome.err);
    CHECK(outcome.status == row.status);
    CHECK(outcome.out.find(row.out) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(runner.place.folder / "owned"));
    if (row.inputs.contains("sarif")) CHECK(nlohmann::json::parse(read_file(runner.place.folder / "r.sarif"))["version"] == "2.1.0");
  }
}

TEST_CASE("the GitLab template") {
  const std::string text = read_file(".gitlab/gpulint.yml");
  check_options(text);
  const std::vector<YAML::Node> documents = YAML::LoadAll(text);
  REQUIRE(documents.size() == 2);
  const YAML::Node inputs = documents[0]["spec"]["inputs"], job = documents[1]["gpulint"];
  CHECK(job["artifacts"]["reports"]["codequality"].as<std::string>() == "gpulint.json");
  struct Job : Row { std::string log; };
  const std::string released = fmt::format("pip install --quiet gpulint=={}\n", kVersion), from_source = "git+https://git.example.com/gpulint";
  for (const Job& row : {
           Job{{{}, 1, "[gpu-request-without-limit]"}, released},
           Job{{{{"paths", "good.yaml sub"}, {"args", "--strict-input"}}, 0, "Checked 2 files"}, released},
           Job{{{{"paths", "bad.yaml"}, {"cluster", "k3s"}}, 1, "[missing-runtime-class]"}, released},
           Job{{{{"paths", "good.yaml"}, {"package", from_source}}, 0, ""}, "pip install --quiet " + from_source + "\n"},
       }) {
    Runner runner;
    Inputs environment;
    for (const auto& variable : job["variables"])
      environment[variable.first.as<std::string>()] = filled_in(variable.second.as<std::string>(), inputs, row.inputs);
    std::string script;
    for (const auto& line : job["script"]) script += filled_in(line.as<std::string>(), inputs, row.inputs) + "\n";
    const Outcome outcome = runner.script(script, environment);
    INFO(fmt::format("{}", row.inputs), outcome.out, outcome.err);
    CHECK(outcome.status == row.status);
    CHECK(outcome.out.find(row.out) != std::string::npos);
    CHECK_MESSAGE(runner.log().ends_with(row.log), runner.log());
    CHECK((runner.log().find("apt-get install") != std::string::npos) == (row.inputs.contains("package")));
    CHECK(nlohmann::json::parse(read_file(runner.place.folder / "gpulint.json")).is_array());
  }
}

TEST_CASE("the hooks of pre-commit") {
  const YAML::Node hooks = YAML::LoadFile(".pre-commit-hooks.yaml");
  REQUIRE(hooks.size() == 2);
  for (const YAML::Node& hook : hooks) {
    CHECK(hook["entry"].as<std::string>() == "gpulint lint");
    CHECK(hook["types_or"].as<std::vector<std::string>>() == std::vector<std::string>{"yaml", "json"});
    CHECK(hook["require_serial"].as<bool>());
  }
  CHECK(hooks[0]["language"].as<std::string>() == "python");
  CHECK(hooks[1]["language"].as<std::string>() == "system");
}

// CMake names every package that is missing; the texts that install them name the same.
TEST_CASE("what building needs is said alike everywhere") {
  const TemporaryFolder folder;
  Command configure{.words = {"cmake", "-S", ".", "-B", folder.path(), "-DGPULINT_TESTS=OFF", "-DGPULINT_WEBHOOK=OFF", "-DGPULINT_STATIC=ON"}};
  for (const char* library : {"PkgConfig", "fmt", "nlohmann_json", "CLI11"}) configure.words.push_back(fmt::format("-DCMAKE_DISABLE_FIND_PACKAGE_{}=ON", library));
  const Outcome outcome = run(configure);
  CHECK(outcome.status != 0);
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::set<std::string>{std::istream_iterator<std::string>(in), {}};
  };
  std::string message = outcome.err.substr(0, outcome.err.find("\n\n"));  // CMake breaks it into lines
  RE2::GlobalReplace(&message, R"(\s+)", " ");
  std::set<std::string> needed = words(packages_in(message));
  needed.insert("g++");
  for (const char* file : {"action.yml", ".gitlab/gpulint.yml", "pyproject.toml"}) {
    INFO(file);
    CHECK(words(packages_in(read_file(file))) == needed);
  }
}

}  // namespace gpulint::testing
