// to_json: a tree as compact JSON, whatever bytes its strings hold.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rules/document/document.h"

using namespace gpulint;

TEST_CASE("a tree is written in document order") {
  struct Row {
    std::string_view yaml, json;
  };
  constexpr Row rows[] = {
      {"b: 1\na: [x, {}, [], ~, yes, 1.5, '']\n", R"({"b":1,"a":["x",{},[],null,true,1.5,""]})"},
      {"[]", "[]"}, {"{}", "{}"}, {"[[]]", "[[]]"}, {"x", "\"x\""}, {"--- ''", "\"\""}, {"--- 0644", "420"}, {"--- 1e400", "\"1e400\""},
      {"a: 99999999999999999999\n", R"({"a":100000000000000000000})"},
      {"\"a\\\"b\": \"c\\\\\\n\\t\\r\\b\\f\\e\\x7F\"\n", R"({"a\"b":"c\\\n\t\r\b\f\u001b\u007f"})"},
      {"a: \"/<>&\u00e9\u20ac\U0001F600\"\n", "{\"a\":\"/<>&\u00e9\u20ac\U0001F600\"}"},
      {"a: \"\\0\"\n", R"({"a":"\u0000"})"},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.yaml));
    const Documents documents = read_yaml(source, {});
    REQUIRE_MESSAGE(documents.list.at(0).root, row.yaml, documents.list[0].problem);
    const std::string json = to_json(*documents.list[0].root);
    CHECK_MESSAGE(json == row.json, row.yaml);
    CHECK_MESSAGE(nlohmann::json::accept(json), json);
  }
}

TEST_CASE("a part of a tree is written without its key") {
  const Source source("test", "a: {b: [1, 2]}\nc: d\n");
  const Documents documents = read_yaml(source, {});
  CHECK(to_json(*documents.list.at(0).root->find("a")) == R"({"b":[1,2]})");
  CHECK(to_json(*documents.list[0].root->at("a", "b")->element(0)) == "1");
}

TEST_CASE("bytes that are not UTF-8 are replaced one by one") {
  struct Row {
    std::string_view text, json;
  };
  constexpr Row rows[] = {
      {"a\xFF" "b", "\"a\uFFFD" "b\""},
      {"\xC3", "\"\uFFFD\""},
      {"\xE2\x82", "\"\uFFFD\uFFFD\""},
      {"\xC0\x80", "\"\uFFFD\uFFFD\""},
      {"\xED\xA0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
      {"\xF4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
      {"\xF0\x9F\x98\x80", "\"\U0001F600\""},
  };
  for (const Row& row : rows) {
    Node node;
    node.kind = NodeKind::string;
    node.text = row.text;
    CHECK(to_json(node) == row.json);
    CHECK(nlohmann::json::accept(to_json(node)));
  }
}

TEST_CASE("depth costs no stack") {
  std::string text;
  for (int i = 0; i < kMaxDepth; ++i) text += i % 2 ? "{\"a\":" : "[";
  std::string close;
  for (int i = 0; i < kMaxDepth; ++i) close.insert(close.begin(), i % 2 ? '}' : ']');
  const Source source("test", text + "1" + close);
  const Documents documents = read_json(source, {});
  REQUIRE_MESSAGE(documents.list.at(0).root, documents.list[0].problem);
  CHECK(to_json(*documents.list[0].root) == source.bytes());
}
