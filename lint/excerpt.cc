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

// The glyph that stands in a column, counted from 0.
std::size_t glyph_in_column(const std::vector<Glyph>& glyphs, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t before = 0; at < glyphs.size() && (before < column || (column > 0 && !glyphs[at].is_column)); ++at) before += glyphs[at].is_column;
  return at;
}

}  // namespace

Excerpt excerpt_of(const SourceLine& line, const Range& range) {
  const std::vector<Glyph> glyphs = glyphs_of(line.text);
  const auto glyph_at = [&](std::uint32_t column) { return glyph_in_column(glyphs, std::max(column, line.first_column) - line.first_column); };
  const std::size_t begin = glyph_at(range.start.column);
  const std::size_t end = std::max(range.end.line == range.start.line ? glyph_at(range.end.column) : glyphs.size(), begin);

  std::size_t from = 0, to = glyphs.size();
  if (width_of(glyphs, 0, glyphs.size()) > kExcerptWidth) {
    from = back(glyphs, begin, kCellsBefore);
    to = forward(glyphs, from, kExcerptWidth);
    if (to == glyphs.size()) from = back(glyphs, to, kExcerptWidth);
  }
  Excerpt excerpt;
  if (from > 0 || line.first_column > 1) excerpt.line = kCut;
  excerpt.indent = excerpt.line.size() + width_of(glyphs, from, begin);
  for (std::size_t i = from; i < to; ++i) excerpt.line += glyphs[i].text;
  if (to < glyphs.size() || line.goes_on) excerpt.line += kCut;
  const std::size_t cells = std::max<std::size_t>(width_of(glyphs, begin, std::min(end, to)), 1);
  excerpt.mark.assign(cells, '~');
  excerpt.mark.front() = '^';
  return excerpt;
}

}  // namespace gpulint
