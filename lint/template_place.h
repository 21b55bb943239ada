// TemplatePlace: the line of a template that a line of its output comes from. A template engine does not tell; the way of keys by which YAML
// nests lines does, as long as the template has the keys written down.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/finding.h"

namespace gpulint {

/// The lines of a YAML text, or of a template of one, each with the keys it lies under.
class KeyedLines {
 public:
  struct Line {
    std::string_view text;     ///< without indentation and line end
    std::size_t indent = 0;    ///< of the text
    std::size_t key_column = 0, key_size = 0;  ///< of the key, from 0; size 0: the line has none
    std::string path;          ///< `spec/template/spec/containers/name`, with the line's own key; empty where it has none
    std::optional<std::size_t> parent;  ///< the line of the key it lies under
  };

  /// The text must outlive this.
  explicit KeyedLines(std::string_view text);
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
};

struct TemplatePlace {
  Range range;
  std::string excerpt;
  bool same_text = false;  ///< the template has the line as it stands in the output
};

/// Where `place` of the output stands in the template: its line where that is found, else the line of the nearest key around it. A line is looked
/// for below the line that the key around it comes from; of several equal ones that of the same number counts, when there are as many of them
/// in the template as in the output. Nothing: not even the outermost key is there.
std::optional<TemplatePlace> place_in_template(const KeyedLines& output, const Range& place, const KeyedLines& source);

}  // namespace gpulint
