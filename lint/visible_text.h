// Text from manifests and file names made safe and measurable for a terminal: control characters are shown instead of sent,
// and a column is a cell of the screen.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// One code point of a text as it will be shown.
struct Glyph {
  std::string text;       ///< the code point itself, or its visible replacement (`\x1b`, `<U+202E>`, four blanks for a tab)
  std::size_t width = 0;  ///< cells on the screen; of an emoji made of several code points, the sum, as most terminals draw it
  bool is_column = true;  ///< whether Position counts it: a byte that is no UTF-8 but looks like the inside of a character has no column
};

/// Every code point in turn; a byte that is no UTF-8 counts as one. Control characters, invisible ones (which can make a line read as
/// something else), what is no character and bytes that are no UTF-8 are replaced.
std::vector<Glyph> glyphs_of(std::string_view text);

/// The text with everything replaced that a terminal would obey; always one line.
std::string visible(std::string_view text);

}  // namespace gpulint
