// TemplatePlace: the line of a template that a line of its output comes from. A template engine does not tell; the way of keys by which YAML
// nests lines does, as long as the template has the keys written down.
#pragma once
#include <optional>
#include <string>

#include "lint/keyed_lines.h"
#include "rules/engine/finding.h"

namespace gpulint {

struct TemplatePlace {
  Range range;
  std::string excerpt;
  bool same_text = false;  ///< the template has the line as it stands in the output
};

/// Where `place` of the output stands in the template: its line where that is certain, else the line of the nearest key around it that is. A line
/// is looked for below the line that the key around it comes from. Of several that may have printed it, the one of the same number counts where
/// no `if`, `range` or other control action chooses among them; otherwise none. Nothing: not even the outermost key is certain.
std::optional<TemplatePlace> place_in_template(const KeyedLines& output, const Range& place, const KeyedLines& source);

}  // namespace gpulint
