// The manual page: nothing to complain about for the tools that format it, and every command, option and variable is in it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "lint/commands.h"
#include "lint/manual_page.h"
#include "tests/support/gpulint_program.h"

namespace gpulint::testing {
namespace {

struct Commands {
  Commands() { add_commands(app, chosen); }
  CLI::App app{"Finds things.", "gpulint"};
  Chosen chosen;
};

/// GPULINT_REQUIRE_MANDOC=1 makes it a failure that mandoc is not installed.
bool has_mandoc() {
  if (run({.words = {"mandoc", "-V"}}).status != 127) return true;
  CHECK_MESSAGE(std::getenv("GPULINT_REQUIRE_MANDOC") == nullptr, "mandoc is not installed");
  MESSAGE("skipped: no mandoc");
  return false;
}

std::string without_blanks(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '\b') out.pop_back();
    else if (c != ' ' && c != '\n') out += c;
  return out;
}

// What a reader sees, without overstrikes and without line breaks, which may be anywhere.
std::string formatted(const std::string& page) { return without_blanks(run({.words = {"mandoc", "-T", "ascii"}, .input = page}).out); }

}  // namespace

TEST_CASE("mandoc has nothing to complain of") {
  if (!has_mandoc()) return;
  Commands commands;
  const std::string page = manual_page(shapes_of(commands.app), "2026-01-02");
  const Outcome lint = run({.words = {"mandoc", "-T", "lint", "-W", "warning"}, .input = page});
  CHECK_MESSAGE(lint.out == "", lint.out);
  CHECK(lint.status == 0);
  // The check of the check.
  CHECK(run({.words = {"mandoc", "-T", "lint", "-W", "warning"}, .input = page + ".XX\n"}).status != 0);
}

TEST_CASE("all that help tells is in the manual page") {
  if (!has_mandoc()) return;
  const Outcome printed = program({"man"});
  CHECK(printed.status == 0);
  const std::string text = formatted(printed.out);
  const auto has = [&](const std::string& part) { CHECK_MESSAGE(text.find(without_blanks(part)) != std::string::npos, part); };
  Commands commands;
  const std::vector<CommandShape> shapes = shapes_of(commands.app);
  REQUIRE(shapes.size() > 10);
  for (const CommandShape& shape : shapes) {
    if (shape.commands.empty()) has(fmt::format("gpulint {}", shape.name));
    has(shape.name.empty() ? "SYNOPSIS" : shape.commands.empty() ? shape.description : "COMMANDS");
    for (const Slot& option : shape.options)
      for (const std::string& name : option.names) has(option.value.empty() ? name : fmt::format("{} {}", name, option.value));
  }
  for (const char* heading : {"NAME", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO", "GPULINT_FAIL_ON", "NO_COLOR"}) has(heading);
}

TEST_CASE("texts that roff would take for its own") {
  CommandShape program, lint;
  program.description = ".starts with a dot and has a back\\slash";
  lint.name = "lint";
  lint.description = "'starts with an apostrophe, says `--fail-on`";
  const std::string page = manual_page({program, lint}, "");
  CHECK(page.find("\n\\&.starts with a dot and has a back\\eslash\n") != std::string::npos);
  CHECK(page.find("\n\\&'starts with an apostrophe, says \\fB\\-\\-fail\\-on\\fR.\n") != std::string::npos);
}

}  // namespace gpulint::testing
