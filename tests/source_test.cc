// Source: from a byte to a line and a column, and from a line number to its text.
#include "rules/document/source.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace gpulint;

TEST_CASE("a byte has a line and a column") {
  struct Row {
    std::string_view what, text;
    std::uint32_t offset;
    Position position;
  };
  constexpr Row rows[] = {
      {"nothing", "", 0, {1, 1}},
      {"the first byte", "abc", 0, {1, 1}},
      {"the end of the text", "abc", 3, {1, 4}},
      {"beyond the end", "abc", 99, {1, 4}},
      {"a line feed belongs to the line it ends", "ab\ncd", 2, {1, 3}},
      {"the first byte of a line", "ab\ncd", 3, {2, 1}},
      {"behind the last line feed", "ab\n", 3, {2, 1}},
      {"an empty line", "a\n\nb", 2, {2, 1}},
      {"CRLF", "ab\r\ncd", 5, {2, 2}},
      {"two bytes are one column", "\u00e9x", 2, {1, 2}},
      {"three and four bytes too", "\u20ac\U0001F600x", 7, {1, 3}},
      {"within a code point: the column behind it", "\u00e9x", 1, {1, 2}},
      {"a byte order mark has no column", "\xEF\xBB\xBF" "ab", 3, {1, 1}},
      {"nor has the place before it", "\xEF\xBB\xBF" "ab", 0, {1, 1}},
      {"behind a byte order mark", "\xEF\xBB\xBF" "ab\ncd", 4, {1, 2}},
      {"a tab is one column", "\tx", 1, {1, 2}},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Position position = source.position(row.offset);
    CHECK_MESSAGE(position == row.position, row.what, ": ", position.line, ":", position.column);
  }
}

TEST_CASE("columns of long lines are exact in every block of the index") {
  std::string text = "first\n";
  while (text.size() < 3 * 4096) text += "a\u00e9\u20ac";
  const Source source("test", text);
  std::uint32_t column = 1;
  for (std::uint32_t offset = 6; offset < text.size(); ++offset) {
    if ((static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U) continue;
    const Position position = source.position(offset);
    const Position expected{2, column};
    REQUIRE_MESSAGE(position == expected, "byte ", offset, ": ", position.line, ":", position.column, ", expected column ", column);
    REQUIRE_MESSAGE(source.offset(position) == offset, "byte ", offset, " is found again at ", source.offset(position));
    ++column;
  }
}

TEST_CASE("a place is found by its position") {
  struct Row {
    std::string_view what, text;
    Position position;
    std::uint32_t offset;
  };
  constexpr Row rows[] = {
      {"the first", "ab\ncd", {1, 1}, 0},
      {"in another line", "ab\ncd", {2, 2}, 4},
      {"behind a character of three bytes", "\u20acb", {1, 2}, 3},
      {"behind a byte order mark", "\xEF\xBB\xBF" "ab", {1, 2}, 4},
      {"behind the last column: the end of the line", "ab\r\ncd", {1, 9}, 2},
      {"an empty line", "ab\n\ncd", {2, 1}, 3},
      {"columns begin with 1", "ab", {1, 0}, 0},
      {"no such line: the end", "ab\n", {7, 1}, 3},
      {"bytes like the inside of a character belong to what is before them", "a\x80\x80" "b", {1, 2}, 3},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    CHECK_MESSAGE(source.offset(row.position) == row.offset, row.what, ": ", source.offset(row.position));
  }
}

TEST_CASE("a line is found by its number") {
  struct Row {
    std::string_view what, text;
    std::uint32_t number;
    std::string_view line;
  };
  constexpr Row rows[] = {
      {"the first", "ab\ncd\n", 1, "ab"},
      {"the last", "ab\ncd", 2, "cd"},
      {"without its CRLF", "ab\r\ncd\r\n", 1, "ab"},
      {"without the byte order mark", "\xEF\xBB\xBF" "ab\n", 1, "ab"},
      {"an empty one", "ab\n\ncd", 2, ""},
      {"behind the last line feed", "ab\n", 2, ""},
      {"no such line", "ab", 2, ""},
      {"lines begin with 1", "ab", 0, ""},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    CHECK_MESSAGE(source.line(row.number) == row.line, row.what);
  }
}
