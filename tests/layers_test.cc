// Folders only point to the left in document <- kube <- cluster <- engine <- checks; lint and webhook may use any of them but never a check,
// and not each other. Read from the #include lines, so that an arrow the other way cannot slip in.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "tests/support/golden.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kLayers{"rules/document", "rules/kube", "rules/cluster", "rules/engine", "rules/checks"};

// Headers of libraries that only some folders may use, and only in .cc files where the second flag says so.
struct Restricted {
  std::string_view header;
  std::set<std::string_view> folders;
  bool only_sources;
};
const std::vector<Restricted> kRestricted{
    {"yaml.h", {"rules/document"}, false},
    {"nlohmann/", {"rules/document", "rules/engine", "lint", "webhook"}, true},
    {"yaml-cpp/", {"lint", "rules/engine"}, true},
    {"httplib.h", {"webhook"}, false},
    {"openssl/", {"webhook"}, false},
    {"CLI/", {"lint", "webhook"}, false},
    {"re2/", {"rules/kube", "rules/cluster", "rules/engine", "rules/checks", "lint"}, true},
    {"regex", {}, true},  // std::regex: slow, and its recursion overflows the stack
};

std::string folder_of(const fs::path& path) { return path.parent_path().generic_string(); }

bool is_source(const fs::path& path) { return path.extension() == ".cc" || path.extension() == ".h"; }

std::vector<fs::path> sources_below(std::string_view folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  return files;
}

std::vector<std::string> includes_of(const fs::path& path) {
  std::vector<std::string> names;
  std::istringstream lines(testing::read_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include")) continue;
    const std::size_t begin = line.find_first_of("<\"");
    const std::size_t end = line.find_first_of(">\"", begin + 1);
    if (begin != std::string::npos && end != std::string::npos) names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

int layer_of(std::string_view folder) {
  for (std::size_t i = 0; i < kLayers.size(); ++i)
    if (folder == kLayers[i]) return static_cast<int>(i);
  return -1;
}

bool may_include(const std::string& from, const std::string& to) {
  if (to == "rules/checks") return false;  // neither by a front end, nor by the engine, nor by another check
  const int here = layer_of(from), there = layer_of(to);
  if (here >= 0) return there >= 0 && there <= here;
  return there >= 0 || from == to;  // lint and webhook: any folder under rules, and their own
}

TEST_CASE("includes point to the left") {
  for (const std::string_view folder : {"rules", "lint", "webhook"})
    for (const fs::path& file : sources_below(folder))
      for (const std::string& name : includes_of(file)) {
        const std::string target = folder_of(name);
        if (!name.starts_with("rules/") && !name.starts_with("lint/") && !name.starts_with("webhook/") && !name.starts_with("tests/")) continue;
        CHECK_MESSAGE(may_include(folder_of(file), target), file.string(), " includes ", name);
        CHECK_MESSAGE(fs::exists(name), file.string(), " includes ", name, ", which is not there");
      }
}

TEST_CASE("libraries stay where they belong") {
  for (const std::string_view folder : {"rules", "lint", "webhook"})
    for (const fs::path& file : sources_below(folder))
      for (const std::string& name : includes_of(file))
        for (const Restricted& restricted : kRestricted) {
          const bool meant = restricted.header.ends_with('/') ? name.starts_with(restricted.header) : name == restricted.header;
          if (!meant) continue;
          CHECK_MESSAGE(restricted.folders.contains(folder_of(file)), file.string(), " includes <", name, ">");
          CHECK_MESSAGE((!restricted.only_sources || file.extension() == ".cc"), file.string(), " includes <", name, "> in a header");
        }
}

TEST_CASE("includes of this project are written from the repository root") {
  for (const std::string_view folder : {"rules", "lint", "webhook", "tests"})
    for (const fs::path& file : sources_below(folder)) {
      std::istringstream lines(testing::read_file(file));
      for (std::string line; std::getline(lines, line);)
        if (line.starts_with("#include \"") && !line.ends_with(".inc\""))
          CHECK_MESSAGE((line.find('/') != std::string::npos || line == "#include \"gpulint_version.h\""), file.string(), ": ", line);
    }
}

TEST_CASE("headers are read once") {
  for (const std::string_view folder : {"rules", "lint", "webhook", "tests"})
    for (const fs::path& file : sources_below(folder))
      if (file.extension() == ".h") CHECK_MESSAGE(testing::read_file(file).find("#pragma once\n") != std::string::npos, file.string());
}

// The check of the check: each forbidden arrow is seen as one.
TEST_CASE("which folder may include which") {
  CHECK(may_include("rules/kube", "rules/document"));
  CHECK(may_include("rules/engine", "rules/engine"));
  CHECK(may_include("lint", "rules/kube"));
  CHECK(may_include("webhook", "webhook"));
  CHECK_FALSE(may_include("rules/document", "rules/kube"));
  CHECK_FALSE(may_include("rules/checks", "rules/checks"));
  CHECK_FALSE(may_include("rules/engine", "rules/checks"));
  CHECK_FALSE(may_include("rules/kube", "lint"));
  CHECK_FALSE(may_include("lint", "rules/checks"));
  CHECK_FALSE(may_include("lint", "webhook"));
}

}  // namespace
}  // namespace gpulint
