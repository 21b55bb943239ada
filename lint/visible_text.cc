#include "lint/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace gpulint {
namespace {

struct CodePoints {
  std::uint32_t first, last;
};

// Unicode: East Asian Width W and F, and emoji that terminals draw in two cells.
constexpr std::array<CodePoints, 15> kWide{{{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
                                            {0xA000, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
                                            {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F9FF}, {0x20000, 0x3FFFD}}};
// Combining marks, joiners and variation selectors.
constexpr std::array<CodePoints, 8> kZeroWidth{{{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF},
                                                {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}}};
// C0, DEL and C1 controls, line and paragraph separators, bidirectional marks, overrides and isolates.
constexpr std::array<CodePoints, 6> kControl{{{0x00, 0x1F}, {0x7F, 0x9F}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}}};

bool is_in(std::span<const CodePoints> ranges, std::uint32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [point](CodePoints r) { return r.first <= point && point <= r.last; });
}

struct Decoded {
  std::uint32_t point = 0;
  std::size_t length = 0;  // 0: no UTF-8 here
};

// Overlong forms, surrogates and numbers above U+10FFFF are no UTF-8 (RFC 3629).
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  if (overlong || (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF) return {};
  return {point, length};
}

Glyph glyph_at(std::string_view text, Decoded decoded) {
  if (decoded.length == 0) return {fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0])), 4};
  if (decoded.point == '\t') return {"    ", 4};
  if (is_in(kControl, decoded.point)) {
    std::string shown = decoded.point < 0x80 ? fmt::format("\\x{:02x}", decoded.point) : fmt::format("<U+{:04X}>", decoded.point);
    const std::size_t width = shown.size();
    return {std::move(shown), width};
  }
  const std::size_t width = is_in(kZeroWidth, decoded.point) ? 0 : is_in(kWide, decoded.point) ? 2 : 1;
  return {std::string(text.substr(0, decoded.length)), width};
}

}  // namespace

std::vector<Glyph> glyphs_of(std::string_view text) {
  std::vector<Glyph> glyphs;
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    glyphs.push_back(glyph_at(text, decoded));
    text.remove_prefix(std::max<std::size_t>(decoded.length, 1));
  }
  return glyphs;
}

std::string visible(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (plain) return std::string(text);
  std::string out;
  for (const Glyph& glyph : glyphs_of(text)) out += glyph.text;
  return out;
}

}  // namespace gpulint
