// The text of floating-point numbers as Kubernetes' JSON writers print them: shortest digits that read back as the same number.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// Nothing when the magnitude is too large for a double; what is too small is 0. The text must be a decimal number (sign, digits, point, exponent).
std::optional<double> read_double(std::string_view text);

/// A JSON number: without an exponent from 1e-6 to below 1e21.
std::string json_text(double number);

/// A mapping key made of a number: single precision, without an exponent from 1e-4 to below 1e6; `.inf` and `.nan` too.
std::string key_text(double number);

}  // namespace gpulint
