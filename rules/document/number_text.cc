#include "rules/document/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gpulint {
namespace {

/// sign 0.DIGITS x 10^point
struct Decimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};

template <class Float>
Decimal shortest(Float number) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number), std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t exponent = text.find('e');
  Decimal out{std::signbit(number), std::string(1, text[0]), 0};
  if (exponent > 2) out.digits += text.substr(2, exponent - 2);
  const std::string_view power = text.substr(text[exponent + 1] == '+' ? exponent + 2 : exponent + 1);
  std::from_chars(power.data(), power.data() + power.size(), out.point);
  ++out.point;
  return out;
}

std::string fixed(const Decimal& number) {
  const int size = static_cast<int>(number.digits.size());
  std::string out = number.negative ? "-" : "";
  if (number.point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-number.point), '0') + number.digits;
  if (number.point >= size) return out + number.digits + std::string(static_cast<std::size_t>(number.point - size), '0');
  const auto whole = static_cast<std::size_t>(number.point);
  return out + number.digits.substr(0, whole) + '.' + number.digits.substr(whole);
}

std::string scientific(const Decimal& number, std::size_t least_exponent_digits) {
  std::string out = number.negative ? "-" : "";
  out += number.digits[0];
  if (number.digits.size() > 1) out += '.' + number.digits.substr(1);
  const int exponent = number.point - 1;
  const std::string power = std::to_string(std::abs(exponent));
  out += exponent < 0 ? "e-" : "e+";
  if (power.size() < least_exponent_digits) out += std::string(least_exponent_digits - power.size(), '0');
  return out + power;
}

}  // namespace

std::optional<double> read_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc()) return number;
  // Out of range says both too large and too small; only too small ones have a negative exponent or no whole part.
  const std::size_t exponent = text.find_first_of("eE");
  const bool small = exponent != text.npos ? text[exponent + 1] == '-' : text.find_first_not_of("-0") == text.find('.');
  if (small) return text.starts_with('-') ? -0.0 : 0.0;
  return std::nullopt;
}

std::string json_text(double number) {
  if (number == 0) return std::signbit(number) ? "-0" : "0";
  const double size = std::abs(number);
  return size < 1e-6 || size >= 1e21 ? scientific(shortest(number), 1) : fixed(shortest(number));
}

std::string key_text(double number) {
  const auto single = static_cast<float>(number);
  if (std::isnan(single)) return ".nan";
  if (std::isinf(single)) return single < 0 ? "-.inf" : ".inf";
  if (single == 0) return std::signbit(single) ? "-0" : "0";
  const Decimal decimal = shortest(single);
  const int exponent = decimal.point - 1;
  return exponent < -4 || exponent >= 6 ? scientific(decimal, 2) : fixed(decimal);
}

}  // namespace gpulint
