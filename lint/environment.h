// The environment as a source of options: GPULINT_FAIL_ON=warning is `--fail-on warning`. An option of the command line wins.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gpulint {

/// The variable of an option: GPULINT_FAIL_ON of `--fail-on`.
std::string variable_of(const std::string& option);

/// Sets the options of `command` that `used` (the command that was called: `command` itself, or one that shares options with it) was not given,
/// each from its variable where that is set and not empty. Gives the names of those set. A value that is wrong throws a CLI::ParseError that
/// names the variable. CLI11's own reading of variables would name the option, and print each variable in the help text.
std::vector<std::string> take_environment(CLI::App& command, const CLI::App& used);

}  // namespace gpulint
