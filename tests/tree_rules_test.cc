// What holds for every file of the repository: size, names, layout, line ends, and that each folder says what it is for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

#include "tests/corpus/source_text.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileLines = 300;
constexpr std::size_t kMaxFunctionLines = 40;
constexpr std::size_t kMaxTestCaseLines = 60;  // most of one is its table

const std::set<std::string> kTopLevel{"CMakeLists.txt", "LICENSE", "README.md", "action.yml", "charts", "lint", "pyproject.toml", "rules", "testdata", "tests", "webhook"};

bool is_built_or_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name.starts_with("build") || name == "__pycache__" || name == "node_modules";
}

std::vector<fs::path> tree() {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator("."); it != fs::recursive_directory_iterator(); ++it) {
    if (is_built_or_hidden(it->path())) {
      if (it->is_directory()) it.disable_recursion_pending();
      continue;
    }
    files.push_back(it->path().lexically_relative("."));
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_code(const fs::path& path) {
  static const std::set<std::string> extensions{".cc", ".h", ".sh", ".py"};
  return extensions.contains(path.extension().string());
}

bool is_in(const fs::path& path, std::string_view folder) { return path.generic_string().starts_with(folder); }

TEST_CASE("the top level is fixed") {
  for (const auto& entry : fs::directory_iterator("."))
    if (!is_built_or_hidden(entry.path())) CHECK_MESSAGE(kTopLevel.contains(entry.path().filename().string()), entry.path().string());
}

TEST_CASE("files are short") {
  for (const fs::path& path : tree()) {
    if (!is_code(path) && path.filename() != "CMakeLists.txt") continue;
    const std::string text = testing::read_file(path);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    CHECK_MESSAGE(lines <= kMaxFileLines, path.string(), " has ", lines, " lines");
  }
}

TEST_CASE("functions are short") {
  for (const fs::path& path : tree()) {
    if (path.extension() != ".cc" && path.extension() != ".h") continue;
    for (const testing::Function& function : testing::functions_in(testing::read_file(path)))
      CHECK_MESSAGE(function.lines <= (function.head.starts_with("TEST_CASE") ? kMaxTestCaseLines : kMaxFunctionLines), path.string(), ":", function.first_line, " ", function.head, " has ", function.lines, " lines");
  }
}

TEST_CASE("functions are found as a reader sees them") {
  const std::string text =
      "namespace a {\n"
      "// void comment() {\n"
      "int one() { return 1; }\n"
      "struct S {\n  S() : x{1} {\n  }\n  int x = 0;\n};\n"
      "constexpr int table[] = {\n1, 2,\n};\n"
      "const char* text = \"void no() {\";\n"
      "const char* raw = R\"(void no() {\n)\";\n"
      "template <class T>\nvoid two(T f) {\n  f([] {\n    return '{';\n  });\n}\n"
      "}\n";
  std::string found;
  for (const testing::Function& function : testing::functions_in(text)) found += fmt::format("{}+{} {}\n", function.first_line, function.lines, function.head);
  CHECK_MESSAGE(found == "3+1 int one()\n5+2 S() : x{1}\n16+5 template <class T> void two(T f)\n", found);
}

TEST_CASE("file and folder names are in snake_case") {
  for (const fs::path& path : tree()) {
    if (!is_code(path) || is_in(path, "charts/")) continue;
    const std::string name = path.stem().string();
    // Rules are named by their ids, which users write.
    const bool rule = is_in(path, "rules/checks/");
    CHECK_MESSAGE(std::all_of(name.begin(), name.end(), [&](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (rule && c == '-'); }), path.string());
  }
}

TEST_CASE("every folder says what lives in it") {
  std::set<std::string> folders{"charts/gpulint", "lint", "testdata", "tests", "tests/bench", "webhook"};
  for (const auto& entry : fs::directory_iterator("rules"))
    if (entry.is_directory()) folders.insert(entry.path().string());
  for (const std::string& folder : folders) {
    CHECK_MESSAGE(fs::exists(folder + "/README.md"), folder, " has no README.md");
    if (folder == "rules/checks" || !fs::exists(folder + "/README.md")) continue;
    const std::string text = testing::read_file(folder + "/README.md");
    CHECK_MESSAGE(text.starts_with("# "), folder, "/README.md has no title");
  }
}

TEST_CASE("sources have no tabs, no trailing blanks, no carriage returns, and end with a line end") {
  for (const fs::path& path : tree()) {
    if (!is_code(path)) continue;
    std::istringstream lines(testing::read_file(path));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const bool clean = line.find_first_of("\t\r") == std::string::npos && !line.ends_with(' ');
      CHECK_MESSAGE(clean, path.string(), ":", number, ": ", line);
    }
    CHECK_MESSAGE(testing::read_file(path).ends_with('\n'), path.string(), " does not end with a line end");
  }
}

TEST_CASE("only tests look outside the repository") {
  for (const fs::path& path : tree()) {
    if (!is_code(path) || is_in(path, "tests/")) continue;
    CHECK_MESSAGE(testing::read_file(path).find("../shared") == std::string::npos, path.string());
  }
}

}  // namespace
}  // namespace gpulint
