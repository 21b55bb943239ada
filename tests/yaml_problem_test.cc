// What is said of a text that kubectl rejects: where, what, and what to do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rules/document/document.h"
#include "tests/support/kubectl.h"

using namespace gpulint;

namespace {

struct Row {
  std::string_view text, place, problem, advice;
};

constexpr Row kRows[] = {
    {"a:\n\tb: c\n", "2:1", "a tab is used for indentation", "use spaces"},
    {"a: b\n\tc: d\n", "2:1", "a tab is used for indentation", "use spaces"},
    {"a:\n  b: c\n \t d: e\n", "3:2", "a tab is used for indentation", "use spaces"},
    {"a: |\n \tb\n  c\n", "2:2", "a tab is used for indentation", "use spaces"},
    {"a: \"x\nb: c\n", "1:4", "the quote that opens here is never closed", "close it"},
    {"a: b\nc: 'it\n", "2:4", "the quote that opens here is never closed", "close it"},
    {"a: b: c\n", "1:5", "a second `: ` stands in the line", "quote the value"},
    {"a: http://x: y\n", "1:12", "a second `: ` stands in the line", "quote the value"},
    {"a: b\n  c: d\n", "2:4", "a key stands where the value of the line above goes on", "check the indentation"},
    {"a:\n    b: c\n  d: e\n", "3:3", "the line fits nothing above it", "check the indentation"},
    {"a:\n  - b\n c: d\n", "3:2", "the line fits nothing above it", "check the indentation"},
    {"- a\nb: c\n", "2:1", "the line fits nothing above it", "check the indentation"},
    {"a: b\n- c\n", "2:1", "the line fits nothing above it", "check the indentation"},
    {"a: @x\n", "1:4", "a value cannot begin with `@`", "quote the value"},
    {"a: `x`\n", "1:4", "a value cannot begin with a backtick", "quote the value"},
    {"a: %x\n", "1:4", "a value cannot begin with `%`", "quote the value"},
    {"a: ]\n", "1:4", "a value cannot begin with `]`", "add the value that is missing, or quote it"},
    {"a: b\nc: [\n", "2:4", "the text ends where a value or a closing bracket must follow", ""},
    {"a: [1, 2\nb: c\n", "1:4", "the list that `[` opens here is not closed as it should: a `,` or `]` is missing", ""},
    {"a: {x: 1\nb: c\n", "1:4", "the mapping that `{` opens here is not closed as it should: a `,` or `}` is missing", ""},
    {"a: [\"b\" c]\n", "1:9", "a `,` or `]` is missing in a list", "quote the values that hold brackets, braces or commas"},
    {"a: [1]]\n", "1:7", "something follows where a value has ended", "quote the whole value"},
    {"a: \"x\" y\n", "1:8", "something follows where a value has ended", "quote the whole value"},
    {"a: 'it's'\n", "1:8", "something follows where a value has ended", "quote the whole value"},
    {"a: *.example.com\n", "1:4", "`*` at the beginning of a value refers to an anchor, but no name follows", "quote the value"},
    {"a: & b\n", "1:4", "`&` at the beginning of a value names an anchor, but no name follows", "quote the value"},
    {"a: *x\n", "1:4", "`*x` refers to an anchor that is not defined above", "define `&x`, or quote the value"},
    {"a: &x [*x]\n", "1:8", "`*x` stands inside the value that `&x` names", ""},
    {"a: \"C:\\q\"\n", "1:7", "no escape of YAML begins so", "double the backslash, or use single quotes"},
    {"a: \"\\xZZ\"\n", "1:7", "an escape lacks hexadecimal digits", "double the backslash, or use single quotes"},
    {"a: \"\\ud83d\\ude00\"\n", "1:7", "an escape names no character", "write the character itself, or its \\U form of eight digits"},
    {"a: - b\n", "1:4", "a list item stands behind a key in one line", "begin the list in the next line, or quote the value"},
    {"a: b\nc\nd: e\n", "2:1", "a key has no `: ` behind it", "add it, or indent the line if it continues the text above"},
    {"a: |x\n  y\n", "1:5", "text stands behind `|` or `>`", "begin the text in the next line, or quote the value"},
    {"a: |0\n  y\n", "1:5", "the indentation indicator of a block scalar cannot be 0", "use 1 to 9, or none"},
    {"a: !x!y z\n", "1:4", "the tag has a prefix that no %TAG defines", "quote the value if no tag is meant"},
    {"%FOO\na: b\n", "1:1", "a line that begins with `%` must be a directive", "quote the value"},
    {"a: b\x01\n", "1:5", "a control character stands in the text", "remove it, or write it as an escape in double quotes"},
    {"a: \xFF\n", "1:4", "the text is not valid UTF-8", "save it as UTF-8"},
    {"\u00e9: \u00e9\nb: \xC3\n", "2:4", "the text is not valid UTF-8", "save it as UTF-8"},
    {"? [a]\n: b\n", "1:3", "a mapping or a list stands as a key", "keys of manifests are text: quote it"},
    {"{a: b}: c\n", "1:1", "a mapping or a list stands as a key", "keys of manifests are text: quote it"},
    {"~: b\n", "1:1", "a key must not be null", ""},
    {"<<: b\n", "1:1", "`<<` needs a mapping or a list of mappings", ""},
    {"a: .inf\n", "1:4", "`.inf` is not possible here: JSON has no number for it", ""},
    {"a: !!int b\n", "1:10", "`b` is not possible here: the tag !!int needs an integer", ""},
    {"\u00e9: \"\u20ac\U0001F600\" x\n", "1:9", "something follows where a value has ended", "quote the whole value"},
};

}  // namespace

TEST_CASE("a text that kubectl rejects is explained") {
  for (const Row& row : kRows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_yaml(source, {});
    const Document& document = documents.list.at(0);
    const Position position = source.position(document.problem_span.begin);
    CHECK_MESSAGE(document.state == DocumentState::invalid, row.text);
    CHECK_MESSAGE(fmt::format("{}:{}", position.line, position.column) == row.place, row.text, document.problem);
    CHECK_MESSAGE(document.problem == row.problem, row.text);
    CHECK_MESSAGE(document.advice == row.advice, row.text);
    CHECK_MESSAGE(document.problem_span.begin < document.problem_span.end, row.text, ": nothing to point at");
  }
}

TEST_CASE("kubectl rejects them too") {
  if (!gpulint::testing::has_kubectl()) return;
  for (const Row& row : kRows) {
    if (row.problem == "the text is not valid UTF-8") continue;  // kubectl puts U+FFFD there: damaged text is refused here all the same
    const auto answer = gpulint::testing::ask_kubectl(std::string(row.text));
    CHECK_MESSAGE(answer.is_syntax_error(), row.text, answer.error);
  }
}

TEST_CASE("a broken document spoils no other") {
  const Source source("test", "a: b\n---\nc: [\n---\nd: \"x\n---\n\te: f\n---\ng: h\n");
  const Documents documents = read_yaml(source, {});
  REQUIRE(documents.list.size() == 5);
  CHECK(to_json(*documents.list[0].root) == R"({"a":"b"})");
  const std::uint32_t lines[] = {0, 3, 5, 7};
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(documents.list[i].state == DocumentState::invalid);
    CHECK(source.position(documents.list[i].problem_span.begin).line == lines[i]);
  }
  CHECK(to_json(*documents.list[4].root) == R"({"g":"h"})");
}
