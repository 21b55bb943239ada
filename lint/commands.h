// The commands of `gpulint` and their options, described once: parsing, help, completions and the man page all come from here.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "lint/lint_command.h"

namespace gpulint {

/// What a command line chose; each command reads its own part.
struct Chosen {
  LintOptions lint;
  std::string rule, rules_format = "table", help_for;
  std::string shown_file;  ///< of `config show`: the file whose settings are asked for
  std::string shell;       ///< of `completion`
  bool version = false;
};

/// Describes every command and option on `program`, which writes what it parses into `chosen`.
void add_commands(CLI::App& program, Chosen& chosen);

/// The values that an option or argument is limited to, separated by blanks; empty where anything goes.
std::string choices_of(CLI::Option& option);

}  // namespace gpulint
