// read_yaml: the tree of a document with the place of everything in it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/document/json_pointer.h"
#include "tests/support/golden.h"

using namespace gpulint;

namespace {

/// One line a node: pointer, `key`, `value` as they stand in the source, and what else is to say.
std::string outline(const Source& source, const Node& root) {
  constexpr const char* styles[] = {"", " single", " double", " literal", " folded", "", " flow"};
  std::string out;
  for_each_node(root, [&](const Node& node) {
    const std::string key = node.key_span == Span{} ? "" : fmt::format(" `{}`", source.text(node.key_span));
    out += fmt::format("{}{} `{}`", JsonPointer::to(node, root).text(), key, source.text(node.span));
    if (node.span.begin == node.span.end) out += fmt::format(" at {}", node.span.begin);
    out += styles[static_cast<std::size_t>(node.style)];
    out += fmt::format("{}{}{}\n", node.via_alias ? " aliased" : "", node.has_anchor ? " anchor" : "", node.has_tag ? " tag" : "");
  });
  return out;
}

struct Row {
  std::string_view what, text, json;
};

void check_rows(const auto& rows) {
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_yaml(source, {});
    const Document& document = documents.list.at(0);
    const std::string json = document.root ? to_json(*document.root) : document.problem;
    CHECK_MESSAGE(json == row.json, row.what);
  }
}

}  // namespace

TEST_CASE("keys and values have their exact places") {
  struct Outline {
    std::string_view what, text, outline;
  };
  constexpr Outline rows[] = {
      {"plain, quoted and missing values", "a: b # c\n\"d\": 'e'\nf:\ng: \"h\"\n",
       " `a: b # c\n\"d\": 'e'\nf:\ng: \"h\"`\n/a `a` `b`\n/d `\"d\"` `'e'` single\n/f `f` `` at 20\n/g `g` `\"h\"` double\n"},
      {"lists, and what stands in none of their elements", "- a\n-\n- b: c\n  d: e\n\n# end\n", " `- a\n-\n- b: c\n  d: e`\n/0 `a`\n/1 `` at 5\n/2 `b: c\n  d: e`\n/2/b `b` `c`\n/2/d `d` `e`\n"},
      {"flow collections", "a: [b, {c: d}, e: f]\ng: {h, i: , \"j\"}\n",
       " `a: [b, {c: d}, e: f]\ng: {h, i: , \"j\"}`\n/a `a` `[b, {c: d}, e: f]` flow\n/a/0 `b`\n/a/1 `{c: d}` flow\n/a/1/c `c` `d`\n/a/2 `e: f` flow\n/a/2/e `e` `f`\n"
       "/g `g` `{h, i: , \"j\"}` flow\n/g/h `h` `` at 26\n/g/i `i` `` at 30\n/g/j `\"j\"` `` at 36\n"},
      {"block scalars end with their text", "a: |\n  x\n\n  y\n\n\nb: >-\n  z\n  w\n# end\n", " `a: |\n  x\n\n  y\n\n\nb: >-\n  z\n  w`\n/a `a` `|\n  x\n\n  y` literal\n/b `b` `>-\n  z\n  w` folded\n"},
      {"anchors and tags are no part of a value", "a: &x !!str b\nc: !!map\n  d: e\nf: &y # why\n  - g\nh: &z\ni: !!str\n",
       " `a: &x !!str b\nc: !!map\n  d: e\nf: &y # why\n  - g\nh: &z\ni: !!str`\n/a `a` `b` anchor tag\n/c `c` `d: e` tag\n/c/d `d` `e`\n/f `f` `- g` anchor\n/f/0 `g`\n/h `h` `` at 53 anchor\n/i `i` `` at 62 tag\n"},
      {"those of a first key are no part of its mapping", "- &x a: b\n- !!str c: d\n- [!t e: f]\n- ! {g: h}\n- &y\n  &z i: j\n",
       " `- &x a: b\n- !!str c: d\n- [!t e: f]\n- ! {g: h}\n- &y\n  &z i: j`\n/0 `&x a: b`\n/0/a `a` `b`\n/1 `!!str c: d`\n/1/c `c` `d`\n/2 `[!t e: f]` flow\n/2/0 `!t e: f` flow\n/2/0/e `e` `f`\n"
       "/3 `{g: h}` flow tag\n/3/g `g` `h`\n/4 `&z i: j` anchor\n/4/i `i` `j`\n"},
      {"an aliased value stands at its anchor, its key where it is used", "a: &x {b: c}\nd: *x\ne: f\n",
       " `a: &x {b: c}\nd: *x\ne: f`\n/a `a` `{b: c}` flow anchor\n/a/b `b` `c`\n/d `d` `{b: c}` flow aliased anchor\n/d/b `b` `c` aliased\n/e `e` `f`\n"},
      {"an alias at the end ends its collection", "a: &x b\nc:\n  - *x\n", " `a: &x b\nc:\n  - *x`\n/a `a` `b` anchor\n/c `c` `- *x`\n/c/0 `b` aliased anchor\n"},
      {"merged members stand at their anchor", "a: &x {b: c}\nd:\n  <<: *x\n  e: f\n",
       " `a: &x {b: c}\nd:\n  <<: *x\n  e: f`\n/a `a` `{b: c}` flow anchor\n/a/b `b` `c`\n/d `d` `<<: *x\n  e: f`\n/d/b `b` `c` aliased\n/d/e `e` `f`\n"},
      {"code points of several bytes", "\u00e9: \"\u20ac\"\n\U0001F600: [\u00fc, x]\nb: z\n", " `\u00e9: \"\u20ac\"\n\U0001F600: [\u00fc, x]\nb: z`\n/\u00e9 `\u00e9` `\"\u20ac\"` double\n/\U0001F600 `\U0001F600` `[\u00fc, x]` flow\n/\U0001F600/0 `\u00fc`\n/\U0001F600/1 `x`\n/b `b` `z`\n"},
      {"complex keys", "? a\n: b\n? |\n  c\n: d\n? e\n", " `? a\n: b\n? |\n  c\n: d\n? e`\n/a `a` `b`\n/c\n `|\n  c` `d`\n/e `e` `` at 23\n"},
      {"a value over several lines", "a: b\n  c\nd: \"e\n  f\"\n", " `a: b\n  c\nd: \"e\n  f\"`\n/a `a` `b\n  c`\n/d `d` `\"e\n  f\"` double\n"},
      {"a scalar alone", "--- # x\nfoo\n", " `foo`\n"},
  };
  for (const Outline& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_yaml(source, {});
    REQUIRE_MESSAGE(documents.list.at(0).root, row.what, ": ", documents.list[0].problem);
    CHECK_MESSAGE(testing::difference(row.outline, outline(source, *documents.list[0].root)).empty(), row.what, "\n", testing::difference(row.outline, outline(source, *documents.list[0].root)));
  }
}

