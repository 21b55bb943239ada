// The configuration as the program `gpulint` finds and applies it: discovery, environment, overrides, `config`, suppression and baselines.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rules/engine/configuration_schema.h"
#include "rules/engine/policy.h"
#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;
using nlohmann::json;
using Environment = std::map<std::string, std::string>;

namespace {

namespace fs = std::filesystem;

/// A repository with a configuration at its root, and a folder without one around it.
struct Repository {
  Repository() {
    write_file(folder / "outside.yaml", kBad);
    fs::create_directories(folder / "repo/.git");
    write_file(folder / "repo/bad.yaml", kBad);
    write_file(folder / "repo/a/b/bad.yaml", kBad);
    write_file(folder / "repo/a/good.yaml", kGood);
  }
  void configure(const std::string& text, const std::string& where = "repo/.gpulint.yaml") const { write_file(folder / where, text); }
  Outcome run(std::vector<std::string> words, const std::string& where = "repo", Environment environment = {}) const {
    return program(std::move(words), {.environment = std::move(environment), .directory = folder / where});
  }
  TemporaryFolder folder;
};

void check_part(const std::string& part, const std::string& text) {
  if (part.empty()) CHECK(text == "");
  else CHECK_MESSAGE(text.find(part) != std::string::npos, "expected a part \"", part, "\" in \"", text, "\"");
}

const std::string kOff = "rules: {gpu-request-without-limit: off}\n";

}  // namespace

