// CommandLine: command and args of a container as programs and their words, shell strings (`sh -c "..."`) tokenised.
// Decoded once here; rules about flags read it and never split strings themselves.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/node.h"

namespace gpulint {

struct Word {
  std::string text;            ///< as the program receives it (quotes of a shell string removed)
  const Node* node = nullptr;  ///< the element of command or args it stands in
  bool in_shell = false;       ///< came out of a shell string: the element holds more than this word
};

/// One program with its words; a shell script gives several (split at ; && || | and line ends; assignments in front are left out).
struct Invocation {
  std::string program;         ///< base name of the first word ("python3", "vllm"); empty when only `args` are given: the image's entrypoint is unknown
  std::vector<Word> words;     ///< the program itself first where it is known
};

struct CommandLine {
  std::vector<Invocation> invocations;
  bool has_command = false;    ///< `command` is set
  bool unknown = false;        ///< some element cannot be known (no string, or a placeholder)

  struct Option {
    const Invocation* invocation = nullptr;
    const Word* flag = nullptr;   ///< the word that holds the flag
    std::string value;            ///< after `=`, or the next word; empty when there is none or the next word is another option
    const Word* value_word = nullptr;  ///< null for `--a=b` and for no value
  };
  /// Every use of `--name value` / `--name=value`, in order. `_` and `-` inside the name are the same.
  std::vector<Option> options(std::string_view name) const;

  /// Whether some word is one of these programs, with whatever path in front: the entrypoint and wrappers (`env`, `mpirun`) hide what is run.
  bool names_program(std::span<const std::string_view> programs) const;

  /// `command` and `args` are the nodes of those keys (lists, or one string as values files write it), or null.
  static CommandLine parse(const Node* command, const Node* args);
};

/// Splits a shell script into invocations; understands quotes, escapes, comments, here-documents (skipped), line continuations; expands nothing.
std::vector<Invocation> parse_shell(std::string_view script, const Node* node);

}  // namespace gpulint
