// What both readers do with too much, with text in other encodings, and with documents that cannot matter.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "tests/support/golden.h"

using namespace gpulint;

namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string nested(std::string_view open, std::string_view close, std::size_t depth) { return repeated(open, depth) + "1" + repeated(close, depth); }

/// Aliases ten times ten times ten ...
std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) text += fmt::format("a{0}: &a{0} [{1}]\n", i, repeated(fmt::format("*a{}, ", i - 1), 10));
  return text;
}

}  // namespace

TEST_CASE("nesting has a limit that holds while events arrive") {
  struct Row {
    std::string_view what;
    std::string text;
    bool accepted;
  };
  const Row rows[] = {
      {"at the limit", nested("[", "]", kMaxDepth), true},
      {"one above it", nested("[", "]", kMaxDepth + 1), false},
      {"mappings at the limit", nested("{\"a\":", "}", kMaxDepth), true},
      {"mappings above it", nested("{\"a\":", "}", kMaxDepth + 1), false},
      {"100,000 brackets", repeated("[", 100'000), false},
      {"100,000 brackets on as many lines", repeated("[\n", 100'000), false},
      {"100,000 braces", repeated("{\"a\":", 100'000), false},
      {"100,000 dashes", repeated("- ", 100'000), false},
      {"an alias at the limit", "a: &a [[1]]\nb: " + nested("[", "]", kMaxDepth - 4).replace(kMaxDepth - 4, 1, "*a") + "\n", true},
      {"an alias that goes above it", "a: &a " + nested("[", "]", 300) + "\nb: " + nested("[", "]", 300).replace(300, 1, "*a") + "\n", false},
  };
  for (const Row& row : rows) {
    const Source source("test", row.text);
    const Documents documents = read_manifest(source, {});
    const Document& document = documents.list.at(0);
    CHECK_MESSAGE(document.state == (row.accepted ? DocumentState::parsed : DocumentState::invalid), row.what, ": ", document.problem);
    if (!row.accepted) CHECK_MESSAGE(document.problem.find("nested more than 512 deep") != std::string::npos, row.what, ": ", document.problem);
  }
}

TEST_CASE("aliases cannot expand without end") {
  const Source source("test", alias_bomb());
  const Documents documents = read_yaml(source, {.max_nodes = 100'000});
  const Document& document = documents.list.at(0);
  CHECK(document.state == DocumentState::invalid);
  CHECK(document.problem == "the document has more than 100000 values, expanded aliases included");
  CHECK(source.text(document.problem_span) == "*a3");
}

TEST_CASE("the limit of values counts every value") {
  for (const std::string_view text : {"[1,2,3]", "{\"a\":1,\"b\":2,\"c\":3}"}) {
    const Source source("test", std::string(text));
    CHECK(read_yaml(source, {.max_nodes = 4}).list[0].state == DocumentState::parsed);
    CHECK(read_yaml(source, {.max_nodes = 3}).list[0].state == DocumentState::invalid);
    CHECK(read_json(source, {.max_nodes = 4}).list[0].state == DocumentState::parsed);
    CHECK(read_json(source, {.max_nodes = 3}).list[0].state == DocumentState::invalid);
  }
}

TEST_CASE("directives have a limit") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("%TAG !t{}! x:\n", i);
  const Source source("test", text + "---\na: b\n---\nc: d\n");
  const Documents documents = read_yaml(source, {});
  CHECK(documents.list.at(0).problem == "more than 100 directives stand above the document");
  CHECK(documents.list.at(1).state == DocumentState::parsed);
}

TEST_CASE("text in other encodings is refused and says so") {
  struct Row {
    const char* file;
    const char* problem;
    std::size_t documents;
  };
  constexpr Row rows[] = {
      {"utf-16-le.yaml", "the text is UTF-16, not UTF-8", 1},  {"utf-16-be.yaml", "the text is UTF-16, not UTF-8", 1},   {"utf-16-be-no-mark.yaml", "the text is UTF-16, not UTF-8", 1},
      {"utf-32-le.yaml", "the text is UTF-32, not UTF-8", 1},  {"binary.yaml", "a NUL byte: this is not text", 1},       {"latin-1.yaml", "the text is not valid UTF-8", 2},
  };
  const WordFilter words({"gpu"});
  for (const Row& row : rows) {
    const Source source(row.file, testing::read_file(std::string("testdata/documents/") + row.file));
    const Documents documents = read_manifest(source, {});
    REQUIRE(documents.list.size() == row.documents);
    CHECK_MESSAGE(documents.list[0].state == DocumentState::invalid, row.file);
    CHECK_MESSAGE(documents.list[0].problem == row.problem, row.file);
    // What hides every word must not pass for text without words.
    if (row.documents == 1) CHECK_MESSAGE(read_manifest(source, {.words = &words}).list.at(0).state == DocumentState::invalid, row.file);
    else CHECK(documents.list[1].state == DocumentState::parsed);
  }
}

TEST_CASE("a byte order mark and CRLF change no place") {
  const Source source("bom-crlf.yaml", testing::read_file("testdata/documents/bom-crlf.yaml"));
  const Documents documents = read_manifest(source, {});
  REQUIRE(documents.list.size() == 1);
  const Node& root = *documents.list[0].root;
  CHECK(to_json(root) == "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"\u00e9\"},\"data\":{\"script\":\"one\\ntwo\\n\",\"last\":\"x\"}}");
  CHECK(source.position(root.find("apiVersion")->key_span.begin) == Position{1, 1});
  CHECK(source.text(root.at("metadata", "name")->span) == "\"\u00e9\"");
  CHECK(source.text(root.at("data", "script")->span) == "|\r\n    one\r\n    two");
  CHECK(source.text(root.at("data", "last")->span) == "x");
  CHECK(source.position(root.at("data", "last")->span.begin) == Position{9, 9});
}

TEST_CASE("documents without a word are counted, not read") {
  const WordFilter words({"gpu"});
  struct Row {
    std::string_view what, text;
    std::vector<DocumentState> states;
  };
  constexpr auto parsed = DocumentState::parsed, skipped = DocumentState::skipped, empty = DocumentState::empty, invalid = DocumentState::invalid;
  const Row rows[] = {
      {"no word at all", "a: b\n---\n---\nc: [\n", {skipped, empty, skipped}},
      {"one of three", "a: b\n---\nc: GPU\n---\nd: e\n", {skipped, parsed, skipped}},
      {"in a comment", "a: b # gpu\n", {parsed}},
      {"above the marker is no part of the document", "# gpu\n---\na: b\n", {skipped}},
      {"an escape that could spell one", "a: \"\\x67pu\"\n---\nb: \"\\u0067pu\"\n---\nc: \"\\U00000067pu\"\n---\nd: \"\\n\"\n", {parsed, parsed, parsed, skipped}},
      {"a broken document with the word", "a: [gpu\n---\nb: [\n", {invalid, skipped}},
      {"JSON with the word", "{\"a\": \"gpu\"}", {parsed}},
      {"JSON without", "{\"a\": \"b\"}", {skipped}},
      {"JSON with an escape", "{\"a\": \"\\u0067pu\"}", {parsed}},
      {"flow YAML without, counted as YAML", "{a: b}\n---\n{c: d}\n", {skipped, skipped}},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_manifest(source, {.words = &words});
    std::vector<DocumentState> states;
    for (const Document& document : documents.list) states.push_back(document.state);
    CHECK_MESSAGE(states == row.states, row.what);
    for (std::size_t i = 0; i < documents.list.size(); ++i) CHECK(documents.list[i].index == i);
  }
}
