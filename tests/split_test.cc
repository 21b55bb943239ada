// split: where documents begin and end, counted as a YAML parser counts them.
#include "rules/document/split.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace gpulint;

namespace {

struct Row {
  std::string_view what, text;
  std::vector<std::string> documents;  ///< the content of each; "(empty)" for nothing but blanks and comments
};

std::string shown(std::string_view text, const DocumentText& document) {
  return document.empty ? "(empty)" : std::string(text.substr(document.content.begin, document.content.end - document.content.begin));
}

}  // namespace

TEST_CASE("documents are counted and bounded") {
  const Row rows[] = {
      {"nothing", "", {}},
      {"blank lines", "\n  \n\t\n", {}},
      {"only comments", "# a\n  # b\n", {}},
      {"one without a marker", "a: b\n", {"a: b\n"}},
      {"no final newline", "a: b", {"a: b"}},
      {"one behind a marker", "---\na: b\n", {"\na: b\n"}},
      {"comments above the first marker are no document", "# license\n\n---\na: b\n", {"\na: b\n"}},
      {"two", "a: b\n---\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"an empty one behind each marker", "---\n---\n# x\n---\na: b\n", {"(empty)", "(empty)", "\na: b\n"}},
      {"an empty one at the end", "a: b\n---\n", {"a: b\n", "(empty)"}},
      {"a marker without a newline", "a: b\n---", {"a: b\n", "(empty)"}},
      {"a comment behind the marker", "--- # x\na: b\n", {" # x\na: b\n"}},
      {"a comment at the marker, as kubectl takes it", "a: b\n---#x\nc: d\n", {"a: b\n", "#x\nc: d\n"}},
      {"blanks behind the marker", "---  \t\na: b\n--- \r\nc: d\n", {"  \t\na: b\n", " \r\nc: d\n"}},
      {"content behind the marker", "--- {a: b}\n--- text\n", {" {a: b}\n", " text\n"}},
      {"the end marker", "a: b\n...\n", {"a: b\n"}},
      {"an end marker and a start marker", "a: b\n...\n---\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"comments between the two are no document", "a: b\n...\n# x\n---\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"a bare document behind an end marker", "a: b\n...\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"end markers end nothing twice", "...\na: b\n...\n...\n", {"\na: b\n"}},
      {"CRLF", "---\r\na: b\r\n---\r\nc: d\r\n", {"\r\na: b\r\n", "\r\nc: d\r\n"}},
      {"a byte order mark", "\xEF\xBB\xBF---\na: b\n", {"\na: b\n"}},
      {"a byte order mark and no marker", "\xEF\xBB\xBF" "a: b\n", {"a: b\n"}},
      {"four dashes are text", "a: b\n----\n", {"a: b\n----\n"}},
      {"a word that begins with dashes", "---a\n", {"---a\n"}},
      {"an indented marker is text", "a: |\n ---\n ...\n", {"a: |\n ---\n ...\n"}},
      {"dots of a word", "....\n", {"....\n"}},
      {"directives belong to what follows", "%YAML 1.1\n---\na: b\n", {"\na: b\n"}},
      {"directives behind a document", "a: b\n...\n%YAML 1.1\n# x\n---\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"directives without an end marker", "a: b\n%TAG ! x:\n---\nc: d\n", {"a: b\n", "\nc: d\n"}},
      {"a directive without a document", "%YAML 1.1\n", {"%YAML 1.1\n"}},
      {"a percent sign in a text", "a: b\n%c\nd: e\n---\nf: g\n", {"a: b\n%c\nd: e\n", "\nf: g\n"}},
  };
  for (const Row& row : rows) {
    std::vector<std::string> found;
    for (const DocumentText& document : split(row.text)) found.push_back(shown(row.text, document));
    CHECK_MESSAGE(found == row.documents, row.what, ": ", doctest::toString(found.size()), " documents");
  }
}

TEST_CASE("what a parser must see begins at the directives or the marker where they say something") {
  struct Parsed {
    std::string_view text, parsed;
  };
  constexpr Parsed rows[] = {
      {"a: b\n", "a: b\n"},
      {"---\na: b\n", "\na: b\n"},
      {"--- # x\na: b\n", " # x\na: b\n"},
      {"--- |\n a\n", "--- |\n a\n"},
      {"# x\n%TAG ! y:\n# z\n---\na: !b c\n", "%TAG ! y:\n# z\n---\na: !b c\n"},
  };
  for (const Parsed& row : rows) {
    const auto documents = split(row.text);
    REQUIRE(documents.size() == 1);
    CHECK(row.text.substr(documents[0].parsed.begin, documents[0].parsed.end - documents[0].parsed.begin) == row.parsed);
  }
}

TEST_CASE("a marker is found wherever it stands in the 64 bytes that are compared at a time") {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string text = std::string(size, 'x') + "\n---\ny\n..x\n...\n" + std::string(size, 'z');
    const auto documents = split(text);
    REQUIRE_MESSAGE(documents.size() == (size == 0 ? 1 : 3), "after ", size, " bytes: ", documents.size());
    CHECK(documents[size == 0 ? 0 : 1].content == Span{static_cast<std::uint32_t>(size + 4), static_cast<std::uint32_t>(size + 11)});
  }
}
