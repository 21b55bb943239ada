// Fixes as JSON Patch: their text, applying them as strictly as the API server does, and mending an object until nothing fixable is left.
#include "rules/engine/patch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rules/engine/engine.h"

namespace gpulint {
namespace {

PatchOp op(PatchOp::Kind kind, std::string path, std::string value = "", std::string from = "") {
  return {kind, JsonPointer(std::move(path)), std::move(value), JsonPointer(std::move(from))};
}
constexpr auto kAdd = PatchOp::Kind::add, kRemove = PatchOp::Kind::remove, kReplace = PatchOp::Kind::replace;
constexpr auto kMove = PatchOp::Kind::move, kTest = PatchOp::Kind::test;

TEST_CASE("the text of a patch") {
  CHECK(patch_text({}) == "[]");
  const std::vector<PatchOp> ops = {op(kAdd, "/spec/a~1b", "{\"x\":1}"), op(kRemove, "/a"), op(kReplace, "/b\"c", "null"),
                                    op(kMove, "/d", "", "/e"), op(kTest, "", "[]")};
  CHECK(patch_text(ops) ==
        R"([{"op":"add","path":"/spec/a~1b","value":{"x":1}},{"op":"remove","path":"/a"},{"op":"replace","path":"/b\"c","value":null},)"
        R"({"op":"move","from":"/e","path":"/d"},{"op":"test","path":"","value":[]}])");
  CHECK(nlohmann::json::parse(patch_text(ops)).size() == 5);
}

