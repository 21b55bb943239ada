#include "lint/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "lint/commands.h"
#include "lint/completion.h"
#include "lint/config_command.h"
#include "lint/environment.h"
#include "lint/exit_status.h"
#include "lint/init_command.h"
#include "lint/lint_command.h"
#include "lint/manual_page.h"
#include "lint/output.h"
#include "lint/print.h"
#include "lint/rule_commands.h"
#include "lint/settings.h"
#include "lint/version.h"
#include "lint/visible_text.h"
#include "rules/engine/policy.h"

namespace gpulint {
namespace {

std::vector<std::string> names_of_commands(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

// The words as CLI11 takes them (last one first), with `lint` in front where no command stands there.
std::vector<std::string> words_to_parse(const CLI::App& program, std::span<char* const> given) {
  std::vector<std::string> words(given.begin(), given.end());
  static constexpr std::array<std::string_view, 3> kOptions{"--help", "-h", "--version"};
  const std::vector<std::string> commands = names_of_commands(program);
  const bool named = std::find(commands.begin(), commands.end(), words.front()) != commands.end() ||
                     std::find(kOptions.begin(), kOptions.end(), words.front()) != kOptions.end();
  if (!named) words.insert(words.begin(), "lint");
  std::reverse(words.begin(), words.end());
  return words;
}

// The command that was called, as far down as one was named: `show` of `config show`.
const CLI::App& used_command(const CLI::App& program) {
  const CLI::App* command = &program;
  for (auto used = command->get_subcommands(); !used.empty(); used = command->get_subcommands()) command = used.front();
  return *command;
}

int complain_of_usage(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = used_command(program);
  std::string message = error.what(), meant, name;
  for (const CLI::App* one = &command; one != &program; one = one->get_parent()) name = one->get_name() + " " + name;
  std::replace(message.begin(), message.end(), '\n', ' ');
  if (const std::vector<std::string> extra = program.remaining(true); !extra.empty()) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) options.push_back(option->get_name());
    const std::string option = extra.front().substr(0, extra.front().find('='));
    message = fmt::format("unexpected {}", extra.front());
    if (const auto close = did_you_mean(option, options)) meant = fmt::format(", did you mean {}?", *close);
  }
  complain(fmt::format("gpulint: {}{}", visible(message), meant));
  complain(fmt::format("`gpulint {}--help` lists the options.", name));
  return kExitTrouble;
}

int help_on(const CLI::App& program, const std::string& name) {
  if (name.empty()) return print(program.get_formatter()->make_help(&program, "gpulint", CLI::AppFormatMode::Normal));
  const std::vector<std::string> names = names_of_commands(program);
  if (std::find(names.begin(), names.end(), name) != names.end()) return print(program.get_subcommand(name)->help("gpulint"));
  complain(fmt::format("gpulint: there is no command {}; there are {}", visible(name), fmt::join(names, ", ")));
  return kExitTrouble;
}

// Options of `lint` from the environment; `config show` tells what they come to.
void take_lint_environment(CLI::App& program, LintOptions& lint) {
  lint.from_environment = take_environment(*program.get_subcommand("lint"), used_command(program));
  const auto contradict = [&](const char* one, const char* other) {
    throw CLI::ValidationError(fmt::format("{} and {} contradict each other", name_of_option(lint, one), name_of_option(lint, other)));
  };
  if (lint.no_config && !lint.config.empty()) contradict("--config", "--no-config");
  if (lint.no_ignore && !lint.write_baseline.empty()) contradict("--no-ignore", "--write-baseline");
}

int run_chosen(CLI::App& program, Chosen& chosen) {
  if (chosen.version || program.got_subcommand("version")) return print_version();
  if (program.got_subcommand("explain")) return explain(chosen.rule);
  if (program.got_subcommand("rules")) return list_rules(chosen.rules_format);
  if (program.got_subcommand("init")) return init_repository();
  if (program.got_subcommand("completion")) return print_completion(program, chosen.shell);
  if (program.got_subcommand("man")) return print_manual_page(program);
  if (program.got_subcommand("help")) return help_on(program, chosen.help_for);
  if (used_command(program).get_name() == "schema") return print_configuration_schema();
  take_lint_environment(program, chosen.lint);
  return program.got_subcommand("config") ? show_settings(chosen.lint, chosen.shown_file) : lint(chosen.lint);
}

}  // namespace

int run_command_line(std::span<char* const> given) {
  // A reader that goes away (`| head`) ends the report, not the judgement: the exit status stays that of the run.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App program("Finds GPU misconfigurations in Kubernetes manifests, Helm values and their kin.", "gpulint");
  Chosen chosen;
  add_commands(program, chosen);
  try {
    if (given.empty()) return help_on(program, "");
    program.parse(words_to_parse(program, given));
    return run_chosen(program, chosen);
  } catch (const CLI::CallForHelp&) {
    const auto used = program.get_subcommands();
    return help_on(program, used.empty() ? "" : used.front()->get_name());
  } catch (const CLI::ParseError& error) {
    return complain_of_usage(program, error);
  } catch (const std::bad_alloc&) {
    complain("gpulint: out of memory");
  } catch (const std::exception& error) {
    complain(fmt::format("gpulint: {}", visible(error.what())));
  }
  return kExitTrouble;
}

}  // namespace gpulint
