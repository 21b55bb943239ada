// split: where the documents of a YAML stream begin and end, by a scan of its lines.
// No parser runs here, so that a broken document spoils no other and one without a word of the filter costs nothing but the scan.
#pragma once
#include <string_view>
#include <vector>

#include "rules/document/source.h"

namespace gpulint {

struct DocumentText {
  Span content;        ///< markers and directives excluded
  Span parsed;         ///< what a parser must see: directives and the `---` line too, where they say something
  bool empty = false;  ///< nothing but blank lines and comments
};

/// Counts as a YAML parser does: comments before the first `---` are no document, nothing after a `---` is an empty one.
/// `---` and `...` count in column 0 and followed by a blank; `---#` too, as kubectl takes it.
std::vector<DocumentText> split(std::string_view text);

}  // namespace gpulint
