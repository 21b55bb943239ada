// read_json: the same tree as of YAML, with the exact place of every token; and what JSON rejects.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rules/document/document.h"
#include "rules/document/json_pointer.h"
#include "tests/support/golden.h"

using namespace gpulint;

namespace {

/// One line a node: pointer, key and value as they stand in the source, the value as it is understood.
std::string outline(const Source& source, const Node& root) {
  std::string out;
  for_each_node(root, [&](const Node& node) {
    const std::string key = node.key_span == Span{} ? "" : fmt::format(" `{}`", source.text(node.key_span));
    out += fmt::format("{}{} `{}`{}\n", JsonPointer::to(node, root).text(), key, source.text(node.span), node.is_scalar() ? fmt::format(" = {}", to_json(node)) : "");
  });
  return out;
}

}  // namespace

TEST_CASE("every token has its exact place") {
  const Source source("test", "\xEF\xBB\xBF { \"a\" : [ 1 ,-2.50e1,true , false,null, \"b\\n\\u0041\\ud83d\\ude00\" ],\r\n\t\"c/\\u00e9\":{\"d\":{}, \"e\" :[]}, \"f\":\"\u20ac\",\"g\":1.0}\n");
  const Documents documents = read_json(source, {});
  REQUIRE_MESSAGE(documents.list.at(0).root, documents.list[0].problem);
  constexpr std::string_view expected =
      " `{ \"a\" : [ 1 ,-2.50e1,true , false,null, \"b\\n\\u0041\\ud83d\\ude00\" ],\r\n\t\"c/\\u00e9\":{\"d\":{}, \"e\" :[]}, \"f\":\"\u20ac\",\"g\":1.0}`\n"
      "/a `\"a\"` `[ 1 ,-2.50e1,true , false,null, \"b\\n\\u0041\\ud83d\\ude00\" ]`\n"
      "/a/0 `1` = 1\n/a/1 `-2.50e1` = -25\n/a/2 `true` = true\n/a/3 `false` = false\n/a/4 `null` = null\n/a/5 `\"b\\n\\u0041\\ud83d\\ude00\"` = \"b\\nA\U0001F600\"\n"
      "/c~1\u00e9 `\"c/\\u00e9\"` `{\"d\":{}, \"e\" :[]}`\n/c~1\u00e9/d `\"d\"` `{}`\n/c~1\u00e9/e `\"e\"` `[]`\n/f `\"f\"` `\"\u20ac\"` = \"\u20ac\"\n/g `\"g\"` `1.0` = 1\n";
  CHECK_MESSAGE(outline(source, *documents.list[0].root) == expected, testing::difference(expected, outline(source, *documents.list[0].root)));
}

TEST_CASE("a scalar alone is a document") {
  for (const std::string_view text : {"1", " -0.5 ", "\"a\"", "null", "true"}) {
    const Source source("test", std::string(text));
    const Documents documents = read_json(source, {});
    REQUIRE_MESSAGE(documents.list.at(0).root, text);
    CHECK(text.find(source.text(documents.list[0].root->span)) != text.npos);
  }
}

TEST_CASE("the last of duplicate keys counts") {
  const Source source("test", R"({"a": 1, "b": {"c": 1, "\u0063": 2}, "a": 3})");
  const Documents documents = read_json(source, {});
  const Document& document = documents.list.at(0);
  CHECK(to_json(*document.root) == R"({"b":{"c":2},"a":3})");
  REQUIRE(document.duplicates.size() == 2);
  CHECK(source.text(document.duplicates[0].kept->key_span) == "\"\\u0063\"");
  CHECK(document.duplicates[1].lost->key_span.begin == 1);
  CHECK(document.duplicates[1].kept->key_span.begin == 37);
}

TEST_CASE("`<<` and anchors mean nothing in JSON") {
  const Source source("test", R"({"<<": {"a": 1}, "b": "&c", "d": "*c", "e": "yes", "f": "0644"})");
  CHECK(to_json(*read_json(source, {}).list.at(0).root) == R"({"<<":{"a":1},"b":"&c","d":"*c","e":"yes","f":"0644"})");
}

