// CommandShape: the commands and options of lint/commands.cc as plain data, with the values that can stand where a value is due. Completions
// and the man page are written from it.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gpulint {

/// An option, or an argument (without names).
struct Slot {
  std::vector<std::string> names;    ///< "-h", "--help"
  std::string value;                 ///< what stands for its value in help: FILE, PATH; empty for a flag
  std::string description;
  std::vector<std::string> choices;  ///< the values that are known
  bool takes_files = false;          ///< a path is the value
  bool repeatable = false;
  bool required = false;
};

struct CommandShape {
  std::string name;                   ///< `lint`, `config show`; empty for the program itself
  std::string description, footer;
  std::vector<Slot> options, arguments;
  std::vector<std::string> commands;  ///< below it, by their last word
  /// The last word of the name.
  std::string word() const { return name.substr(name.find(' ') + 1); }
};

/// The program, then every command in the order of help, those below a command right behind it.
std::vector<CommandShape> shapes_of(CLI::App& program);

const CommandShape& shape_named(const std::vector<CommandShape>& shapes, std::string_view name);

}  // namespace gpulint