TEST_CASE("applying a patch") {
  struct Row {
    std::string_view what, document;
    std::vector<PatchOp> ops;
    std::string_view result;  ///< the document, or `! ` and the error
  };
  const Row rows[] = {
      {"nothing", R"({"b":1,"a":2})", {}, R"({"b":1,"a":2})"},
      {"add a member, order kept", R"({"b":1})", {op(kAdd, "/a", "2")}, R"({"b":1,"a":2})"},
      {"add replaces", R"({"a":1,"b":1})", {op(kAdd, "/a", "[]")}, R"({"a":[],"b":1})"},
      {"add into a list", R"({"a":[1,3]})", {op(kAdd, "/a/1", "2")}, R"({"a":[1,2,3]})"},
      {"add at the end by index", R"({"a":[1]})", {op(kAdd, "/a/1", "2")}, R"({"a":[1,2]})"},
      {"append", R"({"a":[1]})", {op(kAdd, "/a/-", "2")}, R"({"a":[1,2]})"},
      {"add past the end", R"({"a":[1]})", {op(kAdd, "/a/2", "2")}, "! add /a/2: no such place in the list"},
      {"a leading zero is no index", R"({"a":[1,2]})", {op(kAdd, "/a/01", "2")}, "! add /a/01: no such place in the list"},
      {"parents are not created", R"({"a":{}})", {op(kAdd, "/a/b/c", "1")}, "! add /a/b/c: /a/b does not exist"},
      {"a null parent is none", R"({"a":null})", {op(kAdd, "/a/b", "1")}, "! add /a/b: /a is neither a mapping nor a list"},
      {"parents first", R"({"a":{}})", {op(kAdd, "/a/b", "{}"), op(kAdd, "/a/b/c", "1")}, R"({"a":{"b":{"c":1}}})"},
      {"escaped names", R"({"limits":{}})", {op(kAdd, "/limits/nvidia.com~1gpu", "\"1\"")}, R"({"limits":{"nvidia.com/gpu":"1"}})"},
      {"remove a member", R"({"a":1,"b":2})", {op(kRemove, "/a")}, R"({"b":2})"},
      {"remove an element", R"([1,2,3])", {op(kRemove, "/1")}, "[1,3]"},
      {"remove what is not there", R"({"a":1})", {op(kRemove, "/b")}, "! remove /b: it does not exist"},
      {"remove the end", R"([1])", {op(kRemove, "/-")}, "! remove /-: it does not exist"},
      {"replace", R"({"a":1})", {op(kReplace, "/a", "{\"b\":[]}")}, R"({"a":{"b":[]}})"},
      {"replace what is not there", R"({"a":1})", {op(kReplace, "/b", "1")}, "! replace /b: it does not exist"},
      {"the whole document", R"({"a":1})", {op(kReplace, "", "[]")}, "[]"},
      {"move", R"({"a":{"x":1},"b":{}})", {op(kMove, "/b/y", "", "/a/x")}, R"({"a":{},"b":{"y":1}})"},
      {"move into itself", R"({"a":{}})", {op(kMove, "/a/b", "", "/a")}, "! move /a/b: a value cannot move into itself"},
      {"move what is not there", R"({})", {op(kMove, "/a", "", "/b")}, "! move /a: /b does not exist"},
      {"test holds, members in any order", R"({"a":{"x":1,"y":2}})", {op(kTest, "/a", R"({"y":2,"x":1})")}, R"({"a":{"x":1,"y":2}})"},
      {"test fails", R"({"a":1})", {op(kTest, "/a", "2")}, "! test /a: it has another value"},
      {"a value that is no JSON", R"({})", {op(kAdd, "/a", "{")}, "! add /a: the value is not JSON"},
      {"a document that is no JSON", "{", {}, "! the document is not JSON, or nested too deeply"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    std::string error;
    const auto result = apply_patch(row.document, row.ops, error);
    CHECK(result.value_or("! " + error) == row.result);
  }
}

TEST_CASE("a nesting that nobody could write back is refused") {
  std::string error;
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK_FALSE(apply_patch(deep, {}, error).has_value());
  CHECK(mend(deep, Policy(), {}, Safety::unsafe).ops.empty());
}

const std::string kTwoMissingLimits =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[)"
    R"({"name":"a","resources":{"requests":{"nvidia.com/gpu":1}}},)"
    R"({"name":"b","resources":{"requests":{"nvidia.com/gpu":"2","amd.com/gpu":1},"limits":{}}}]}})";

TEST_CASE("mending: several fixes in one object, in rounds") {
  const std::vector<std::string> rules = {"gpu-request-without-limit"};
  const Mend mended = mend(kTwoMissingLimits, Policy(), rules, Safety::safe);
  CHECK(mended.rules == rules);
  const auto object = nlohmann::json::parse(mended.json);
  CHECK(object.at("/spec/containers/0/resources/limits"_json_pointer) == nlohmann::json::parse(R"({"nvidia.com/gpu":1})"));
  CHECK(object.at("/spec/containers/1/resources/limits"_json_pointer) == nlohmann::json::parse(R"({"nvidia.com/gpu":"2","amd.com/gpu":1})"));

  std::string error;
  CHECK(apply_patch(kTwoMissingLimits, mended.ops, error).value_or(error) == mended.json);
  const auto standard = nlohmann::json::parse(kTwoMissingLimits).patch(nlohmann::json::parse(patch_text(mended.ops)));
  CHECK(standard == object);  // another implementation of RFC 6902 agrees

  const Mend again = mend(mended.json, Policy(), rules, Safety::safe);
  CHECK(again.ops.empty());
  CHECK(again.rules.empty());
  CHECK(again.json == mended.json);
}

TEST_CASE("mending: only what is asked for") {
  Policy off, ignored;
  off.rules["gpu-request-without-limit"].off = true;
  ignored.ignore.push_back({"gpu-request-without-limit", {}, "why", ""});
  const std::vector<std::string> other = {"visible-devices-override"}, none;
  CHECK(mend(kTwoMissingLimits, Policy(), other, Safety::unsafe).ops.empty());
  CHECK(mend(kTwoMissingLimits, off, none, Safety::safe).ops.empty());
  CHECK(mend(kTwoMissingLimits, ignored, none, Safety::safe).ops.empty());
  CHECK_FALSE(mend(kTwoMissingLimits, Policy(), none, Safety::safe).ops.empty());
}

TEST_CASE("mending: unsafe fixes wait to be asked for") {
  const std::string job =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x","args":["--runtime=nvidia","--gpus","all","run"],)"
      R"("resources":{"limits":{"nvidia.com/gpu":1}}}]}})";
  const std::vector<std::string> rules = {"docker-gpus-flag"};
  CHECK(mend(job, Policy(), rules, Safety::safe).ops.empty());
  const Mend mended = mend(job, Policy(), rules, Safety::unsafe);
  CHECK(nlohmann::json::parse(mended.json).at("/spec/containers/0/args"_json_pointer) == nlohmann::json::parse(R"(["run"])"));
  CHECK(mend(mended.json, Policy(), rules, Safety::unsafe).ops.empty());
}

TEST_CASE("mending leaves alone what it cannot read or improve") {
  for (const char* text : {"", "{", "[]", "null", "{}", R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[]}})"}) {
    CAPTURE(text);
    const Mend result = mend(text, Policy(), {}, Safety::unsafe);
    CHECK(result.ops.empty());
    CHECK(result.json == text);
  }
}

}  // namespace
}  // namespace gpulint
