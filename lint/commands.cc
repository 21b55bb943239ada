#include "lint/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gpulint {
namespace {

constexpr unsigned kMaxThreads = 256;
constexpr std::size_t kMostListed = 1'000'000;

// The validator's name holds the values, for choices_of.
CLI::Validator one_of(std::vector<std::string> values) {
  std::string name = fmt::format("{}", fmt::join(values, " "));
  const auto check = [values = std::move(values)](const std::string& value) {
    const bool known = std::find(values.begin(), values.end(), value) != values.end();
    return known ? std::string() : fmt::format("{} is none of {}", value, fmt::join(values, ", "));
  };
  return CLI::Validator(check, "").name(std::move(name));
}

CLI::Option* add_repeatable(CLI::App& app, const char* name, std::vector<std::string>& values, const char* description) {
  return app.add_option(name, values, description)->expected(1)->take_all()->allow_extra_args(false);
}

// Which manifests, and how they become readable.
void add_input_options(CLI::App& app, LintOptions& lint) {
  app.add_option("PATH", lint.paths, "Files, folders, or - for standard input; none: the working directory")->type_name("");
  add_repeatable(app, "--exclude", lint.exclude, "Pass over files and folders that match; may be repeated")->type_name("GLOB");
  app.add_option("--stdin-filename", lint.stdin_filename, "The name standard input goes by, for reports and for settings by path")->type_name("FILE");
  app.add_option("--render", lint.render, "Charts and kustomizations: auto (default: with helm, kustomize or kubectl where installed) or never")
      ->type_name("WHEN")->check(one_of({"auto", "never"}));
  add_repeatable(app, "--values", lint.values, "Values file for every chart rendered; may be repeated")->type_name("FILE");
  app.add_flag("--strict-input", lint.strict_input, "Exit with 2 when anything was not judged");
  app.add_option("--threads", lint.threads, "Read with so many threads; as many as processors by default")
      ->type_name("N")->check(CLI::Range(1u, kMaxThreads).description(""));
}

// What counts as a finding.
void add_judging_options(CLI::App& app, LintOptions& lint) {
  app.add_option("--cluster", lint.cluster, "What the manifests go to: a preset with add-ons and taints, as gke+dra or generic+taint:sku=gpu:NoSchedule")
      ->type_name("NAME");
  app.add_option("--config", lint.config, "Read this configuration; by default the .gpulint.yaml found upward from the working directory")->type_name("FILE");
  app.add_flag("--no-config", lint.no_config, "Read no configuration");
  app.add_option("--baseline", lint.baseline, "Set aside the findings listed in this file")->type_name("FILE");
  app.add_option("--write-baseline", lint.write_baseline, "Write the findings of this run there, to be set aside from now on")->type_name("FILE");
  app.add_flag("--no-ignore", lint.no_ignore, "Judge also what annotations, configuration and baseline suppress");
  app.add_option("--fail-on", lint.fail_on, "Exit with 1 from this severity on: error (default), warning or info")
      ->type_name("SEVERITY")->check(one_of({"error", "warning", "info"}));
}

// What is told, where and how.
void add_report_options(CLI::App& app, LintOptions& lint) {
  add_repeatable(app, "--output", lint.outputs,
                 "text (default), compact, json, sarif, junit, github, gitlab or checkstyle; FORMAT=FILE writes to a file; may be repeated")
      ->type_name("FORMAT[=FILE]");
  add_repeatable(app, "--show", lint.show, "List what is only counted otherwise: info, suppressed or skipped; may be repeated")
      ->type_name("WHAT")->delimiter(',')->check(one_of({"info", "suppressed", "skipped"}));
  app.add_option("--max-findings", lint.max_findings, "List so many findings at most; all are counted (text and compact)")
      ->type_name("N")->check(CLI::Range(std::size_t{1}, kMostListed).description(""));
  app.add_flag("--statistics", lint.statistics, "Count the findings of each rule instead of listing them (text)");
  app.add_option("--color", lint.colour, "auto (default: on a terminal, without NO_COLOR), always or never")
      ->type_name("WHEN")->check(one_of({"auto", "always", "never"}));
  app.add_flag("--quiet", lint.quiet, "No summary and no progress");
  app.add_flag("--explain-cluster", lint.explain_cluster, "Tell on standard error what each object shows of its cluster, and by what");
  app.add_flag("--profile-rules", lint.profile_rules, "Tell on standard error how long reading and each rule took");
}

void add_lint(CLI::App& program, LintOptions& lint) {
  CLI::App& app = *program.add_subcommand("lint", "Judge manifests; assumed when no command is named");
  add_input_options(app, lint);
  add_judging_options(app, lint);
  add_report_options(app, lint);
  app.footer("Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage, unreadable input or broken configuration.\n"
             "Every option has a variable in the environment, as GPULINT_FAIL_ON=warning for --fail-on; several values are separated by commas. The option "
             "wins, and both win over the configuration with its overrides.");
}

void add_config(CLI::App& program, Chosen& chosen) {
  CLI::App& config = *program.add_subcommand("config", "Print the configuration's schema, or the settings in effect");
  config.require_subcommand(1);
  config.add_subcommand("schema", "Print the JSON Schema of .gpulint.yaml, for editors");
  CLI::App& show = *config.add_subcommand("show", "Print the settings in effect for a file, each with its origin");
  show.add_option("FILE", chosen.shown_file, "The manifest; none: the settings for all files, with the overrides listed")->type_name("");
  show.add_option("--cluster", chosen.lint.cluster, "As with lint")->type_name("NAME");
  show.add_option("--config", chosen.lint.config, "As with lint")->type_name("FILE");
  show.add_flag("--no-config", chosen.lint.no_config, "As with lint");
}

void add_others(CLI::App& program, Chosen& chosen) {
  CLI::App& explain = *program.add_subcommand("explain", "Say why a rule is one, with samples and the fix");
  explain.add_option("RULE", chosen.rule, "The rule's id")->type_name("")->required();
  CLI::App& rules = *program.add_subcommand("rules", "List all rules");
  rules.add_option("--output", chosen.rules_format, "table (default), json or markdown")
      ->type_name("FORMAT")->check(one_of({"table", "json", "markdown"}));
  program.add_subcommand("init", "Write a configuration, a pre-commit entry and a CI job for this repository; overwrites nothing");
  CLI::App& completion = *program.add_subcommand("completion", "Print the completions for a shell");
  completion.add_option("SHELL", chosen.shell, "bash, zsh or fish")->type_name("")->required()->check(one_of({"bash", "zsh", "fish"}));
  program.add_subcommand("man", "Print the manual page");
  program.add_subcommand("version", "Print the version");
  CLI::App& help = *program.add_subcommand("help", "Describe a command and its options");
  help.add_option("COMMAND", chosen.help_for, "One of these commands")->type_name("");
}

}  // namespace

std::string choices_of(CLI::Option& option) {
  try {
    return option.get_validator()->get_name();
  } catch (const CLI::OptionNotFound&) {
    return "";
  }
}

void add_commands(CLI::App& program, Chosen& chosen) {
  program.get_formatter()->column_width(32);
  program.require_subcommand(0, 1);  // so that `gpulint lint rules` reads the folder `rules`
  program.add_flag("--version", chosen.version, "Print the version");
  add_lint(program, chosen.lint);
  add_config(program, chosen);
  add_others(program, chosen);
  program.footer("`gpulint PATH` is `gpulint lint PATH`; `gpulint help COMMAND` lists a command's options.");
}

}  // namespace gpulint
