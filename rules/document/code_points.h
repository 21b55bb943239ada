// CodePoints: from the places libyaml reports, counted in code points, to bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "rules/document/utf8.h"

namespace gpulint {

/// Places are asked for nearly in order, so the last answer is where the next search begins. In ASCII text a place is its own answer.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : text_(text), ascii_(is_ascii(text)) {}

  std::uint32_t byte_of(std::size_t code_point) {
    if (ascii_) return static_cast<std::uint32_t>(code_point);
    while (count_ + kStep <= code_point && is_ascii_step()) {
      byte_ += kStep;
      count_ += kStep;
    }
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
  static constexpr std::size_t kStep = 8;

  bool is_ascii_step() const {
    std::uint64_t bytes = 0;
    if (byte_ + kStep > text_.size()) return false;
    std::memcpy(&bytes, text_.data() + byte_, kStep);
    return (bytes & 0x8080808080808080U) == 0;
  }
  bool continues() const { return byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0U) == 0x80U; }

  std::string_view text_;
  bool ascii_;
  std::size_t byte_ = 0, count_ = 0;
};

}  // namespace gpulint
