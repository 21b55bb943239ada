#include "lint/first_line.h"

#include <strings.h>

#include <algorithm>
#include <vector>

namespace gpulint {
namespace {

constexpr std::size_t kShown = 300;

bool begins_with(std::string_view line, std::string_view word) { return line.size() >= word.size() && strncasecmp(line.data(), word.data(), word.size()) == 0; }

/// The error in a line of the log that kubectl and its kin write (`E1201 16:41:55.277678 18807 run.go:72] "command failed" err="..."`): the time
/// and the process are different in every run and say nothing. `err=<` opens lines that follow; of them the first is taken.
std::string_view without_log_head(std::string_view line) {
  const bool is_log = line.size() > 5 && std::string_view("EFW").find(line[0]) != std::string_view::npos &&
                      std::all_of(line.begin() + 1, line.begin() + 5, [](char c) { return c >= '0' && c <= '9'; }) && line[5] == ' ';
  const std::size_t message = is_log ? line.find("] ") : line.npos;
  if (message == line.npos) return line;
  line.remove_prefix(message + 2);
  const std::size_t error = line.find(" err=");
  if (error == line.npos) return line;
  line.remove_prefix(error + 5);
  if (line == "<") return {};
  if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  return line;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = without_log_head(line);
    if (!line.empty() && line != ">") lines.push_back(line);
  }
  return lines;
}

std::string shortened(std::string text) {
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string first_line(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty()) return {};
  auto line = std::find_if(lines.begin(), lines.end(), [](std::string_view l) { return begins_with(l, "error") || begins_with(l, "fatal"); });
  if (line == lines.end())
    line = std::find_if(lines.begin(), lines.end(), [](std::string_view l) { return !l.starts_with('#') && !begins_with(l, "warning"); });
  if (line == lines.end()) line = lines.begin();
  std::string said(*line);
  if ((said.ends_with(':') || said.ends_with('`')) && line + 1 != lines.end()) said += " " + std::string(lines.back());
  return shortened(std::move(said));
}

}  // namespace gpulint
