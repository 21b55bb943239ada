#include "lint/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace gpulint {
namespace {

/// Options of which one takes the place of the other: where one is given, the other's variable does not count.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kAlternatives{{{"--config", "--no-config"}, {"--no-config", "--config"}}};

bool is_given(const CLI::App& used, const std::string& name) {
  const CLI::Option* option = used.get_option_no_throw(name);
  return option && option->count() > 0;
}

bool gives_way(const CLI::App& used, const std::string& name) {
  for (const auto& [option, other] : kAlternatives)
    if (option == name && is_given(used, std::string(other))) return true;
  return is_given(used, name);
}

std::vector<std::string> values_in(const CLI::Option& option, const std::string& text) {
  if (option.get_expected_max() <= 1 && option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll) return {text};
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (comma > begin) values.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return values;
}

void set(CLI::Option& option, const std::string& variable, const std::string& text) {
  try {
    option.add_result(values_in(option, text));
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    const std::string_view what = error.what();
    const std::string front = option.get_name() + ": ";
    throw CLI::ValidationError(variable, what.starts_with(front) ? std::string(what.substr(front.size()))
                                                                 : fmt::format("\"{}\" is no value for {}", text, option.get_name()));
  }
}

}  // namespace

std::string variable_of(const std::string& option) {
  std::string variable = "GPULINT_";
  for (const char c : std::string_view(option).substr(option.find_first_not_of('-')))
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

std::vector<std::string> take_environment(CLI::App& command, const CLI::App& used) {
  std::vector<std::string> taken;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (!name.starts_with("--") || name == "--help" || gives_way(used, name)) continue;
    if (const char* text = std::getenv(variable_of(name).c_str()); text && *text) taken.push_back(name);
  }
  // Only now: what one variable sets must not look as if the command line had given it.
  for (const std::string& name : taken) set(*command.get_option(name), variable_of(name), std::getenv(variable_of(name).c_str()));
  return taken;
}

}  // namespace gpulint
