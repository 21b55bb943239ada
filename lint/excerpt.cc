#include "lint/excerpt.h"

#include <algorithm>
#include <vector>

#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::string_view kCut = "...";
constexpr std::size_t kCellsBefore = kExcerptWidth / 3;  // of the window, in front of the place: what leads to it

std::size_t width_of(const std::vector<Glyph>& glyphs, std::size_t from, std::size_t to) {
  std::size_t width = 0;
  for (std::size_t i = from; i < to; ++i) width += glyphs[i].width;
  return width;
}

// Moves `at` back (or forward) over glyphs as long as their cells fit.
std::size_t back(const std::vector<Glyph>& glyphs, std::size_t at, std::size_t cells) {
  while (at > 0 && glyphs[at - 1].width <= cells) cells -= glyphs[--at].width;
  return at;
}
std::size_t forward(const std::vector<Glyph>& glyphs, std::size_t at, std::size_t cells) {
  while (at < glyphs.size() && glyphs[at].width <= cells) cells -= glyphs[at++].width;
  return at;
}

}  // namespace

Excerpt excerpt_of(std::string_view line, const Range& range) {
  const std::vector<Glyph> glyphs = glyphs_of(line);
  const std::size_t begin = std::min<std::size_t>(std::max(range.start.column, 1u) - 1, glyphs.size());
  const std::size_t wanted_end = range.end.line == range.start.line ? std::max(range.end.column, 1u) - 1 : glyphs.size();
  const std::size_t end = std::clamp<std::size_t>(wanted_end, begin, glyphs.size());

  std::size_t from = 0, to = glyphs.size();
  if (width_of(glyphs, 0, glyphs.size()) > kExcerptWidth) {
    from = back(glyphs, begin, kCellsBefore);
    to = forward(glyphs, from, kExcerptWidth);
    if (to == glyphs.size()) from = back(glyphs, to, kExcerptWidth);
  }
  Excerpt excerpt;
  if (from > 0) excerpt.line = kCut;
  excerpt.indent = excerpt.line.size() + width_of(glyphs, from, begin);
  for (std::size_t i = from; i < to; ++i) excerpt.line += glyphs[i].text;
  if (to < glyphs.size()) excerpt.line += kCut;
  const std::size_t cells = std::max<std::size_t>(width_of(glyphs, begin, std::min(end, to)), 1);
  excerpt.mark.assign(cells, '~');
  excerpt.mark.front() = '^';
  return excerpt;
}

}  // namespace gpulint
