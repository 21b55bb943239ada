#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/completion.h"

namespace gpulint {
namespace {

// Needs nothing of the bash-completion package. `name` becomes the command whose options stand at the cursor.
constexpr std::string_view kHead = R"(# Completion of gpulint for bash, made by `gpulint completion bash`. To have it in this shell: source <(gpulint completion bash)
_gpulint() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} name=lint words=
  COMPREPLY=()
  # --option=value is three words to bash.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
)";

constexpr std::string_view kTail = R"(  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
# Where the function has no answer, bash completes files.
complete -o default -F _gpulint gpulint
)";

// The commands that stand before the word at the cursor: the longest name that fits.
std::string naming(const std::vector<CommandShape>& shapes) {
  std::string text;
  for (const CommandShape& shape : shapes) {
    if (shape.commands.empty()) continue;
    const int depth = shape.name.empty() ? 1 : 2;
    const std::string place = fmt::format("${{COMP_WORDS[{}]}}", depth);
    text += fmt::format("  if ((COMP_CWORD > {})){}; then\n    case {} in {}) name={} ;; esac\n  fi\n", depth,
                        shape.name.empty() ? "" : fmt::format(" && [[ $name == {} ]]", shape.name), place, fmt::join(shape.commands, " | "),
                        shape.name.empty() ? place : fmt::format("\"{} {}\"", shape.name, place));
  }
  return text;
}

std::string values(const std::vector<CommandShape>& shapes) {
  std::string text = "  case \"$name $before\" in\n";
  for (const CommandShape& shape : shapes)
    for (const Slot& option : shape.options) {
      if (option.value.empty()) continue;
      std::string patterns;
      for (const std::string& name : option.names) patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", shape.name, name);
      if (option.takes_files) text += fmt::format("    {}) return ;;\n", patterns);
      else if (option.choices.empty()) text += fmt::format("    {}) compopt +o default; return ;;\n", patterns);
      else text += fmt::format("    {}) words='{}' ;;\n", patterns, fmt::join(option.choices, " "));
    }
  return text + "  esac\n";
}

// Options where the word begins with a dash, else what can be an argument.
std::string words(const std::vector<CommandShape>& shapes) {
  std::string text = "  if [[ -z $words && $word == -* ]]; then\n    case $name in\n";
  for (const CommandShape& shape : shapes) {
    if (shape.name.empty()) continue;
    std::string names;
    for (const Slot& option : shape.options)
      for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
    text += fmt::format("      '{}') words='{}' ;;\n", shape.name, names);
  }
  text += "    esac\n    ((COMP_CWORD == 1)) && words+=' --version'\n  elif [[ -z $words ]]; then\n    case $name in\n";
  for (const CommandShape& shape : shapes) {
    if (shape.name.empty() || shape.name == "lint") continue;
    std::vector<std::string> choices = shape.commands;
    bool files = false;
    for (const Slot& argument : shape.arguments) {
      choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
      files = files || argument.takes_files;
    }
    if (files) text += fmt::format("      '{}') return ;;\n", shape.name);
    else if (!choices.empty()) text += fmt::format("      '{}') words='{}'; compopt +o default ;;\n", shape.name, fmt::join(choices, " "));
  }
  return text + fmt::format("      lint) ((COMP_CWORD == 1)) && words='{}' ;;\n      *) compopt +o default ;;\n    esac\n  fi\n", fmt::join(shapes.front().commands, " "));
}

}  // namespace

std::string bash_completion(const std::vector<CommandShape>& shapes) {
  return fmt::format("{}{}{}{}{}", kHead, naming(shapes), values(shapes), words(shapes), kTail);
}

}  // namespace gpulint