TEST_CASE("the configuration is found upward, within the repository") {
  struct Row {
    std::string what, file, working;
    int status;
  };
  const Row rows[] = {
      {"beside the manifests", "repo/.gpulint.yaml", "repo", 0},
      {"above them", "repo/.gpulint.yaml", "repo/a/b", 0},
      {"in between", "repo/a/.gpulint.yaml", "repo/a/b", 0},
      {"below: not for what is above", "repo/a/.gpulint.yaml", "repo", 1},
      {"outside of the repository", ".gpulint.yaml", "repo/a/b", 1},
      {"without a repository", ".gpulint.yaml", "", 0},
      {"misnamed", "repo/.gpulint.yml", "repo", 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const Repository repository;
    repository.configure(kOff, row.file);
    const Outcome outcome = repository.run({"lint", row.working.empty() ? "outside.yaml" : "bad.yaml"}, row.working);
    CHECK(outcome.status == row.status);
    CHECK(outcome.err == (row.what == "misnamed" ? "gpulint: .gpulint.yml is not read; the configuration is named .gpulint.yaml\n" : ""));
  }
}

TEST_CASE("a worktree or submodule ends the search too, and the nearest file counts") {
  const Repository repository;
  repository.configure(kOff);
  write_file(repository.folder / "repo/a/.git", "gitdir: elsewhere\n");
  CHECK(repository.run({"bad.yaml"}, "repo/a/b").status == 1);
  fs::remove(repository.folder / "repo/a/.git");
  CHECK(repository.run({"bad.yaml"}, "repo/a/b").status == 0);
  repository.configure("fail-on: warning\n", "repo/a/.gpulint.yaml");
  CHECK(repository.run({"bad.yaml"}, "repo/a/b").status == 1);
}

TEST_CASE("what is wrong with it stops the run, located from the working directory") {
  const Repository repository;
  repository.configure("fail_on: error\n");
  Outcome outcome = repository.run({"bad.yaml"}, "repo/a/b");
  CHECK(outcome.status == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err == "../../.gpulint.yaml:1:1: error: unknown key \"fail_on\" in the configuration; did you mean \"fail-on\"? [invalid-manifest]\n");
  outcome = repository.run({"bad.yaml", "--no-config"}, "repo/a/b");
  CHECK(outcome.status == 1);
  fs::remove(repository.folder / "repo/.gpulint.yaml");
  fs::create_directory(repository.folder / "repo/.gpulint.yaml");
  CHECK(repository.run({"bad.yaml"}).err == "gpulint: cannot read the configuration .gpulint.yaml: Is a directory\n");
}

TEST_CASE("options, environment and configuration: which one wins") {
  struct Row {
    std::vector<std::string> options;
    Environment environment;
    int status;
    std::string out, err;
  };
  const std::string off = ".gpulint.yaml", other = "other.yaml", nothing = "Found 0 errors";
  const Row rows[] = {
      {{}, {}, 0, nothing, ""},
      {{"--no-config"}, {}, 1, "Found 1 error", ""},
      {{}, {{"GPULINT_NO_CONFIG", "1"}}, 1, "Found 1 error", ""},
      {{}, {{"GPULINT_NO_CONFIG", "false"}}, 0, nothing, ""},
      {{}, {{"GPULINT_NO_CONFIG", ""}}, 0, nothing, ""},
      {{"--config", off}, {{"GPULINT_NO_CONFIG", "1"}}, 0, nothing, ""},
      {{"--no-config"}, {{"GPULINT_CONFIG", off}}, 1, "Found 1 error", ""},
      {{}, {{"GPULINT_CONFIG", other}}, 1, "Found 1 error", ""},
      {{"--config", off}, {{"GPULINT_CONFIG", other}}, 0, nothing, ""},
      {{}, {{"GPULINT_FAIL_ON", "info"}}, 1, nothing, ""},
      {{"--fail-on", "error"}, {{"GPULINT_FAIL_ON", "info"}}, 0, nothing, ""},
      {{}, {{"GPULINT_OUTPUT", "compact,json=report.json"}, {"GPULINT_SHOW", "info"}}, 0, "info: ", ""},
      {{}, {{"GPULINT_QUIET", "true"}}, 0, "", ""},
      {{}, {{"GPULINT_FAIL_ON", "never"}}, 2, "", "gpulint: GPULINT_FAIL_ON: never is none of error, warning, info\n`gpulint lint --help`"},
      {{}, {{"GPULINT_THREADS", "many"}}, 2, "", "gpulint: GPULINT_THREADS: Value many not in range 1 to 256\n"},
      {{}, {{"GPULINT_QUIET", "perhaps"}}, 2, "", "gpulint: GPULINT_QUIET: "},
      {{}, {{"GPULINT_CLUSTER", "gk"}}, 2, "", "gpulint: GPULINT_CLUSTER gk: unknown cluster \"gk\"; did you mean \"gke\"?\n"},
      {{}, {{"GPULINT_CONFIG", "none"}}, 2, "", "gpulint: cannot read the configuration none (GPULINT_CONFIG): No such file or directory\n"},
      {{}, {{"GPULINT_CONFIG", "a"}, {"GPULINT_NO_CONFIG", "1"}}, 2, "", "gpulint: GPULINT_CONFIG and GPULINT_NO_CONFIG contradict each other\n"},
      {{"--config", "a", "--no-config"}, {}, 2, "", "gpulint: --config and --no-config contradict each other\n"},
      {{"--no-ignore", "--write-baseline", "b"}, {}, 2, "", "gpulint: --no-ignore and --write-baseline contradict each other\n"},
  };
  const Repository repository;
  repository.configure(kOff);
  repository.configure("fail-on: error\n", "repo/other.yaml");
  for (const Row& row : rows) {
    std::vector<std::string> words{"lint", "bad.yaml"};
    words.insert(words.end(), row.options.begin(), row.options.end());
    std::string given;
    for (const auto& [name, value] : row.environment) given += name + "=" + value + " ";
    INFO(given, "gpulint ", fmt::format("{}", fmt::join(words, " ")));
    const Outcome outcome = repository.run(words, "repo", row.environment);
    CHECK(outcome.status == row.status);
    check_part(row.out, outcome.out);
    check_part(row.err, outcome.err);
  }
}

TEST_CASE("a broken environment is no obstacle to help") {
  for (const char* word : {"--help", "version", "rules"}) CHECK(program({word}, {.environment = {{"GPULINT_FAIL_ON", "never"}}}).status == 0);
  CHECK(program({"config", "schema"}, {.environment = {{"GPULINT_FAIL_ON", "never"}}}).status == 0);
}

TEST_CASE("overrides and ignored paths hold from any working directory") {
  const Repository repository;
  repository.configure("overrides: [{paths: a/b, rules: {gpu-request-without-limit: off}}]\n"
                       "ignore: [{rule: gpu-request-without-limit, paths: [/bad.yaml], reason: why}]\n");
  struct Row {
    std::string working, path;
    int status;
  };
  const Row rows[] = {{"repo", "a/b", 0}, {"repo", ".", 0}, {"repo/a", "b/bad.yaml", 0}, {"repo/a/b", "bad.yaml", 0}, {"repo/a/b", "../../bad.yaml", 0},
                      {"repo/a", repository.folder / "repo/a/b/bad.yaml", 0}, {"repo", "../outside.yaml", 1}};
  for (const Row& row : rows) {
    CAPTURE(row.working);
    CAPTURE(row.path);
    CHECK(repository.run({row.path}, row.working).status == row.status);
  }
}

TEST_CASE("--cluster wins over the configuration and its overrides; declared taints go on holding") {
  const Repository repository;
  repository.configure("overrides: [{paths: a, cluster: {preset: gke, taints: [{key: sku, value: gpu, effect: NoSchedule}]}}]\n");
  const auto rules = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"a/b/bad.yaml", "--output", "json"});
    std::string found;
    const json report = json::parse(repository.run(words).out);
    for (const json& finding : report["findings"])
      if (finding["rule"] == "missing-runtime-class" || finding["rule"] == "missing-gpu-toleration") found += finding["rule"].get<std::string>() + " ";
    return found;
  };
  CHECK(rules({}) == "missing-gpu-toleration ");
  CHECK(rules({"--cluster", "k3s"}) == "missing-gpu-toleration missing-runtime-class ");
}

