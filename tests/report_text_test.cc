// The report for people (text), for editors (compact), and how a source line is drawn under a finding.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lint/excerpt.h"
#include "lint/report.h"
#include "lint/visible_text.h"
#include "tests/support/golden.h"
#include "tests/support/sample_report.h"

using namespace gpulint;
using namespace gpulint::testing;

namespace {

/// The excerpt as it appears: the line, and below it the mark in its place.
std::string drawn(std::string_view line, std::uint32_t begin, std::uint32_t end, std::uint32_t lines = 1) {
  const Excerpt excerpt = excerpt_of(line, {{1, begin}, {lines, end}});
  return excerpt.line + "\n" + std::string(excerpt.indent, ' ') + excerpt.mark + "\n";
}

void check_text(const std::string& expected, const std::string& actual) {
  const std::string found = difference(expected, actual);
  CHECK_MESSAGE(found.empty(), found);
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
  SUBCASE("the mark ends where the line is cut") { CHECK(excerpt_of(line, {{1, 1}, {1, 9000}}).mark.size() == kExcerptWidth); }
  SUBCASE("a line that just fits is not cut") { CHECK(excerpt_of(std::string(kExcerptWidth, 'x'), {}).line == std::string(kExcerptWidth, 'x')); }
}

TEST_CASE("visible replaces what a terminal would obey, and nothing else") {
  struct Row { std::string given; const char* expected; };
  for (const Row& row : {Row{"plain", "plain"}, {"größer 値 🚀", "größer 値 🚀"}, {"a\nb\r", "a\\x0ab\\x0d"}, {std::string("\0\x7f", 2), "\\x00\\x7f"},
                         {"\xC2\x9B" "31m", "<U+009B>31m"}, {"\xE2\x80\xA8", "<U+2028>"}, {"\xEF\xBB\xBFx", "<U+FEFF>x"}, {"\xC0\x80", "\\xc0\\x80"},
                         {"\xED\xA0\x80", "\\xed\\xa0\\x80"}, {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, {"\xE5\x80", "\\xe5\\x80"}}) {
    CAPTURE(row.expected);
    CHECK(visible(row.given) == row.expected);
  }
}

TEST_CASE("text: a finding, its line, what to do; then the counts") {
  Finding fixable = finding_of(kLimitRule, Severity::error, "          nvidia.com/gpu: 1", 27, 28);
  fixable.fix = Fix{"Add the limit", Safety::safe, {}};
  Finding risky = finding_of(kLimitRule, Severity::warning, "spec:", 1, 5);
  risky.fix = Fix{"Remove the variable", Safety::unsafe, {}};
  Report report = report_of({fixable, risky, finding_of(kClassRule, Severity::warning), finding_of(kClassRule, Severity::info, "x", 1, 2)});
  report.counts = {.files = 2, .documents = 5, .skipped_documents = 3, .pod_templates = 1, .gpu_requests = 4};
  check_text(R"(a/b.yaml:12:27: error: container "main": something is wrong [some-limit]
   12 |           nvidia.com/gpu: 1
      |                           ^
      = hint: Add the limit

a/b.yaml:12:1: warning: container "main": something is wrong [some-limit]
   12 | spec:
      | ^~~~
      = hint: Remove the variable (may change what the workload does)

a/b.yaml:12:1: warning: container "main": something is wrong [some-class]
      = hint: Set the class.

Checked 2 files: 5 documents (3 without a GPU word), 1 pod template, 4 GPU requests.
Found 1 error, 2 warnings, 1 info (see it with --show info).
)",
             written(write_text, report, {}));
}

TEST_CASE("text: what is listed follows the options") {
  Finding suppressed = finding_of(kLimitRule, Severity::error, "x", 1, 2);
  suppressed.suppressed = Suppression{"annotation", "a test rig"};
  const Report report = report_of({suppressed, finding_of(kClassRule, Severity::info)});
  const std::string nothing = "Checked 0 files: 0 documents, 0 pod templates, 0 GPU requests.\n";
  check_text(nothing + "Found 0 errors, 0 warnings, 1 info (see it with --show info), 1 suppressed (see it with --show suppressed).\n",
             written(write_text, report, {}));
  check_text("a/b.yaml:12:1: info: container \"main\": something is wrong [some-class]\n      = hint: Set the class.\n",
             written(write_text, report, {.show_infos = true, .summary = false}));
  check_text("a/b.yaml:12:1: error: container \"main\": something is wrong [some-limit]\n   12 | x\n      | ^\n"
             "      = suppressed by annotation: a test rig\n",
             written(write_text, report, {.show_suppressed = true, .summary = false}));
  CHECK(written(write_text, report, {.summary = false}).empty());
}

TEST_CASE("text: the summary names what was not judged and what depends on the cluster") {
  Report report;
  report.counts = {.files = 7, .documents = 8};
  for (const char* file : {"a.yaml", "a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"}) report.not_judged.push_back({file, 0, "unrendered template"});
  report.not_judged.push_back({"z\n.yaml", 0, "larger than 256 MiB"});
  report.undecided = {{"some-class", 1}, {"some-limit", 3}};
  std::string names;
  for (const Preset& preset : presets())
    if (preset.name != "generic") names += (names.empty() ? "" : ", ") + std::string(preset.name);
  check_text(R"(Checked 7 files: 8 documents, 0 pod templates, 0 GPU requests.
Found 0 errors, 0 warnings, 0 infos.
Not judged:
  larger than 256 MiB: z\x0a.yaml
  unrendered template (6 times): a.yaml, b.yaml, c.yaml and 2 files more
Depends on the cluster: some-class (1 object), some-limit (3 objects). Name it with --cluster NAME ()" + names + ").\n",
             written(write_text, report, {}));
}

TEST_CASE("text: colour sets off severity, place and mark, and only when asked for") {
  const Report report = report_of({finding_of(kLimitRule, Severity::error, "a: 1", 4, 5)});
  check_text("\x1b[1ma/b.yaml:12:4:\x1b[0m \x1b[1;31merror\x1b[0m: container \"main\": something is wrong [some-limit]\n"
             "   12 | a: 1\n"
             "      |    \x1b[32m^\x1b[0m\n"
             "      = \x1b[1;36mhint\x1b[0m: Do what is right.\n",
             written(write_text, report, {.colour = true, .summary = false}));
  CHECK(written(write_text, report, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("text: the gutter grows with the line number") {
  Finding finding = finding_of(kLimitRule, Severity::error, "a: 1", 4, 5);
  finding.range = {{1234567, 4}, {1234567, 5}};
  check_text("a/b.yaml:1234567:4: error: container \"main\": something is wrong [some-limit]\n 1234567 | a: 1\n         |    ^\n"
             "         = hint: Do what is right.\n",
             written(write_text, report_of({finding}), {.summary = false}));
}

TEST_CASE("compact: one line a finding, whatever stands in names and messages") {
  Finding odd = finding_of(kLimitRule, Severity::error, "x", 3, 4);
  odd.file = "a\nb.yaml";
  odd.message = "value \"\x1b[2J\"\nsecond line";
  const Report report = report_of({odd, finding_of(kClassRule, Severity::warning), finding_of(kClassRule, Severity::info)});
  const std::string two = "a\\x0ab.yaml:12:3: error: value \"\\x1b[2J\"\\x0asecond line [some-limit]\n"
                          "a/b.yaml:12:1: warning: container \"main\": something is wrong [some-class]\n";
  check_text(two, written(write_compact, report, {.colour = true}));
  check_text(two + "a/b.yaml:12:1: info: container \"main\": something is wrong [some-class]\n", written(write_compact, report, {.show_infos = true}));
}
