// Documentation says what the program does: the catalogue is generated, every rule is explained, and the commands and
// snippets of README.md are ones that exist.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "rules/engine/documentation.h"
#include "rules/engine/engine.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"

namespace gpulint {
namespace {

TEST_CASE("the catalogue is what the rules say") {
  testing::check_golden("rules/checks/README.md", catalogue_markdown());
}

bool is_sentence(std::string_view text) { return text.size() > 10 && text.ends_with('.'); }

// Texts are wrapped for a terminal.
std::string unwrapped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
    else if (!out.ends_with(' ')) out += ' ';
  return out;
}

TEST_CASE("every rule is explained") {
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    CHECK_MESSAGE(rule->summary.ends_with('.'), rule->summary);
    CHECK_MESSAGE(rule->summary.find('\n') == std::string_view::npos, "a summary is one sentence in one line");
    CHECK_MESSAGE(is_sentence(rule->rationale), rule->rationale);
    CHECK_MESSAGE(is_sentence(rule->remediation), rule->remediation);
    if (rule->group != Group::input) CHECK_MESSAGE(!rule->sources.empty(), "a rule names where its facts come from");
    for (const Parameter& parameter : rule->parameters) CHECK_MESSAGE(is_sentence(parameter.description), parameter.name);
    for (const std::string_view text : {rule->summary, rule->rationale, rule->remediation, rule->details})
      CHECK_MESSAGE(text.find("https://") == std::string_view::npos, "addresses belong to the sources");
  }
}

TEST_CASE("every rule shows a bad and a good sample") {
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    const Samples samples = samples_of(*rule);
    CHECK_FALSE(samples.bad.empty());
    CHECK_FALSE(samples.good.empty());
    CHECK(samples.bad != samples.good);
    const std::string text = unwrapped(explain_text(*rule));
    for (const std::string_view part : {rule->id, rule->summary, rule->rationale, rule->remediation})
      CHECK_MESSAGE(text.find(unwrapped(part)) != std::string::npos, "explain does not say: ", part);
  }
}

struct Block {
  std::string language, text;
};

std::vector<Block> blocks_of(const std::string& markdown) {
  std::vector<Block> blocks;
  std::istringstream lines(markdown);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), {}});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  CHECK_FALSE_MESSAGE(inside, "a code block is not closed");
  return blocks;
}

bool is_documentation(const std::filesystem::path& path) {
  const std::string name = path.generic_string();
  return path.extension() == ".md" && !name.starts_with("./build") && !name.starts_with("./.") && !name.starts_with("./testdata/rules/");
}

std::vector<std::string> documentation() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("."))
    if (is_documentation(entry.path())) files.push_back(entry.path().string());
  return files;
}

// The simple commands of a shell text: lines joined at `\`, cut at `&&`, `||`, `;` and `|`, without comments, braces and prompts.
std::vector<std::vector<std::string>> commands_of(std::string text) {
  for (std::size_t at; (at = text.find("\\\n")) != std::string::npos;) text.replace(at, 2, " ");
  std::vector<std::vector<std::string>> commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    commands.emplace_back();
    for (std::string word; words >> word && word[0] != '#';) {
      const bool ends = word == "&&" || word == "||" || word == "|" || word.ends_with(';');
      if (ends && word.ends_with(';')) word.pop_back();
      if (!word.empty() && word.find_first_not_of("&|${}") != std::string::npos) commands.back().push_back(word);
      if (ends) commands.emplace_back();
    }
  }
  std::erase_if(commands, [](const auto& words) { return words.empty(); });
  return commands;
}

std::string help_of(const std::string& program, const std::string& subcommand) {
  testing::Command command{.words = {std::string(GPULINT_BINARY_DIR) + "/" + program}};
  if (!subcommand.empty()) command.words.push_back(subcommand);
  command.words.push_back("--help");
  return testing::run(command).out;
}