TEST_CASE("what JSON rejects is explained") {
  struct Row {
    std::string_view text, place, problem;
  };
  constexpr Row rows[] = {
      {"", "1:1", "the text ends before the JSON value does"},
      {"{\"a\": 1", "1:7", "the text ends before the JSON value does"},
      {"[1, 2,", "1:6", "the text ends before the JSON value does"},
      {"{\"a\": 1,}", "1:8", "a comma stands behind the last value"},
      {"[1, 2 ,\n]", "1:7", "a comma stands behind the last value"},
      {"{\"a\": 1 \"b\": 2}", "1:9", "a comma or colon is missing"},
      {"{\"a\" 1}", "1:6", "a comma or colon is missing"},
      {"[1 2]", "1:4", "a comma or colon is missing"},
      {"[1, 2}", "1:6", "`}` closes what another bracket opened, or a value is missing"},
      {"{\"a\": }", "1:7", "`}` closes what another bracket opened, or a value is missing"},
      {"{\"a\": // b\n1}", "1:7", "JSON has no comments"},
      {"# a\n{}", "1:1", "JSON has no comments"},
      {"{'a': 1}", "1:2", "JSON quotes with `\"` only"},
      {"{a: 1}", "1:2", "no JSON value begins here"},
      {"{\"a\": tru}", "1:7", "no JSON value begins here"},
      {"{\"a\": .5}", "1:7", "no JSON value begins here"},
      {"{\"a\": \"b}", "1:7", "the quote that opens here is never closed"},
      {"{\"a\": \"b\n\"}", "1:7", "a string goes on over the end of its line"},
      {"{\"a\": \"\tb\"}", "1:8", "a control character stands in a string"},
      {"{\"a\": \"\\q\"}", "1:9", "no escape of JSON is written so"},
      {"{\"a\": \"\xFF\"}", "1:8", "the text is not valid UTF-8"},
      {"{\"a\": 1e999}", "1:7", "the number is too large for a double"},
      {"{} {}", "1:4", "more text follows the end of the JSON value"},
      {"{}\nx", "2:1", "more text follows the end of the JSON value"},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_json(source, {});
    const Document& document = documents.list.at(0);
    const Position position = source.position(document.problem_span.begin);
    CHECK_MESSAGE(document.state == DocumentState::invalid, row.text);
    CHECK_MESSAGE(document.root == nullptr, row.text);
    CHECK_MESSAGE(fmt::format("{}:{}", position.line, position.column) == row.place, row.text, ": ", document.problem);
    CHECK_MESSAGE(document.problem == row.problem, row.text);
  }
}

TEST_CASE("read_manifest tells JSON from YAML") {
  struct Row {
    std::string_view what, text;
    std::size_t documents;
    std::string_view result;
  };
  constexpr Row rows[] = {
      {"JSON with a surrogate pair, which YAML rejects", R"({"a": "\ud83d\ude00"})", 1, "{\"a\":\"\U0001F600\"}"},
      {"flow YAML", "{a: b, c: 0644}", 1, R"({"a":"b","c":420})"},
      {"a comment in flow YAML", "{a: b, # c\n d: e}", 1, R"({"a":"b","d":"e"})"},
      {"JSON documents in a YAML stream", "{\"a\":1}\n---\n{\"b\":2}\n", 2, R"({"a":1})"},
      {"broken JSON, told as JSON", "{\"a\": 1 \"b\": 2}", 1, "a comma or colon is missing"},
      {"broken flow YAML, told as YAML", "{a: 1 b: 2}", 1, "a `,` or `}` is missing in a mapping"},
      {"a template", "{{ .x }}: y\n", 1, "{{ .x }}"},
      {"blanks in front", "\n \t{\"a\": [1.0]}", 1, R"({"a":[1]})"},
      {"block YAML", "a: b\n", 1, R"({"a":"b"})"},
      {"nothing", "", 0, ""},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_manifest(source, {});
    REQUIRE_MESSAGE(documents.list.size() == row.documents, row.what);
    if (documents.list.empty()) continue;
    const Document& document = documents.list[0];
    CHECK_MESSAGE((document.root ? to_json(*document.root) : document.problem) == row.result, row.what);
  }
}
