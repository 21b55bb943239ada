#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lint/completion.h"

namespace gpulint {
namespace {

// In single quotes; `special` are the characters that _arguments or _describe would take for their own.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    else if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string function_of(const std::string& name) {
  std::string function = "_gpulint" + (name.empty() ? "" : "_" + name);
  std::replace(function.begin(), function.end(), ' ', '_');
  return function;
}

std::string action_of(const Slot& slot) {
  if (slot.takes_files) return "_files";
  return slot.choices.empty() ? " " : fmt::format("({})", fmt::join(slot.choices, " "));
}

// One line for _arguments a name of the option.
std::string specifications(const Slot& option) {
  std::string text;
  for (const std::string& name : option.names) {
    std::string before;
    if (option.repeatable) before = "*";
    else if (option.names.size() > 1) before = fmt::format("({})", fmt::join(option.names, " "));
    const bool joins = !option.value.empty() && name.starts_with("--");  // --option=value too
    text += fmt::format(" \\\n    '{}{}{}[{}]{}'", before, name, joins ? "=" : "", escaped(option.description, "[]:\\"),
                        option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value, "[]:"), action_of(option)));
  }
  return text;
}

std::string commands_function(const CommandShape& shape, const std::vector<CommandShape>& shapes) {
  std::string text = fmt::format("{}_commands() {{\n  local -a commands=(\n", function_of(shape.name));
  for (const std::string& command : shape.commands) {
    const CommandShape& below = shape_named(shapes, shape.name.empty() ? command : shape.name + " " + command);
    text += fmt::format("    '{}:{}'\n", command, escaped(below.description, ":\\"));
  }
  return text + "  )\n  _describe -t commands command commands\n}\n";
}

// A command with others below it. Behind the first word that is no option the command that it names takes over, or lint.
std::string dispatching_function(const CommandShape& shape, const std::vector<CommandShape>& shapes) {
  const bool top = shape.name.empty();
  std::string options;
  for (const Slot& option : shape.options) options += specifications(option);
  if (top)
    for (const Slot& option : shape_named(shapes, "lint").options)
      if (option.names.back() != "--help") options += specifications(option);
  std::string cases;
  for (const std::string& command : shape.commands) {
    const std::string name = top ? command : shape.name + " " + command;
    cases += fmt::format("        {}) {} && result=0 ;;\n", command, function_of(name));
  }
  if (top) cases += "        *) _gpulint_lint && result=0 ;;\n";
  return commands_function(shape, shapes) +
         fmt::format("{0}() {{\n  local curcontext=$curcontext state line result=1\n  typeset -A opt_args\n"
                     "  _arguments -C -A '-*'{1} \\\n    '1: :->first' '*:: :->rest' && result=0\n"
                     "  case $state in\n    first)\n      {0}_commands && result=0\n{2}      ;;\n"
                     "    rest)\n      case $words[1] in\n{3}      esac ;;\n  esac\n  return result\n}}\n",
                     function_of(shape.name), options, top ? "      _files && result=0\n" : "", cases);
}

std::string plain_function(const CommandShape& shape) {
  std::string specs;
  for (const Slot& option : shape.options) specs += specifications(option);
  for (const Slot& argument : shape.arguments) specs += fmt::format(" \\\n    '{}:{}:{}'", argument.repeatable ? "*" : "1", argument.value, action_of(argument));
  return fmt::format("{}() {{\n  _arguments{}\n}}\n", function_of(shape.name), specs);
}

}  // namespace

std::string zsh_completion(const std::vector<CommandShape>& shapes) {
  std::string text =
      "#compdef gpulint\n"
      "# Completion of gpulint for zsh, made by `gpulint completion zsh`. To have it in this shell: source <(gpulint completion zsh)\n";
  for (const CommandShape& shape : shapes) text += shape.commands.empty() ? plain_function(shape) : dispatching_function(shape, shapes);
  return text + "if [[ $funcstack[1] == _gpulint ]]; then _gpulint \"$@\"; else compdef _gpulint gpulint; fi\n";
}

}  // namespace gpulint
