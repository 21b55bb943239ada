// Completions, asked of the shells themselves: each row is a line as far as it is typed, and what the shell offers there.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "tests/support/gpulint_program.h"

namespace gpulint::testing {
namespace {

struct Row {
  std::vector<std::string> words;      ///< the last one is being typed
  std::vector<std::string> offered;    ///< among others, unless `all`
  std::vector<std::string> not_offered = {};
  bool all = false;
};

const std::string kFiles = "some.yaml";  ///< stands in the folder

const std::vector<Row> kRows = {
    {{""}, {"lint", "config", "explain", "completion", "man", "version"}, {"--fail-on", "schema"}},
    {{"com"}, {"completion"}, {}, true},
    {{"some"}, {kFiles}},
    {{"lint", ""}, {kFiles}, {"rules"}},
    {{"lint", "--fail-on", ""}, {"error", "info", "warning"}, {}, true},
    {{"lint", "--fail-on", "w"}, {"warning"}, {}, true},
    {{"lint", "--sh"}, {"--show"}, {}, true},
    {{"lint", "--output", "com"}, {"compact"}, {}, true},
    {{"lint", "--cluster", "gk"}, {"gke", "gke-autopilot"}, {}, true},
    {{"lint", "--config", "some"}, {kFiles}},
    {{"lint", "--threads", "some"}, {}, {}, true},
    // lint is assumed where no command is named.
    {{"--fail-on", "e"}, {"error"}, {}, true},
    {{"some.yaml", "--fail-on", "e"}, {"error"}, {}, true},
    {{"some.yaml", "--no-con"}, {"--no-config"}, {}, true},
    {{"--vers"}, {"--version"}, {}, true},
    {{"explain", "rollout-d"}, {"rollout-deadlock"}, {}, true},
    {{"explain", "some.y"}, {}, {}, true},
    {{"rules", "--output", ""}, {"json", "markdown", "table"}, {}, true},
    {{"rules", "some"}, {}, {}, true},
    {{"config", ""}, {"schema", "show"}, {}, true},
    {{"config", "show", "--cl"}, {"--cluster"}, {}, true},
    {{"config", "show", "some"}, {kFiles}},
    {{"completion", ""}, {"bash", "fish", "zsh"}, {}, true},
    {{"help", "ru"}, {"rules"}, {}, true},
};

std::string line_of(const Row& row) { return fmt::format("gpulint {}", fmt::join(row.words, " ")); }

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// False, and said so, where the shell is not installed. GPULINT_REQUIRE_SHELLS=1 makes that a failure.
bool has(const std::string& shell) {
  if (run({.words = {shell, "-c", "true"}}).status == 0) return true;
  const bool required = std::getenv("GPULINT_REQUIRE_SHELLS") != nullptr;
  CHECK_MESSAGE(!required, shell, " is not installed");
  MESSAGE("skipped: no ", shell);
  return false;
}

// Runs tests/completion/complete.<shell> for every row in a folder with one file.
void check_shell(const std::string& shell, const std::vector<std::string>& options, bool takes_words) {
  if (!has(shell)) return;
  const TemporaryFolder folder;
  write_file(folder / kFiles, kGood);
  const TemporaryFolder scripts;
  const std::string script = scripts / "script", harness = std::filesystem::absolute("tests/completion/complete." + shell);
  const Outcome made = program({"completion", shell});
  REQUIRE(made.status == 0);
  write_file(script, made.out);
  for (const Row& row : kRows) {
    Command command{.words = {shell}, .directory = folder.path()};
    command.words.insert(command.words.end(), options.begin(), options.end());
    command.words.insert(command.words.end(), {harness, script});
    if (takes_words) {
      command.words.push_back("gpulint");
      command.words.insert(command.words.end(), row.words.begin(), row.words.end());
    } else {
      command.words.push_back(line_of(row));
    }
    const Outcome outcome = run(command);
    INFO(shell, ": ", line_of(row), "\noffers ", outcome.out, outcome.err);
    CHECK(outcome.err == "");
    const std::vector<std::string> offered = lines_of(outcome.out);
    for (const std::string& word : row.offered) CHECK_MESSAGE(std::count(offered.begin(), offered.end(), word) == 1, word);
    for (const std::string& word : row.not_offered) CHECK_MESSAGE(std::count(offered.begin(), offered.end(), word) == 0, word);
    if (row.all) CHECK(offered == row.offered);
  }
}

}  // namespace

TEST_CASE("bash completes") { check_shell("bash", {"--norc"}, true); }
TEST_CASE("zsh completes") { check_shell("zsh", {"-f"}, false); }
TEST_CASE("fish completes") { check_shell("fish", {"--no-config"}, false); }

TEST_CASE("bash: a value behind = is completed, as bash cuts that line into words") {
  const TemporaryFolder folder;
  write_file(folder / "script", program({"completion", "bash"}).out);
  const Outcome outcome = run({.words = {"bash", "--norc", "tests/completion/complete.bash", folder / "script", "gpulint", "lint", "--fail-on", "=", "w"}});
  CHECK(outcome.out == "warning\n");
}

TEST_CASE("a shell that is not known is wrong usage") {
  const Outcome outcome = program({"completion", "tcsh"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("tcsh is none of bash, zsh, fish") != std::string::npos);
}

}  // namespace gpulint::testing