TEST_CASE("aliases and merge keys are expanded as kubectl does it") {
  constexpr Row rows[] = {
      {"an alias in a list", "a: &x 1\nb: [*x, *x]\n", R"({"a":1,"b":[1,1]})"},
      {"an alias as a key", "a: &x k\n*x : v\n", R"({"a":"k","k":"v"})"},
      {"a key with an anchor", "&x a: b\nc: *x\n", R"({"a":"b","c":"a"})"},
      {"a number as key and value", "&x 0x10: b\nc: *x\n", R"({"16":"b","c":16})"},
      {"an anchor declared again", "a: &x 1\nb: &x 2\nc: *x\n", R"({"a":1,"b":2,"c":2})"},
      {"an anchor within an anchor", "a: &x [&y 1, *y]\nb: [*x, *y]\n", R"({"a":[1,1],"b":[[1,1],1]})"},
      {"an anchor of another document", "a: &x 1\n--- \nb: 2\n", R"({"a":1})"},
      {"members written below a merge win", "<<: {a: 1, b: 2}\na: 3\n", R"({"b":2,"a":3})"},
      {"members written above it do not", "a: 3\n<<: {a: 1, b: 2}\n", R"({"a":1,"b":2})"},
      {"in a list of merges the earlier wins", "<<: [{a: 1}, {a: 2, b: 3}]\n", R"({"b":3,"a":1})"},
      {"two merges", "<<: {a: 1}\nb: 2\n<<: {a: 3, c: 4}\n", R"({"b":2,"a":3,"c":4})"},
      {"a merge of a merge", "x: &x {<<: {a: 1}, b: 2}\nz: {<<: *x, c: 3}\n", R"({"x":{"a":1,"b":2},"z":{"a":1,"b":2,"c":3}})"},
      {"an empty list of merges", "<<: []\na: 1\n", R"({"a":1})"},
      {"a quoted merge key is a key", "\"<<\": x\n", R"({"<<":"x"})"},
      {"a tagged merge key", "!!merge <<: {a: b}\n", R"({"a":"b"})"},
      {"a merge by an alias to a list", "x: &x [{a: 1}]\n<<: *x\n", "`<<` needs a mapping or a list of mappings"},
      {"a merge of scalars", "<<: [a]\n", "`<<` needs a mapping or a list of mappings"},
      {"an alias to an earlier anchor of the same name, within the new one", "a: &x 1\nb: &x [*x]\n", "`*x` stands inside the value that `&x` names"},
      {"a mapping as key by an alias", "a: &x {b: c}\n*x : d\n", "a mapping or a list stands as a key"},
  };
  check_rows(rows);
}

