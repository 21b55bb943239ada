#include "rules/kube/quantity.h"

#include <algorithm>

namespace gpulint {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr std::int64_t kNanosPerWhole = 1'000'000'000;
constexpr std::int64_t kNanosPerThousandth = 1'000'000;
constexpr Int128 kMaximum = static_cast<Int128>(INT64_MAX) * kNanosPerWhole;
// So many digits of a number are kept exactly. A value within the cap has at most 28 (19 before the point, 9 behind it);
// binary suffixes multiply by up to 2^60, so fewer fit.
constexpr std::size_t kDecimalDigits = 37;
constexpr std::size_t kBinaryDigits = 20;

struct Suffix {
  std::string_view text;
  int exponent;
  bool binary;
};
constexpr Suffix kSuffixes[] = {
    {"n", -9, false}, {"u", -6, false}, {"m", -3, false}, {"", 0, false},   {"k", 3, false},  {"M", 6, false},  {"G", 9, false},
    {"T", 12, false}, {"P", 15, false}, {"E", 18, false}, {"Ki", 10, true}, {"Mi", 20, true}, {"Gi", 30, true}, {"Ti", 40, true},
    {"Pi", 50, true}, {"Ei", 60, true},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// `e5`, `E-3`, `e+3`: a decimal exponent. Far beyond every cap its exact size does not matter.
std::optional<int> decimal_exponent(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  int exponent = 0;
  for (char digit : text) exponent = std::min(exponent * 10 + (digit - '0'), 100'000);
  return negative ? -exponent : exponent;
}

std::optional<Suffix> interpret(std::string_view text) {
  for (const Suffix& suffix : kSuffixes)
    if (suffix.text == text) return suffix;
  if (const auto exponent = decimal_exponent(text)) return Suffix{text, *exponent, false};
  return std::nullopt;
}

std::string_view take_digits(std::string_view& text) {
  const std::size_t count = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// digits x 10^exponent; `inexact` when something behind the kept digits was not zero.
struct Number {
  Wide digits = 0;
  long exponent = 0;
  bool inexact = false;
};

Number number_of(std::string_view whole, std::string_view fraction, std::size_t kept) {
  Number number;
  number.exponent = -static_cast<long>(fraction.size());
  std::size_t count = 0;
  for (std::string_view part : {whole, fraction})
    for (char digit : part) {
      if (count == kept) {
        ++number.exponent;
        number.inexact = number.inexact || digit != '0';
        continue;
      }
      number.digits = number.digits * 10 + static_cast<unsigned>(digit - '0');
      if (number.digits != 0) ++count;
    }
  return number;
}

/// The value in nanos, rounded away from zero and capped.
Int128 nanos_of(Number number) {
  constexpr Wide kCap = static_cast<Wide>(kMaximum);
  if (number.digits == 0) return number.inexact ? 1 : 0;
  number.exponent += 9;
  for (; number.exponent > 0; --number.exponent) {
    if (number.digits > kCap) return kMaximum;
    number.digits *= 10;
  }
  for (; number.exponent < 0 && number.digits != 0; ++number.exponent) {
    number.inexact = number.inexact || number.digits % 10 != 0;
    number.digits /= 10;
  }
  if (number.inexact) ++number.digits;
  return number.digits > kCap ? kMaximum : static_cast<Int128>(number.digits);
}

Int128 divide_away_from_zero(Int128 value, std::int64_t divisor) {
  const Int128 quotient = value / divisor;
  if (value % divisor == 0) return quotient;
  return value < 0 ? quotient - 1 : quotient + 1;
}

}  // namespace

// The API's scanner takes an empty number for 0 (`.`, `+`, `k` are zero), and so does this one.
std::optional<Quantity> Quantity::parse(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  const auto suffix = interpret(text);
  if (!suffix) return std::nullopt;

  Number number = number_of(whole, fraction, suffix->binary ? kBinaryDigits : kDecimalDigits);
  if (suffix->binary) number.digits <<= suffix->exponent;
  else number.exponent += suffix->exponent;
  Quantity quantity;
  quantity.nanos_ = nanos_of(number);
  if (negative) quantity.nanos_ = -quantity.nanos_;
  quantity.binary_suffix_ = suffix->binary;
  return quantity;
}

bool Quantity::is_integer() const {
  const Int128 thousandths = divide_away_from_zero(nanos_, kNanosPerThousandth);
  if (thousandths > INT64_MAX || thousandths < INT64_MIN) return false;  // overflows the API's 64 bits
  return thousandths % 1000 == 0;
}

std::int64_t Quantity::whole() const { return static_cast<std::int64_t>(divide_away_from_zero(nanos_, kNanosPerWhole)); }

std::string Quantity::text() const {
  const bool negative = nanos_ < 0;
  const Wide magnitude = static_cast<Wide>(negative ? -nanos_ : nanos_);
  std::string text = negative ? "-" : "";
  text += std::to_string(static_cast<std::uint64_t>(magnitude / kNanosPerWhole));
  std::string fraction = std::to_string(static_cast<std::uint64_t>(magnitude % kNanosPerWhole));
  if (fraction == "0") return text;
  fraction.insert(0, 9 - fraction.size(), '0');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

Quantity Quantity::operator+(const Quantity& other) const {
  Quantity sum;
  sum.nanos_ = std::clamp(nanos_ + other.nanos_, -kMaximum, kMaximum);
  sum.binary_suffix_ = binary_suffix_ || other.binary_suffix_;
  return sum;
}

}  // namespace gpulint
