// Every option of `gpulint lint` has a variable: its name, its value, and what happens when the command line gives the option too.
#include "lint/environment.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "lint/commands.h"

namespace gpulint {
namespace {

/// Sets variables until the end of its scope.
class Variables {
 public:
  explicit Variables(std::map<std::string, std::string> values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<std::string, std::string> values_;
};

struct Program {
  Program() { add_commands(app, chosen); }
  std::vector<std::string> run(std::vector<std::string> reversed_words) {
    app.parse(reversed_words);
    CLI::App* lint = app.get_subcommand("lint");
    return take_environment(*lint, *lint);
  }
  CLI::App app;
  Chosen chosen;
};

/// A value that the option takes.
std::string value_for(const CLI::Option& option) {
  static const std::map<std::string, std::string> kValues{{"--fail-on", "info"}, {"--color", "never"}, {"--render", "never"}, {"--show", "info"}};
  const auto known = kValues.find(option.get_name());
  if (known != kValues.end()) return known->second;
  return option.get_type_name() == "N" ? "3" : option.get_expected_max() == 0 ? "true" : "x";
}

TEST_CASE("names") {
  CHECK(variable_of("--cluster") == "GPULINT_CLUSTER");
  CHECK(variable_of("--write-baseline") == "GPULINT_WRITE_BASELINE");
}

TEST_CASE("every option of lint is read from its variable") {
  std::map<std::string, std::string> values;
  std::vector<std::string> names;
  Program program;
  for (const CLI::Option* option : program.app.get_subcommand("lint")->get_options()) {
    const std::string name = option->get_name();
    if (!name.starts_with("--") || name == "--help") continue;
    names.push_back(name);
    values[variable_of(name)] = value_for(*option);
  }
  REQUIRE(names.size() > 15);
  const Variables variables(values);
  CHECK(program.run({"lint"}) == names);
  const LintOptions& lint = program.chosen.lint;
  CHECK(lint.fail_on == "info");
  CHECK(lint.cluster == "x");
  CHECK(lint.threads == 3);
  CHECK((lint.no_ignore && lint.quiet && lint.strict_input && lint.no_config && lint.statistics));
}

TEST_CASE("several values are separated by commas; an option takes the place of its variable") {
  const Variables variables({{"GPULINT_EXCLUDE", "a,b/**,,c"}, {"GPULINT_CLUSTER", "gke"}, {"GPULINT_SHOW", "info,skipped"}, {"GPULINT_QUIET", ""}});
  Program program;
  CHECK(program.run({"eks", "--cluster", "lint"}) == std::vector<std::string>{"--exclude", "--show"});
  CHECK(program.chosen.lint.exclude == std::vector<std::string>{"a", "b/**", "c"});
  CHECK(program.chosen.lint.show == std::vector<std::string>{"info", "skipped"});
  CHECK(program.chosen.lint.cluster == "eks");
  CHECK_FALSE(program.chosen.lint.quiet);
}

TEST_CASE("a wrong value names the variable") {
  const std::map<std::string, std::string> values{{"GPULINT_SHOW", "info,everything"}};
  const Variables variables(values);
  Program program;
  CHECK_THROWS_WITH_AS(program.run({"lint"}), "GPULINT_SHOW: everything is none of info, suppressed, skipped", CLI::ValidationError);
}

}  // namespace
}  // namespace gpulint
