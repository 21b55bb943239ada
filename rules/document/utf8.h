// UTF-8: how long a code point is, whether bytes are valid, and the replacement of those that are not.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gpulint {

/// The length of the code point that begins at `at`; 0 when the bytes there are not valid UTF-8 (overlong forms and surrogates are not).
std::size_t utf8_length(std::string_view text, std::size_t at);

bool is_ascii(std::string_view text);

/// Every invalid byte becomes U+FFFD, as JSON writers in Go do it.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace gpulint
