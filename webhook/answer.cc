#include "webhook/answer.h"

#include <fmt/core.h>

namespace gpulint {
namespace {

/// Length of the well-formed UTF-8 character at the start of `text`, 0 when it is broken. Surrogates and overlong forms count as broken.
std::size_t character_size(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  unsigned lead = byte(0);
  if (lead < 0x80u) return 1;
  if (lead >= 0xC2u && lead <= 0xDFu) return continues(1) ? 2 : 0;
  if (lead >= 0xE0u && lead <= 0xEFu) {
    if (!continues(1) || !continues(2)) return 0;
    if ((lead == 0xE0u && byte(1) < 0xA0u) || (lead == 0xEDu && byte(1) > 0x9Fu)) return 0;
    return 3;
  }
  if (lead >= 0xF0u && lead <= 0xF4u) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if ((lead == 0xF0u && byte(1) < 0x90u) || (lead == 0xF4u && byte(1) > 0x8Fu)) return 0;
    return 4;
  }
  return 0;
}

bool is_control(std::string_view character) {
  unsigned lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead < 0x20u || lead == 0x7Fu;
  return character.size() == 2 && lead == 0xC2u && static_cast<unsigned char>(character[1]) < 0xA0u;  // U+0080 to U+009F
}

std::string said(const Finding& finding) {
  std::string message = printable(finding.message);
  std::string container = printable(finding.container);
  if (container.empty() || message.find(fmt::format("\"{}\"", container)) != message.npos) return message;
  return fmt::format("container \"{}\": {}", container, message);
}

bool denies(const Finding& finding, const Policy& policy) {
  return !finding.suppressed && static_cast<int>(finding.severity) >= static_cast<int>(policy.fail_on);
}

std::string denial_message(const std::vector<const Finding*>& findings) {
  if (findings.size() == 1) return finding_line(*findings.front(), kDenialLineBytes);
  std::string message = fmt::format("{} problems with the use of GPUs:", findings.size());
  for (const Finding* finding : findings) message += "\n" + finding_line(*finding, kDenialLineBytes);
  return message;
}

/// Adds entries while they fit, with room kept for the entry that counts the rest. Returns the findings that found no place.
std::vector<const Finding*> add_warnings(const std::vector<const Finding*>& findings, std::vector<std::string>& warnings) {
  constexpr std::size_t kRoomForTheRest = 64;
  std::size_t used = 0, next = 0;
  for (; next < findings.size(); ++next) {
    std::string line = finding_line(*findings[next], kWarningBytes);
    bool last = next + 1 == findings.size();
    if (used + line.size() + (last ? 0 : kRoomForTheRest) > kAllWarningsBytes) break;
    used += line.size();
    warnings.push_back(std::move(line));
  }
  std::vector<const Finding*> rest(findings.begin() + static_cast<std::ptrdiff_t>(next), findings.end());
  if (!rest.empty()) warnings.push_back(fmt::format("gpulint: {} more, listed by `gpulint lint`", rest.size()));
  return rest;
}

void annotate(const Finding& finding, Words& words) {
  std::string text = said(finding);
  if (std::string place = finding.pointer.readable(); !finding.pointer.text().empty()) text += fmt::format(" ({})", printable(place));
  if (finding.suppressed) text += fmt::format(" [suppressed: {}]", printable(finding.suppressed->reason));
  std::string& value = words.annotations[std::string(finding.rule->id)];
  value = cut(value.empty() ? text : value + "; " + text, kAnnotationBytes);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::size_t size = character_size(text);
    std::string_view character = text.substr(0, size ? size : 1);
    if (size == 0) result += '?';
    else if (is_control(character)) result += ' ';
    else result += character;
    text.remove_prefix(character.size());
  }
  return result;
}

std::string cut(std::string_view text, std::size_t limit) {
  constexpr std::string_view kMark = "...";
  if (text.size() <= limit) return std::string(text);
  if (limit <= kMark.size()) return std::string(kMark.substr(0, limit));
  std::size_t end = limit - kMark.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return std::string(text.substr(0, end)).append(kMark);
}

std::string finding_line(const Finding& finding, std::size_t limit) {
  std::string rule = fmt::format(" [{}]", finding.rule->id);
  std::string text = said(finding);
  if (!finding.pointer.text().empty()) {
    std::string place = fmt::format(" ({})", printable(finding.pointer.readable()));
    if (text.size() + place.size() + rule.size() <= limit) text += place;
  }
  return cut(text, limit - rule.size()) + rule;
}

Words words_of(const Report& report, const Decision& decision, const Policy& policy) {
  Words words;
  words.denied = policy.webhook.mode == Mode::enforce && decision.failed;
  std::vector<const Finding*> denying, shown;
  for (const auto* list : {&decision.errors, &decision.warnings, &decision.infos})
    for (const Finding* finding : *list) {
      if (words.denied && denies(*finding, policy)) denying.push_back(finding);
      else if (policy.webhook.mode != Mode::audit && finding->severity != Severity::info) shown.push_back(finding);
      else annotate(*finding, words);
    }
  if (words.denied) words.message = denial_message(denying);
  for (const Finding* finding : add_warnings(shown, words.warnings)) annotate(*finding, words);
  for (const Finding& finding : report.findings)
    if (finding.suppressed) annotate(finding, words);
  return words;
}

}  // namespace gpulint
