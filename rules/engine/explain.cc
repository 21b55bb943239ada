// One rule for a terminal: plain text, wrapped, nothing that a pager or a log could trip over.
#include <fmt/core.h>

#include "rules/engine/documentation.h"
#include "rules/engine/preset_table.h"

namespace gpulint {
namespace {

constexpr std::size_t kWidth = 96;

/// Wraps at blanks; blank lines and lists keep their line breaks.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.size() + indent.size() > kWidth) {
      std::size_t cut = line.rfind(' ', kWidth - indent.size());
      if (cut == std::string_view::npos || cut == 0) cut = line.find(' ', kWidth - indent.size());
      if (cut == std::string_view::npos) break;
      out.append(indent).append(line.substr(0, cut)).append("\n");
      line.remove_prefix(cut + 1);
    }
    if (!line.empty()) out.append(indent).append(line);
    out += '\n';
  }
  return out;
}

std::string section(std::string_view title, std::string_view text) {
  return text.empty() ? std::string() : fmt::format("\n{}\n{}", title, wrapped(text, "  "));
}

/// Samples keep their lines as they are.
std::string sample(std::string_view title, std::string_view text) {
  if (text.empty()) return {};
  std::string out = fmt::format("\n{}\n", title);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out.append("    ").append(line);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string parameters(const Rule& rule) {
  std::string out;
  for (const Parameter& p : rule.parameters)
    out += fmt::format("{} ({}): {}\n", p.name, p.default_value.empty() ? std::string("no default") : fmt::format("default {}", p.default_value), p.description);
  return out;
}

}  // namespace

std::string explain_text(const Rule& rule) {
  const Samples samples = samples_of(rule);
  std::string sources;
  for (const std::string_view source : rule.sources) sources.append(source).append("\n");
  std::string out = fmt::format("{}  ({}, {})\n{}", rule.id, name_of(rule.severity), title_of(rule.group), wrapped(rule.summary, "  "));
  out += section("Why", rule.rationale) + section("Cases", rule.details);
  if (rule.shows_presets) out += sample("On which cluster", preset_table());
  out += section("What to do", rule.remediation);
  out += section("Fix", fix_words(rule.fixability)) + section("Parameters", parameters(rule));
  out += sample("Reported", samples.bad) + sample("Fine", samples.good) + section("Sources", sources);
  out += section("To accept one finding", fmt::format("annotation ignore.gpulint.dev/{}: \"<reason>\" on the object or its pod template", rule.id));
  return out;
}

}  // namespace gpulint
