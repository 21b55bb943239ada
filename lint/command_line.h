// The command line of `gpulint`: which words start which subcommand, with which options.
#pragma once
#include <span>

namespace gpulint {

/// Runs what the words (without the program's name) ask for; the exit status. `lint` is assumed unless the first word says otherwise.
int run_command_line(std::span<char* const> words);

}  // namespace gpulint