TEST_CASE("config schema prints what editors take") {
  const Outcome outcome = program({"config", "schema"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == gpulint::configuration_schema());
}

TEST_CASE("config show: every setting in effect, with its origin") {
  const Repository repository;
  repository.configure(read_file("testdata/config/full.yaml"));
  struct Row {
    std::string golden;
    std::vector<std::string> words;
    std::string working;
    Environment environment = {};
  };
  const Row rows[] = {
      {"show_defaults", {"--no-config"}, "repo"},
      {"show_all", {}, "repo"},
      {"show_file", {"clusters/aks/a.yaml"}, "repo"},
      {"show_file_below", {"edge/b.yaml", "--cluster", "eks"}, "repo/a", {{"GPULINT_FAIL_ON", "info"}, {"GPULINT_NO_IGNORE", "yes"}}},
      {"show_excluded", {"../vendor/x.yaml"}, "repo/a", {{"GPULINT_BASELINE", "b.json"}, {"GPULINT_EXCLUDE", "y.yaml"}, {"GPULINT_RENDER", "never"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.golden);
    std::vector<std::string> words{"config", "show"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Outcome outcome = repository.run(words, row.working, row.environment);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    check_golden("testdata/cli/" + row.golden + ".txt", outcome.out);
  }
}

/// Without the comments that tell origins.
std::string settings_alone(const std::string& text) {
  std::string alone;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    alone += line.substr(0, line.find("  # ")) + "\n";
    begin = end + 1;
  }
  return alone;
}

TEST_CASE("what config show prints is a configuration that means the same") {
  const Repository repository;
  repository.configure(read_file("testdata/config/full.yaml"));
  const std::string shown = repository.run({"config", "show"}).out;
  repository.configure(shown);
  CHECK(settings_alone(repository.run({"config", "show"}).out) == settings_alone(shown));
}

TEST_CASE("config without a word, or with a wrong one") {
  const Repository repository;
  struct Row {
    std::vector<std::string> words;
    std::string err;
  };
  const Row rows[] = {
      {{"config"}, "gpulint: A subcommand is required\n`gpulint config --help` lists the options.\n"},
      {{"config", "show", "--clust", "x"}, "gpulint: unexpected --clust, did you mean --cluster?\n`gpulint config show --help` lists the options.\n"},
      {{"config", "show", "--config", "none.yaml"}, "gpulint: cannot read the configuration none.yaml: No such file or directory\n"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = repository.run(row.words);
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err == row.err);
  }
}
