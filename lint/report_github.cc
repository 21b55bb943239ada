#include <fmt/format.h>

#include <algorithm>

#include "lint/report.h"
#include "lint/summary_text.h"
#include "lint/uri.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

// GitHub shows so many annotations of each kind for one step; the others stand in the log alone.
constexpr std::size_t kShownByGitHub = 10;

std::string_view command_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

// The runner takes back %25, %0D and %0A in a message, and in a property %3A and %2C too (actions/toolkit, packages/core/src/command.ts).
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += property ? "%3A" : ":"; break;
      case ',': out += property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}

// The path as it is, or as people see it where it could not be found anyway: control characters do not survive a log.
std::string file_property(std::string_view path) {
  const bool plain = std::none_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  return plain ? std::string(path) : visible(path);
}

std::string property(std::string_view name, std::string_view value) { return fmt::format("{}={}", name, escaped(value, true)); }

// Columns only within one line (GitHub refuses others), the last one included.
std::string place_of(const Range& range) {
  const auto [start, end] = range;
  if (start.line != end.line) return fmt::format("line={},endLine={}", start.line, end.line);
  return fmt::format("line={0},endLine={0},col={1},endColumn={2}", start.line, start.column, std::max(start.column + 1, end.column) - 1);
}

std::string command_for(const Finding& finding, const ReportOptions& options) {
  const std::string file = file_property(relative_to(options.working_directory, finding.file));
  std::string message = fmt::format("{}:{}:{}: {}", visible(finding.file), finding.range.start.line, finding.range.start.column, visible(finding.message));
  if (const std::string hint = hint_of(finding); !hint.empty()) message += "\n" + hint;
  return fmt::format("::{} {},{},{}::{}\n", command_of(finding.severity), property("file", file), place_of(finding.range),
                     property("title", fmt::format("gpulint: {}", finding.rule->id)), escaped(message, false));
}

std::string limit_line(const std::vector<const Finding*>& listed) {
  std::size_t counts[3] = {};
  for (const Finding* finding : listed) ++counts[static_cast<std::size_t>(finding->severity)];
  for (const std::size_t count : counts)
    if (count > kShownByGitHub)
      return fmt::format("GitHub shows {} annotations of each kind for a step; this log has all {} (code scanning takes more: --output sarif).\n",
                         kShownByGitHub, listed.size());
  return {};
}

}  // namespace

void write_github(const Report& report, const ReportOptions& options, Output& out) {
  const std::vector<const Finding*> listed = open_findings(report, options);
  for (const Finding* finding : listed) out.write(command_for(*finding, options));
  if (options.summary) out.write(summary_text(report, options) + limit_line(listed));
}

}  // namespace gpulint
