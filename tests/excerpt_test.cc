// How a source line is drawn under a finding, and what of a text never reaches a terminal.
#include "lint/excerpt.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lint/visible_text.h"
#include "rules/engine/engine.h"
#include "tests/support/sample_report.h"

using namespace gpulint;
using namespace gpulint::testing;

namespace {

/// The excerpt as it appears: the line, and below it the mark in its place.
std::string drawn(std::string_view line, std::uint32_t begin, std::uint32_t end, std::uint32_t lines = 1) {
  const Excerpt excerpt = excerpt_of({line}, {{1, begin}, {lines, end}});
  return excerpt.line + "\n" + std::string(excerpt.indent, ' ') + excerpt.mark + "\n";
}

/// What stands above the mark.
std::string marked(const Finding& finding) {
  const Excerpt excerpt = excerpt_of({finding.excerpt, finding.excerpt_column, finding.excerpt_goes_on}, finding.range);
  std::string text;
  std::size_t cell = 0;
  for (const Glyph& glyph : glyphs_of(excerpt.line)) {
    if (cell >= excerpt.indent && cell < excerpt.indent + excerpt.mark.size()) text += glyph.text;
    cell += glyph.width;
  }
  return text;
}

/// A Pod in one line of JSON: text in front, then containers of which each has one error at the value of its request.
std::string pod_in_one_line(const std::string& before, std::size_t containers) {
  std::string text = R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "annotations": {"note": ")" + before + R"("}}, "spec": {"containers": [)";
  for (std::size_t i = 0; i < containers; ++i)
    text += (i ? ", " : "") + std::string(R"({"name": "c)") + std::to_string(i) + R"(", "resources": {"requests": {"nvidia.com/gpu": )" + std::to_string(1000 + i) + "}}}";
  return text + "]}}";
}

}  // namespace

TEST_CASE("an excerpt marks what the range covers") {
  struct Row { const char *what, *line; std::uint32_t begin, end, lines; const char* expected; };
  const std::vector<Row> rows{
      {"a word", "  limits: 1", 3, 9, 1, "  limits: 1\n  ^~~~~~\n"},
      {"one column", "a: 1", 4, 5, 1, "a: 1\n   ^\n"},
      {"nothing: the place", "a: 1", 3, 3, 1, "a: 1\n  ^\n"},
      {"behind the end", "a: 1", 5, 5, 1, "a: 1\n    ^\n"},
      {"far behind the end", "a: 1", 50, 60, 1, "a: 1\n    ^\n"},
      {"an end before its beginning", "a: 1", 4, 2, 1, "a: 1\n   ^\n"},
      {"an empty line", "", 1, 1, 1, "\n^\n"},
      {"what goes on below: to the end of the line", "run: |", 6, 3, 4, "run: |\n     ^\n"},
      {"a tab is four blanks", "\tkey: 1", 2, 5, 1, "    key: 1\n    ^~~\n"},
      {"wide characters take two cells", "名前: 値 x", 5, 6, 1, "名前: 値 x\n      ^~\n"},
      {"a combining mark takes none", "e\xCC\x81: x", 5, 6, 1, "e\xCC\x81: x\n   ^\n"},
      {"an escape sequence is shown, not sent", "a: \x1b[31mx", 4, 5, 1, "a: \\x1b[31mx\n   ^~~~\n"},
      {"a bidirectional override is shown", "a: \xE2\x80\xAEx", 5, 6, 1, "a: <U+202E>x\n           ^\n"},
      {"Thai, Hebrew and Devanagari marks take none", "ก็ שָ हे: x", 11, 12, 1, "ก็ שָ हे: x\n       ^\n"},
      {"emoji take two cells, old and new ones", "⚡🫠: x", 5, 6, 1, "⚡🫠: x\n      ^\n"},
      {"a flag is two letters of one cell each", "🇩🇪: x", 5, 6, 1, "🇩🇪: x\n    ^\n"},
      {"a blank of no width is shown", "a\xE2\x80\x8B: x", 5, 6, 1, "a<U+200B>: x\n           ^\n"},
      {"a letter drawn in half a character's width", "ｱ: x", 4, 5, 1, "ｱ: x\n   ^\n"},
      {"a byte like the inside of a character has no column", "\x80\x80" "a: x", 4, 5, 1, "\\x80\\x80a: x\n           ^\n"},
      {"half a character is one column", "\xE5\x80: x", 4, 5, 1, "\\xe5\\x80: x\n          ^\n"},
      {"bytes that are no UTF-8 count one column each", "\xff\xfe: x", 5, 6, 1, "\\xff\\xfe: x\n          ^\n"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    check_text(row.expected, drawn(row.line, row.begin, row.end, row.lines));
  }
}

TEST_CASE("a long line is cut around the place") {
  const std::string line = "begin " + std::string(5000, 'a') + " HERE " + std::string(5000, 'b') + " end";
  const std::uint32_t here = 6 + 5000 + 2;
  check_text("..." + std::string(39, 'a') + " HERE " + std::string(75, 'b') + "...\n" + std::string(43, ' ') + "^~~~\n", drawn(line, here, here + 4));
  check_text("begin " + std::string(114, 'a') + "...\n^~~~~\n", drawn(line, 1, 6));
  const std::uint32_t end = static_cast<std::uint32_t>(line.size()) - 2;
  check_text("..." + std::string(116, 'b') + " end\n" + std::string(120, ' ') + "^~~\n", drawn(line, end, end + 3));
  SUBCASE("the mark ends where the line is cut") { CHECK(excerpt_of({line}, {{1, 1}, {1, 9000}}).mark.size() == kExcerptWidth); }
  SUBCASE("a line that just fits is not cut") { CHECK(excerpt_of({std::string(kExcerptWidth, 'x')}, {}).line == std::string(kExcerptWidth, 'x')); }
}

TEST_CASE("visible replaces what a terminal would obey, and nothing else") {
  struct Row { std::string given; const char* expected; };
  for (const Row& row : {Row{"plain", "plain"}, {"größer 値 🚀", "größer 値 🚀"}, {"a\nb\r", "a\\x0ab\\x0d"}, {std::string("\0\x7f", 2), "\\x00\\x7f"},
                         {"\xC2\x9B" "31m", "<U+009B>31m"}, {"\xE2\x80\xA8", "<U+2028>"}, {"\xEF\xBB\xBFx", "<U+FEFF>x"}, {"\xC0\x80", "\\xc0\\x80"},
                         {"\xED\xA0\x80", "\\xed\\xa0\\x80"}, {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, {"\xE5\x80", "\\xe5\\x80"}, {"\xC2\xAD", "<U+00AD>"},
                         {"\xD8\x9C", "<U+061C>"}, {"\xE2\x81\xA6", "<U+2066>"}, {"\xEF\xBF\xBE", "<U+FFFE>"}, {"\xF3\xA0\x81\x81", "<U+E0041>"},
                         {"👩\xE2\x80\x8D🔬", "👩\xE2\x80\x8D🔬"}}) {
    CAPTURE(row.expected);
    CHECK(visible(row.given) == row.expected);
  }
}


TEST_CASE("a place in a very long line keeps its surroundings, and the mark under it") {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  for (const std::string& before : {std::string(10000, 'x'), std::string(1 << 20, 'x'), repeated("値", 5000), repeated("🚀 e\xCC\x81", 100000), std::string(990, 'x')}) {
    const std::string text = pod_in_one_line(before, 300);
    const FileReport report = inspect(Source("p.json", text), Policy());
    std::size_t found = 0;
    for (const Finding& finding : report.findings) {
      if (finding.rule->id != "gpu-request-without-limit") continue;
      CHECK(marked(finding) == std::to_string(1000 + found++));
      CHECK(finding.excerpt.size() <= 1000);
      CHECK(finding.excerpt_column > 1);
    }
    CHECK(found == 300);
  }
}

TEST_CASE("the excerpt of a long line says on which side it was cut") {
  const std::string text = pod_in_one_line(std::string(3000, 'x'), 40);
  const FileReport report = inspect(Source("p.json", text), Policy());
  const auto drawn_line = [](const Finding& finding) { return excerpt_of({finding.excerpt, finding.excerpt_column, finding.excerpt_goes_on}, finding.range).line; };
  const Finding *first = nullptr, *last = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.rule->id != "gpu-request-without-limit") continue;
    if (!first) first = &finding;
    last = &finding;
  }
  REQUIRE(last != nullptr);
  CHECK(drawn_line(*first).starts_with("..."));
  CHECK(drawn_line(*first).ends_with("..."));
  CHECK(drawn_line(*last).ends_with(R"("nvidia.com/gpu": 1039}}}]}})"));
  CHECK(glyphs_of(drawn_line(*last)).size() == kExcerptWidth + 3);
}
