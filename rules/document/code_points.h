// CodePoints: from the places libyaml reports, counted in code points, to bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rules/document/utf8.h"

namespace gpulint {

/// Places are asked for nearly in order, so the last answer is where the next search begins. In ASCII text a place is its own answer.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : text_(text), ascii_(is_ascii(text)) {}

  std::uint32_t byte_of(std::size_t code_point) {
    if (ascii_) return static_cast<std::uint32_t>(code_point);
    while (count_ < code_point && byte_ < text_.size()) {
      do ++byte_;
      while (continues());
      ++count_;
    }
    while (count_ > code_point && byte_ > 0) {
      do --byte_;
      while (byte_ > 0 && continues());
      --count_;
    }
    return static_cast<std::uint32_t>(byte_);
  }

 private:
  bool continues() const { return byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0U) == 0x80U; }

  std::string_view text_;
  bool ascii_;
  std::size_t byte_ = 0, count_ = 0;
};

}  // namespace gpulint
