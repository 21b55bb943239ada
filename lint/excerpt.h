// Excerpt: a source line as a person reads it under a finding: the part around the place, and a mark below it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/engine/finding.h"

namespace gpulint {

inline constexpr std::size_t kExcerptWidth = 120;  ///< cells of the line shown at most; longer lines are cut around the place

struct Excerpt {
  std::string line;         ///< control characters visible, tabs as blanks, `...` where something is cut
  std::size_t indent = 0;   ///< cells in front of the mark
  std::string mark;         ///< `^~~~`, as long as the range on this line, never empty
};

/// A line, or of a very long one the part that is at hand.
struct SourceLine {
  std::string_view text;
  std::uint32_t first_column = 1;  ///< of the text
  bool goes_on = false;            ///< whether the line has more behind it
};

/// The excerpt of `line` with the range marked; a range that goes on in later lines is marked to the end of this one.
Excerpt excerpt_of(const SourceLine& line, const Range& range);

}  // namespace gpulint
