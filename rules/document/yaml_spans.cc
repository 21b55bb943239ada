#include "rules/document/yaml_spans.h"

#include <algorithm>
#include <utility>

namespace gpulint {

std::string_view view(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : std::string_view(); }

std::uint32_t YamlSpans::byte_of(const yaml_mark_t& mark) { return std::min(parsed_.begin + places_.byte_of(mark.index), parsed_.end); }

Span YamlSpans::of(const yaml_event_t& event) {
  const std::uint32_t begin = byte_of(event.start_mark);
  return {begin, byte_of(event.end_mark)};
}

/// A block collection without properties begins with those of its first key: only scalars and brackets can have the nameless tag.
Properties YamlSpans::properties(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag) {
  const Properties out{view(anchor), view(tag), of(event)};
  const std::uint32_t begin = out.value.begin;
  if (!anchor && !tag && (begin >= parsed_.end || source_.bytes()[begin] != '!')) return out;
  const bool scalar = event.type == YAML_SCALAR_EVENT;
  const bool flow = (event.type == YAML_SEQUENCE_START_EVENT && event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE) ||
                    (event.type == YAML_MAPPING_START_EVENT && event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
  if (!out.any() && !scalar && !flow) return out;
  Properties skipped = out;
  skip(skipped, scalar ? out.value.end : parsed_.end, scalar || flow || tag);
  const char first = skipped.value.begin < parsed_.end ? source_.bytes()[skipped.value.begin] : '\0';
  // In `[!t a: b]` the tag is the key's.
  return flow && first != '[' && first != '{' ? Properties{{}, {}, out.value} : skipped;
}

/// One anchor and one tag, in either order, with blanks and comments behind them.
void YamlSpans::skip(Properties& properties, std::uint32_t limit, bool tag_may_follow) const {
  const std::string_view text = source_.bytes().substr(0, limit);
  std::uint32_t& at = properties.value.begin;
  const auto until = [&](std::string_view stops) { at = static_cast<std::uint32_t>(std::min(text.find_first_of(stops, at), text.size())); };
  bool anchor_may_follow = !properties.anchor.empty();
  while (at < limit) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
    } else if (c == '#') {
      until("\r\n");
    } else if (c == '&' && std::exchange(anchor_may_follow, false)) {
      until(" \t\r\n,[]{}");
    } else if (c == '!' && std::exchange(tag_may_follow, false)) {
      if (properties.tag.empty()) properties.tag = "!";
      const bool verbatim = text.substr(at, 2) == "!<";
      until(verbatim ? ">" : " \t\r\n,[]{}");
      if (verbatim && at < limit) ++at;
    } else {
      return;
    }
  }
}

Span YamlSpans::of_scalar(const yaml_event_t& event, const Properties& properties, std::uint32_t text_end) {
  Span span = properties.value;
  const auto style = event.data.scalar.style;
  if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
    const std::size_t last = source_.text(span).find_last_not_of(" \t\r\n");
    if (last != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(last) + 1;
  } else if (span.begin == span.end && !properties.any() && text_end > 0) {
    // libyaml puts a missing value where it noticed: behind the indicator, or at the next token.
    const char before = span.begin > parsed_.begin ? source_.bytes()[span.begin - 1] : '\0';
    if (before == ':' || before == '-' || before == '?') return span;
    const std::string_view text = source_.bytes().substr(0, parsed_.end);
    const std::size_t next = text.find_first_not_of(" \t", text_end);
    const std::uint32_t place = next != text.npos && text[next] == ':' ? static_cast<std::uint32_t>(next) + 1 : text_end;
    span = {place, place};
  }
  return span;
}

}  // namespace gpulint
