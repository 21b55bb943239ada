#include "rules/document/yaml_spans.h"

#include <algorithm>

namespace gpulint {

std::string_view view(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : std::string_view(); }

std::uint32_t YamlSpans::byte_of(const yaml_mark_t& mark) { return std::min(parsed_.begin + places_.byte_of(mark.index), parsed_.end); }

Span YamlSpans::of(const yaml_event_t& event) {
  const std::uint32_t begin = byte_of(event.start_mark);
  return {begin, byte_of(event.end_mark)};
}

Properties YamlSpans::properties(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag) {
  Properties out{view(anchor), view(tag)};
  const std::uint32_t begin = byte_of(event.start_mark);
  const bool bare = begin < parsed_.end && source_.bytes()[begin] == '!';
  if (out.tag.empty() && (bare || !out.anchor.empty())) {
    const std::string_view skipped = source_.text({begin, skip_properties(begin, parsed_.end)});
    if (skipped.substr(0, skipped.find('#')).find('!') != skipped.npos) out.tag = "!";
  }
  return out;
}

std::uint32_t YamlSpans::skip_properties(std::uint32_t at, std::uint32_t limit) const {
  const std::string_view text = source_.bytes().substr(0, limit);
  const auto until = [&](std::string_view stops) { at = static_cast<std::uint32_t>(std::min(text.find_first_of(stops, at), text.size())); };
  while (at < limit) {
    const char c = text[at];
    if (c == '#') until("\r\n");
    else if (text.substr(at, 2) == "!<") until(">");
    else if (c == '&' || c == '!') until(" \t\r\n,[]{}");
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '>') ++at;
    else break;
  }
  return at;
}

Span YamlSpans::of_collection(const yaml_event_t& event, const Properties& properties) {
  Span span = of(event);
  if (properties.any()) span.begin = skip_properties(span.begin, parsed_.end);
  return span;
}

Span YamlSpans::of_scalar(const yaml_event_t& event, const Properties& properties, std::uint32_t text_end) {
  Span span = of(event);
  if (properties.any()) span.begin = skip_properties(span.begin, span.end);
  const auto style = event.data.scalar.style;
  if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
    const std::size_t last = source_.text(span).find_last_not_of(" \t\r\n");
    if (last != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(last) + 1;
  } else if (span.begin == span.end && !properties.any() && text_end > 0) {
    // libyaml puts a missing value where it noticed: behind the indicator, or at the next token.
    const char before = span.begin > parsed_.begin ? source_.bytes()[span.begin - 1] : '\0';
    if (before != ':' && before != '-' && before != '?') span = {text_end, text_end};
  }
  return span;
}

}  // namespace gpulint
