// Documentation made from the rules: complete, linked, and fit to be printed.
#include "rules/engine/documentation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "rules/engine/engine.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

TEST_CASE("the samples are the files that the tests judge") {
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    CHECK(samples_of(*rule).bad == testing::read_file(fmt::format("testdata/rules/{}/bad.yaml", rule->id)));
    CHECK(samples_of(*rule).good == testing::read_file(fmt::format("testdata/rules/{}/good.yaml", rule->id)));
  }
  CHECK(samples_of(Rule{}).bad.empty());
}

TEST_CASE("the catalogue has each rule once, in a table and a chapter, with everything known about it") {
  const std::string page = catalogue_markdown();
  CHECK(page.starts_with("# Rules\n"));
  CHECK(page.ends_with("\n"));
  CHECK_FALSE(page.ends_with("\n\n"));
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    CHECK(count(page, fmt::format("\n### {}\n", rule->id)) == 1);
    CHECK(count(page, fmt::format("| [{0}](#{0}) |", rule->id)) == 1);
    for (const std::string_view part : {rule->summary, rule->rationale, rule->remediation, rule->details}) CHECK(holds(page, part));
    CHECK(holds(page, samples_of(*rule).bad));
    CHECK(holds(page, samples_of(*rule).good));
    for (const Parameter& parameter : rule->parameters) CHECK(holds(page, fmt::format("| `{}` |", parameter.name)));
  }
  CHECK(count(page, "```") % 2 == 0);
  CHECK(count(page, "\n\n\n") == 0);
}

TEST_CASE("public issues are linked, other sources stand as they are") {
  const std::string page = catalogue_markdown();
  std::size_t links = 0;
  for (const Rule* rule : all_rules())
    for (const std::string_view source : rule->sources) {
      CHECK(holds(page, source));
      const auto hash = source.find('#');
      const bool issue = hash != std::string_view::npos && count(source, "/") == 1 && source.find(' ') == std::string_view::npos && source.find('/') < hash &&
                         source.find_first_not_of("0123456789", hash + 1) == std::string_view::npos;
      if (!issue) continue;
      ++links;
      CHECK(holds(page, fmt::format("[{}](https://github.com/{}/issues/{})", source, source.substr(0, hash), source.substr(hash + 1))));
    }
  CHECK(links > 0);
}

TEST_CASE("explaining a rule on a terminal") {
  for (const Rule* rule : all_rules()) {
    CAPTURE(rule->id);
    const std::string text = explain_text(*rule);
    CHECK(text.starts_with(fmt::format("{}  ({}, {})\n", rule->id, name_of(rule->severity), title_of(rule->group))));
    for (const char* title : {"\nWhy\n", "\nWhat to do\n", "\nFix\n", "\nReported\n", "\nFine\n", "\nSources\n"}) CHECK_MESSAGE(holds(text, title), title);
    CHECK(holds(text, fmt::format("ignore.gpulint.dev/{}", rule->id)));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const bool words = line.find(' ', line.find_first_not_of(' ')) != std::string::npos && !line.starts_with("    ");
      if (words) CHECK_MESSAGE(line.size() <= 96, line);
      CHECK_MESSAGE((line.empty() || line.back() != ' '), "blank at the end: ", line);
    }
  }
}

}  // namespace
}  // namespace gpulint