TEST_CASE("the last of duplicate keys counts, and both places are kept") {
  struct Duplicates {
    std::string_view what, text, json, duplicates;
  };
  constexpr Duplicates rows[] = {
      {"in block style", "a: 1\nb: 2\na: 3\n", R"({"b":2,"a":3})", "/a 0<10"},
      {"in flow style", "{a: 1, a: 2}", R"({"a":2})", "/a 1<7"},
      {"three", "a: 1\na: 2\na: 3\n", R"({"a":3})", "/a 0<10 /a 5<10"},
      {"written otherwise", "1: a\n\"1\": b\n0x1: c\n", R"({"1":"c"})", "/1 0<12 /1 5<12"},
      {"with different kinds of values", "l:\n- r: {cpu: 1}\n  r:\n    gpu: 1\n", R"({"l":[{"r":{"gpu":1}}]})", "/l/0/r 5<19"},
      {"a merged key is no duplicate", "<<: {a: 1}\na: 2\nb: 3\n<<: {b: 4}\n", R"({"a":2,"b":4})", ""},
      {"an alias may be one of them", "x: &x 1\na: *x\na: 2\n", R"({"x":1,"a":2})", "/a 8<14"},
      {"keys that differ in case", "a: 1\nA: 2\n", R"({"a":1,"A":2})", ""},
      {"duplicates in an anchor are told once", "x: &x {a: 1, a: 2}\nz: *x\n", R"({"x":{"a":2},"z":{"a":2}})", "/x/a 7<13"},
  };
  for (const Duplicates& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_yaml(source, {});
    const Document& document = documents.list.at(0);
    std::string duplicates;
    for (const DuplicateKey& duplicate : document.duplicates)
      duplicates += fmt::format("{}{} {}<{}", duplicates.empty() ? "" : " ", JsonPointer::to(*duplicate.kept, *document.root).text(), duplicate.lost->key_span.begin, duplicate.kept->key_span.begin);
    CHECK_MESSAGE(to_json(*document.root) == row.json, row.what);
    CHECK_MESSAGE(duplicates == row.duplicates, row.what);
  }
}

TEST_CASE("duplicates are found among many keys") {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += fmt::format("key{}: {}\n", i % 1990, i);
  const Source source("test", text);
  const Documents documents = read_yaml(source, {});
  CHECK(documents.list.at(0).duplicates.size() == 10);
  CHECK(documents.list[0].root->size == 1990);
  CHECK(documents.list[0].root->find("key3")->text == "1993");
}

TEST_CASE("scalars and documents of every form") {
  constexpr Row rows[] = {
      {"escapes", R"(a: "\x41\u20ac\U0001F600\t\n\"\\")", "{\"a\":\"A\u20ac\U0001F600\\t\\n\\\"\\\\\"}"},
      {"folding", "a: \"b\n  c\\\n  d\n\n  e\"\n", R"({"a":"b cd\ne"})"},
      {"chomping", "a: |-\n  x\nb: |+\n  y\n\nc: |\n  z\n\n", R"({"a":"x","b":"y\n\n","c":"z\n"})"},
      {"indentation indicators", "a: |2\n    x\n   y\nb: >1-\n   z\n", R"({"a":"  x\n y\n","b":"  z"})"},
      {"no final newline, which kubectl adds", "a: |\n  x", R"({"a":"x\n"})"},
      {"no final newline behind a plain scalar", "a: x", R"({"a":"x"})"},
      {"a tag that a directive defines", "%TAG !e! tag:yaml.org,2002:\n---\na: !e!int \"0x1F\"\n", R"({"a":31})"},
      {"a version", "%YAML 1.2\n---\na: b\n", R"({"a":"b"})"},
      {"braces apart", "{ a: [ b , c ] , d: { } }\n", R"({"a":["b","c"],"d":{}})"},
      {"JSON in YAML", "{\"a\":{\"b\":[1,true,null,\"c\"]}}", R"({"a":{"b":[1,true,null,"c"]}})"},
      {"null", "--- ~\n", "null"},
      {"keys that are no text", "1: a\ntrue: b\n1.50: c\n", R"({"1":"a","true":"b","1.5":"c"})"},
      {"line ends of old", "a: b\rc: d\r", R"({"a":"b","c":"d"})"},
      {"two documents that no line scan can tell apart", "a: b\r---\rc: d\r", "another document begins here, but not at the start of a line"},
  };
  check_rows(rows);
}
