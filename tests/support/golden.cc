#include "tests/support/golden.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace gpulint::testing {
namespace {

struct Edit {
  char kind;  // ' ' in both, '-' only expected, '+' only actual
  std::size_t line;
  std::string_view text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string printable(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else out += c;
  return out;
}

// Longest common subsequence, quadratic: above this many cells only the first differing line is worth showing.
constexpr std::size_t kMaxCells = 16'000'000;

std::vector<Edit> edits_between(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<Edit> edits;
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> common((a.size() + 1) * width);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      edits.push_back({' ', ++i, b[j++]});
    } else if (j == b.size() || (i < a.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      edits.push_back({'-', i + 1, a[i]});
      ++i;
    } else {
      edits.push_back({'+', j + 1, b[j]});
      ++j;
    }
  }
  return edits;
}

std::string first_difference(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  return fmt::format("first difference in line {}\n-{}\n+{}\n", i + 1, i < a.size() ? printable(a[i]) : "(end)",
                     i < b.size() ? printable(b[i]) : "(end)");
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), "cannot read ", path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string difference(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  const auto a = lines_of(expected), b = lines_of(actual);
  if (a == b) return "only the line end of the last line differs\n";
  if ((a.size() + 1) * (b.size() + 1) > kMaxCells) return first_difference(a, b);
  const std::vector<Edit> edits = edits_between(a, b);
  constexpr std::size_t around = 3;
  std::string out;
  std::size_t shown = 0;  // edits before this index are written or left out
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind == ' ') continue;
    const std::size_t from = std::max(shown, i > around ? i - around : 0);
    if (from > shown || (shown == 0 && from > 0)) out += "   ...\n";
    std::size_t last = i;
    while (last + 1 < edits.size() && edits[last + 1].kind != ' ') ++last;
    const std::size_t to = std::min(edits.size(), last + 1 + around);
    for (std::size_t k = from; k < to; ++k) {
      if (k > last && edits[k].kind != ' ') break;
      out += fmt::format("{:>5} {}{}\n", edits[k].line, edits[k].kind, printable(edits[k].text));
      shown = k + 1;
    }
    i = shown - 1;
  }
  return out;
}

bool updating_goldens() {
  const char* value = std::getenv("GPULINT_UPDATE");
  return value && std::string_view(value) == "1";
}

std::string golden_difference(const std::filesystem::path& path, std::string_view actual) {
  const bool exists = std::filesystem::exists(path);
  const std::string expected = exists ? read_file(path) : std::string();
  if (exists && expected == actual) return {};
  if (updating_goldens()) {
    write_file(path, actual);
    return {};
  }
  if (!exists) return fmt::format("{}: no such golden file; GPULINT_UPDATE=1 writes it. It would hold:\n{}", path.string(), actual);
  return fmt::format("{}: differs (- expected, + actual; GPULINT_UPDATE=1 rewrites it)\n{}", path.string(), difference(expected, actual));
}

void check_golden(const std::filesystem::path& path, std::string_view actual) {
  const std::string found = golden_difference(path, actual);
  CHECK_MESSAGE(found.empty(), found);
}

}  // namespace gpulint::testing
