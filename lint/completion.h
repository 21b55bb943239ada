// `gpulint completion SHELL`: scripts that complete commands, options and their values, written from the commands themselves. Values are in
// the script (formats, presets, rules); files are left to the shell.
#pragma once
#include <string>
#include <vector>

#include "lint/command_shape.h"

namespace gpulint {

std::string bash_completion(const std::vector<CommandShape>& shapes);
std::string zsh_completion(const std::vector<CommandShape>& shapes);
std::string fish_completion(const std::vector<CommandShape>& shapes);

/// `shell` is bash, zsh or fish.
int print_completion(CLI::App& program, const std::string& shell);

}  // namespace gpulint
