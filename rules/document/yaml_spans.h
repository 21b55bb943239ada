// YamlSpans: where a node of libyaml stands in the Source. libyaml counts code points, begins a node at its anchor or tag, and ends block
// scalars and collections at the next token.
#pragma once
#include <yaml.h>

#include <cstdint>
#include <string_view>

#include "rules/document/code_points.h"
#include "rules/document/source.h"

namespace gpulint {

std::string_view view(const yaml_char_t* text);

/// What stands in front of a value, and the value without it. Of a collection only the beginning is known yet.
struct Properties {
  std::string_view anchor, tag;
  Span value;
  bool any() const { return !anchor.empty() || !tag.empty(); }
};

class YamlSpans {
 public:
  /// `parsed`: the part of the source that libyaml was given.
  YamlSpans(const Source& source, Span parsed) : source_(source), parsed_(parsed), places_(source.text(parsed)) {}

  Span parsed() const { return parsed_; }
  std::uint32_t byte_of(const yaml_mark_t& mark);
  Span of(const yaml_event_t& event);
  /// libyaml does not tell of a `!` without a name, which makes a scalar a string: it becomes the tag "!".
  Properties properties(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag);
  /// `text_end`: where the key or element before it ends; a missing value stands there when it is behind no indicator.
  Span of_scalar(const yaml_event_t& event, const Properties& properties, std::uint32_t text_end);

 private:
  void skip(Properties& properties, std::uint32_t limit, bool tag_may_follow) const;

  const Source& source_;
  Span parsed_;
  CodePoints places_;
};

}  // namespace gpulint
