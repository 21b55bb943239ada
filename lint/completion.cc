#include "lint/completion.h"

#include "lint/print.h"

namespace gpulint {

int print_completion(CLI::App& program, const std::string& shell) {
  const std::vector<CommandShape> shapes = shapes_of(program);
  return print(shell == "bash" ? bash_completion(shapes) : shell == "zsh" ? zsh_completion(shapes) : fish_completion(shapes));
}

}  // namespace gpulint
