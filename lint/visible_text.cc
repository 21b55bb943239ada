#include "lint/visible_text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace gpulint {
namespace {

struct CodePoints {
  std::int32_t first, last;
};

// What changes how a line reads without being seen, beside the controls of category Cc: soft hyphen, bidirectional marks, overrides and isolates,
// blanks of no width, separators of lines, invisible operators, a byte order mark inside the text, tags.
constexpr std::array<CodePoints, 10> kInvisible{{{0xAD, 0xAD}, {0x61C, 0x61C}, {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x2064},
                                                 {0x2066, 0x2069}, {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE007F}}};

bool is_shown_as_number(std::int32_t point) {
  if ((point & 0xFFFE) == 0xFFFE || utf8proc_category(point) == UTF8PROC_CATEGORY_CC) return true;  // ...FFFE and ...FFFF are no characters
  return std::any_of(kInvisible.begin(), kInvisible.end(), [point](CodePoints r) { return r.first <= point && point <= r.last; });
}

struct Decoded {
  std::int32_t point = 0;
  std::size_t length = 0;  // 0: no UTF-8 here
};

Decoded decode(std::string_view text) {
  std::int32_t point = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()), &point);
  return length > 0 ? Decoded{point, static_cast<std::size_t>(length)} : Decoded{};
}

std::size_t width_of(std::int32_t point) {
  // What this version of Unicode does not know yet: new emoji, which take two cells, or something a terminal draws in one.
  if (utf8proc_category(point) == UTF8PROC_CATEGORY_CN) return point >= 0x1F300 && point <= 0x1FAFF ? 2 : 1;
  return static_cast<std::size_t>(utf8proc_charwidth(point));
}

Glyph glyph_at(std::string_view text, Decoded decoded) {
  if (decoded.length == 0) {
    const auto byte = static_cast<unsigned char>(text[0]);
    return {fmt::format("\\x{:02x}", byte), 4, (byte & 0xC0U) != 0x80U};
  }
  if (decoded.point == '\t') return {"    ", 4};
  if (is_shown_as_number(decoded.point)) {
    std::string shown = decoded.point < 0x80 ? fmt::format("\\x{:02x}", decoded.point) : fmt::format("<U+{:04X}>", decoded.point);
    const std::size_t width = shown.size();
    return {std::move(shown), width};
  }
  return {std::string(text.substr(0, decoded.length)), width_of(decoded.point)};
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
