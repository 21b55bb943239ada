#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/completion.h"

namespace gpulint {
namespace {

// In single quotes of fish, which knows two escapes there.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string head(const std::vector<CommandShape>& shapes) {
  std::string text =
      "# Completion of gpulint for fish, made by `gpulint completion fish`. To have it in this shell: gpulint completion fish | source\n"
      "# Whether the words before the cursor name this command; without a command it is lint.\n"
      "function __gpulint_is\n"
      "    set -l words (commandline -opc)\n"
      "    set -l name lint\n";
  for (const CommandShape& shape : shapes) {
    if (shape.commands.empty()) continue;
    const int place = shape.name.empty() ? 2 : 3;
    text += fmt::format("    if test \"$name\" = {}; and contains -- \"$words[{}]\" {}\n        set name {}\n    end\n", shape.name.empty() ? "lint" : shape.name, place,
                        fmt::join(shape.commands, " "), shape.name.empty() ? "$words[2]" : fmt::format("\"{} $words[3]\"", shape.name));
  }
  return text +
         "    test \"$name\" = \"$argv\"\n"
         "end\n"
         "function __gpulint_at_start\n"
         "    test (count (commandline -opc)) -eq 1\n"
         "end\n";
}

std::string option_line(const std::string& condition, const Slot& option) {
  std::string text = fmt::format("complete -c gpulint -n {}", in_quotes(condition));
  for (const std::string& name : option.names) text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  if (option.takes_files) text += " -r -F";
  else if (!option.choices.empty()) text += fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
  else if (!option.value.empty()) text += " -x";
  return fmt::format("{} -d {}\n", text, in_quotes(option.description));
}

std::string command_lines(const CommandShape& shape, const std::vector<CommandShape>& shapes) {
  const std::string condition = shape.name.empty() ? "__gpulint_at_start" : "__gpulint_is " + shape.name;
  std::string text;
  for (const std::string& command : shape.commands) {
    const CommandShape& below = shape_named(shapes, shape.name.empty() ? command : shape.name + " " + command);
    text += fmt::format("complete -c gpulint -n {} -a {} -d {}\n", in_quotes(condition), command, in_quotes(below.description));
  }
  bool files = shape.name.empty();
  for (const Slot& argument : shape.arguments) {
    files = files || argument.takes_files;
    if (!argument.choices.empty())
      text += fmt::format("complete -c gpulint -n {} -a {} -d {}\n", in_quotes(condition), in_quotes(fmt::format("{}", fmt::join(argument.choices, " "))), in_quotes(argument.description));
  }
  if (!files) text += fmt::format("complete -c gpulint -n {} -f\n", in_quotes(condition));
  for (const Slot& option : shape.options)
    if (!shape.name.empty() || option.names.back() != "--help") text += option_line(condition, option);
  return text;
}

}  // namespace

std::string fish_completion(const std::vector<CommandShape>& shapes) {
  std::string text = head(shapes);
  for (const CommandShape& shape : shapes) text += command_lines(shape, shapes);
  return text;
}

}  // namespace gpulint
