// JsonPointer: RFC 6901 there and back, and the form people read.
#include "rules/document/json_pointer.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"

using namespace gpulint;

TEST_CASE("a pointer has tokens and a readable form") {
  struct Row {
    std::string_view pointer;
    std::vector<std::string> tokens;
    std::string_view readable;
  };
  const Row rows[] = {
      {"", {}, "(document)"},
      {"/spec", {"spec"}, "spec"},
      {"/spec/containers/0/resources", {"spec", "containers", "0", "resources"}, "spec.containers[0].resources"},
      {"/limits/nvidia.com~1gpu", {"limits", "nvidia.com/gpu"}, "limits[\"nvidia.com/gpu\"]"},
      {"/a~0b", {"a~b"}, "[\"a~b\"]"},
      {"/~01", {"~1"}, "[\"~1\"]"},
      {"/", {""}, "[\"\"]"},
      {"//a", {"", "a"}, "[\"\"].a"},
      {"/0", {"0"}, "[0]"},
      {"/list/-", {"list", "-"}, "list[-]"},
      {"/list/007", {"list", "007"}, "list.007"},
      {"/$patch", {"$patch"}, "$patch"},
      {"/say \"\\\"", {"say \"\\\""}, R"(["say \"\\\""])"},
      {"/a~2b~", {"a~2b~"}, "[\"a~2b~\"]"},
  };
  for (const Row& row : rows) {
    const JsonPointer pointer{std::string(row.pointer)};
    CHECK_MESSAGE(pointer.tokens() == row.tokens, row.pointer);
    CHECK_MESSAGE(pointer.readable() == row.readable, row.pointer, ": ", pointer.readable());
  }
}

TEST_CASE("tokens are escaped where they are appended") {
  JsonPointer pointer;
  pointer = pointer.append("limits").append("nvidia.com/gpu").append("a~b").append(std::size_t{3}).append("-");
  CHECK(pointer.text() == "/limits/nvidia.com~1gpu/a~0b/3/-");
  CHECK(pointer.parent().text() == "/limits/nvidia.com~1gpu/a~0b/3");
  CHECK(JsonPointer().parent() == JsonPointer());
}

TEST_CASE("every node is found again by its pointer") {
  const Source source("test", "a: [1, {b/c: x, d~e: [y]}]\n'': z\n? 5\n: [[w]]\n");
  const Documents documents = read_yaml(source, {});
  const Node& root = *documents.list.at(0).root;
  std::vector<std::string> pointers;
  for_each_node(root, [&](const Node& node) {
    const JsonPointer pointer = JsonPointer::to(node, root);
    CHECK_MESSAGE(pointer.resolve(root) == &node, pointer.text());
    pointers.push_back(pointer.text());
  });
  CHECK(pointers == std::vector<std::string>{"", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/a/1/d~0e", "/a/1/d~0e/0", "/", "/5", "/5/0", "/5/0/0"});
  CHECK(JsonPointer::to(*root.find("a")->element(1), *root.find("a")).text() == "/1");
}

TEST_CASE("a place that does not exist resolves to nothing") {
  const Source source("test", "list: [a, b]\nname: x\n");
  const Documents documents = read_yaml(source, {});
  const Node& root = *documents.list.at(0).root;
  for (const char* missing : {"/none", "/list/2", "/list/-", "/list/01", "/list/x", "/list/+1", "/list/99999999999999999999999", "/name/0", "/name/x", "/"})
    CHECK_MESSAGE(JsonPointer(missing).resolve(root) == nullptr, missing);
}

TEST_CASE("a pointer contains what lies at it and below it") {
  struct Row {
    const char *outer, *inner;
    bool contains;
  };
  constexpr Row rows[] = {{"", "", true}, {"", "/a", true}, {"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/a/b", "/a", false}, {"/a", "", false}};
  for (const Row& row : rows) CHECK_MESSAGE(JsonPointer(row.outer).contains(JsonPointer(row.inner)) == row.contains, row.outer, " and ", row.inner);
}
