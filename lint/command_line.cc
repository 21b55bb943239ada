#include "lint/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "lint/exit_status.h"
#include "lint/lint_command.h"
#include "lint/output.h"
#include "lint/print.h"
#include "lint/rule_commands.h"
#include "lint/visible_text.h"
#include "rules/engine/policy.h"

namespace gpulint {
namespace {

constexpr unsigned kMaxThreads = 256;

struct Chosen {
  LintOptions lint;
  std::string rule, rules_format = "table", help_for;
  bool version = false, no_config = false;
};

CLI::Validator one_of(std::vector<std::string> values) {
  return {[values = std::move(values)](const std::string& value) {
            const bool known = std::find(values.begin(), values.end(), value) != values.end();
            return known ? std::string() : fmt::format("{} is none of {}", value, fmt::join(values, ", "));
          },
          ""};
}

void add_lint(CLI::App& program, Chosen& chosen) {
  LintOptions& lint = chosen.lint;
  CLI::App& app = *program.add_subcommand("lint", "Judge manifests; assumed when no command is named");
  app.add_option("PATH", lint.paths, "Files, folders, or - for standard input; none: the working directory")->type_name("");
  app.add_option("--cluster", lint.cluster, "What the manifests go to: a preset with add-ons and taints, as gke+dra or generic+taint:sku=gpu:NoSchedule")
      ->type_name("NAME");
  app.add_option("--config", lint.config, "Read this configuration")->type_name("FILE");
  app.add_flag("--no-config", chosen.no_config, "Read no configuration");
  app.add_option("--output", lint.outputs, "text (default), compact or json; FORMAT=FILE writes to a file; may be repeated")
      ->type_name("FORMAT[=FILE]")->expected(1)->take_all()->allow_extra_args(false);
  app.add_option("--show", lint.show, "List what is only counted otherwise: info or suppressed; may be repeated")
      ->type_name("WHAT")->expected(1)->take_all()->allow_extra_args(false)->delimiter(',')
      ->check(one_of({"info", "suppressed"}));
  app.add_option("--fail-on", lint.fail_on, "Exit with 1 from this severity on: error (default), warning or info")
      ->type_name("SEVERITY")->check(one_of({"error", "warning", "info"}));
  app.add_option("--color", lint.colour, "auto (default: on a terminal, without NO_COLOR), always or never")
      ->type_name("WHEN")->check(one_of({"auto", "always", "never"}));
  app.add_option("--threads", lint.threads, "Read with so many threads; as many as processors by default")
      ->type_name("N")->check(CLI::Range(1u, kMaxThreads).description(""));
  app.add_flag("--no-ignore", lint.no_ignore, "Judge also what annotations and configuration suppress");
  app.add_flag("--quiet", lint.quiet, "No summary");
  app.add_flag("--explain-cluster", lint.explain_cluster, "Tell on standard error what each object shows of its cluster, and by what");
  app.add_flag("--profile-rules", lint.profile_rules, "Tell on standard error how long reading and each rule took");
  app.add_flag("--strict-input", lint.strict_input, "Exit with 2 when anything was not judged");
  app.footer("Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage, unreadable input or broken configuration.");
}

void add_others(CLI::App& program, Chosen& chosen) {
  CLI::App& explain = *program.add_subcommand("explain", "Say why a rule is one, with samples and the fix");
  explain.add_option("RULE", chosen.rule, "The rule's id")->type_name("")->required();
  CLI::App& rules = *program.add_subcommand("rules", "List all rules");
  rules.add_option("--output", chosen.rules_format, "table (default), json or markdown")
      ->type_name("FORMAT")->check(one_of({"table", "json", "markdown"}));
  program.add_subcommand("version", "Print the version");
  CLI::App& help = *program.add_subcommand("help", "Describe a command and its options");
  help.add_option("COMMAND", chosen.help_for, "One of these commands")->type_name("");
}

void set_up(CLI::App& program, Chosen& chosen) {
  program.get_formatter()->column_width(32);
  program.require_subcommand(0, 1);  // so that `gpulint lint rules` reads the folder `rules`
  program.add_flag("--version", chosen.version, "Print the version");
  add_lint(program, chosen);
  add_others(program, chosen);
  program.footer("`gpulint PATH` is `gpulint lint PATH`; `gpulint help COMMAND` lists a command's options.");
}

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

int complain_of_usage(const CLI::App& program, const CLI::ParseError& error) {
  const auto used = program.get_subcommands();
  const CLI::App& command = used.empty() ? program : *used.front();
  std::string message = error.what(), meant;
  std::replace(message.begin(), message.end(), '\n', ' ');
  if (const std::vector<std::string> extra = program.remaining(true); !extra.empty()) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) options.push_back(option->get_name());
    const std::string option = extra.front().substr(0, extra.front().find('='));
    message = fmt::format("unexpected {}", extra.front());
    if (const auto close = did_you_mean(option, options)) meant = fmt::format(", did you mean {}?", *close);
  }
  complain(fmt::format("gpulint: {}{}", visible(message), meant));
  complain(fmt::format("`gpulint {}--help` lists the options.", used.empty() ? "" : command.get_name() + " "));
  return kExitTrouble;
}

int help_on(const CLI::App& program, const std::string& name) {
  if (name.empty()) return print(program.get_formatter()->make_help(&program, "gpulint", CLI::AppFormatMode::Normal));
  const std::vector<std::string> names = names_of_commands(program);
  if (std::find(names.begin(), names.end(), name) != names.end()) return print(program.get_subcommand(name)->help("gpulint"));
  complain(fmt::format("gpulint: there is no command {}; there are {}", visible(name), fmt::join(names, ", ")));
  return kExitTrouble;
}

int run_chosen(const CLI::App& program, const Chosen& chosen) {
  if (chosen.version || program.got_subcommand("version")) return print_version();
  if (program.got_subcommand("explain")) return explain(chosen.rule);
  if (program.got_subcommand("rules")) return list_rules(chosen.rules_format);
  if (program.got_subcommand("help")) return help_on(program, chosen.help_for);
  if (chosen.no_config && !chosen.lint.config.empty()) throw CLI::ValidationError("--config and --no-config contradict each other");
  return lint(chosen.lint);
}

}  // namespace

int run_command_line(std::span<char* const> given) {
  // A reader that goes away (`| head`) ends the report, not the judgement: the exit status stays that of the run.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App program("Finds GPU misconfigurations in Kubernetes manifests, Helm values and their kin.", "gpulint");
  Chosen chosen;
  set_up(program, chosen);
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
