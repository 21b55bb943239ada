// The shell's grammar as far as finding programs and their words needs it; behind CommandLine.
#pragma once
#include <string_view>
#include <vector>

#include "rules/kube/command_line.h"

namespace gpulint {

/// The words of a text as a shell splits them, without any meaning of operators: a string where a list belongs (values files).
std::vector<Word> split_words(std::string_view text, const Node* node);

/// The invocations of words that form one command: wrappers (`exec`, `env`, `timeout 10` ...) left out, `sh -c` scripts opened.
/// `depth` counts scripts within scripts.
void append_invocations(std::vector<Word> words, int depth, std::vector<Invocation>& invocations);

/// parse_shell with the depth.
void append_script(std::string_view script, const Node* node, int depth, std::vector<Invocation>& invocations);

}  // namespace gpulint