// Options that a command line of gpulint or gpulint-webhook uses are in its help.
void check_options(const std::vector<std::string>& words) {
  const std::string program = std::filesystem::path(words[0]).filename().string();
  if (program != "gpulint" && program != "gpulint-webhook") return;
  const std::string all = help_of(program, "");
  std::string subcommand;
  if (program == "gpulint" && words.size() > 1 && words[1][0] != '-' && all.find("\n  " + words[1]) != std::string::npos) subcommand = words[1];
  if (program == "gpulint" && subcommand.empty()) subcommand = "lint";
  const std::string help = help_of(program, subcommand) + all;
  for (const std::string& word : words) {
    if (!word.starts_with("--")) continue;
    const std::string option = word.substr(0, word.find('='));
    CHECK_MESSAGE(help.find(option) != std::string::npos, fmt::format("{}: {} is not in the help", fmt::join(words, " "), option));
  }
}

// Words that look like files of this repository.
void check_paths(const std::vector<std::string>& words) {
  static const std::array<std::string_view, 4> folders{"tests/", "testdata/", "charts/", "rules/"};
  for (const std::string& word : words)
    for (const std::string_view folder : folders)
      if (word.starts_with(folder)) CHECK_MESSAGE(std::filesystem::exists(word), fmt::format("{}: no such file", word));
}

TEST_CASE("commands in the documentation exist") {
  for (const std::string& file : documentation()) {
    CAPTURE(file);
    for (const Block& block : blocks_of(testing::read_file(file))) {
      if (block.language != "sh" && block.language != "bash" && block.language != "console") continue;
      for (const std::vector<std::string>& words : commands_of(block.text)) {
        check_options(words);
        check_paths(words);
      }
    }
  }
}

TEST_CASE("links between the pages lead somewhere") {
  for (const std::string& file : documentation()) {
    if (file == "./rules/checks/README.md") continue;
    const std::string text = testing::read_file(file);
    for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos; at += 2) {
      const std::string target = text.substr(at + 2, text.find_first_of(")#", at + 2) - at - 2);
      if (target.empty() || target.find("://") != std::string::npos) continue;
      CHECK_MESSAGE(std::filesystem::exists(std::filesystem::path(file).parent_path() / target), file, ": ", target);
    }
  }
}

// A YAML block is read by somebody who copies it: a configuration must be one that gpulint accepts, a manifest must be readable.
TEST_CASE("YAML in the documentation is right") {
  static const std::set<std::string> configuration{"cluster", "fail-on", "rules", "ignore", "accelerators", "webhook"};
  for (const std::string& file : documentation()) {
    if (file == "./rules/checks/README.md") continue;  // its samples are files of testdata
    for (const Block& block : blocks_of(testing::read_file(file))) {
      if (block.language != "yaml") continue;
      CAPTURE(file);
      CAPTURE(block.text);
      const Source source(file, block.text);
      const Documents documents = read_yaml(source, {});
      for (const Document& document : documents.list) CHECK_MESSAGE(document.state != DocumentState::invalid, document.problem);
      const Node* root = documents.list.empty() ? nullptr : documents.list[0].root;
      if (!root || !root->first || !configuration.contains(std::string(root->first->key)) || root->find("jobs")) continue;
      Policy policy;
      for (const PolicyProblem& problem : read_policy(source, policy)) FAIL_CHECK(problem.message);
    }
  }
}

TEST_CASE("the first two commands of README.md are one line each, and the second is what CI runs") {
  std::vector<std::string> commands;
  for (const Block& block : blocks_of(testing::read_file("README.md")))
    if (block.language == "sh") commands.push_back(block.text);
  REQUIRE(commands.size() >= 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK_MESSAGE(std::count(commands[i].begin(), commands[i].end(), '\n') == 1, commands[i]);
  CHECK_MESSAGE(testing::read_file(".ci/run").find("\n" + commands[1]) != std::string::npos, ".ci/run does not call: ", commands[1]);
}

}  // namespace
}  // namespace gpulint
