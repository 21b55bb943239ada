#include "rules/document/scalar.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

#include "rules/document/number_text.h"
#include "rules/document/utf8.h"

namespace gpulint {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kInfinite = "JSON has no number for it";

/// What a scalar is before it is written as JSON: integers up to 64 bits without a sign are exact, everything else is a double.
struct Value {
  enum Type { null, boolean, integer, real, special, string } type = string;
  bool truth = false;
  bool negative = false;
  std::uint64_t magnitude = 0;  ///< of an integer
  double number = 0;            ///< of a real or special number (infinite or none)
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  for (const std::string_view word : list)
    if (text == word) return true;
  return false;
}

std::optional<Value> named_value(std::string_view text) {
  if (text.size() > 5) return std::nullopt;
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Value{.type = Value::null};
  if (is_one_of(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return Value{.type = Value::boolean, .truth = true};
  if (is_one_of(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return Value{.type = Value::boolean};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return Value{.type = Value::special, .number = infinity};
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return Value{.type = Value::special, .number = -infinity};
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return Value{.type = Value::special, .number = std::numeric_limits<double>::quiet_NaN()};
  return std::nullopt;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// A sign, then 0x, 0o, 0b or a bare 0 for octal. Nothing when it is no integer or exceeds 64 bits.
std::optional<Value> read_integer(std::string_view text) {
  Value out{.type = Value::integer};
  if (text.starts_with('-') || text.starts_with('+')) {
    out.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  unsigned base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    const int digit = digit_value(c);
    if (digit >= static_cast<int>(base) || __builtin_mul_overflow(out.magnitude, base, &out.magnitude) ||
        __builtin_add_overflow(out.magnitude, static_cast<unsigned>(digit), &out.magnitude))
      return std::nullopt;
  }
  if (out.negative && out.magnitude > kMost + 1) return std::nullopt;
  return out;
}

bool skip_digits(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(size);
  return size > 0;
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
bool is_decimal(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool whole = skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!skip_digits(text) && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return skip_digits(text) && text.empty();
  }
  return text.empty();
}

std::optional<Value> read_real(std::string_view text) {
  if (!is_decimal(text)) return std::nullopt;
  const std::optional<double> number = read_double(text);
  if (!number) return std::nullopt;
  return Value{.type = Value::real, .number = *number};
}

/// Whether every underscore stands between digits.
bool separates_digits(std::string_view text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = text.find('_'); at != text.npos; at = text.find('_', at + 1))
    if (!digit(at - 1) || !digit(at + 1)) return false;
  return true;
}

std::optional<Value> read_number(std::string_view text) {
  std::string without;
  const bool fraction = text.starts_with('.');
  if (text.find('_') != text.npos) {
    // kubectl minds where underscores stand only in what begins with a point.
    if (fraction && !separates_digits(text)) return std::nullopt;
    for (const char c : text)
      if (c != '_') without += c;
    text = without;
  }
  const std::optional<Value> integer = fraction ? std::nullopt : read_integer(text);
  return integer ? integer : read_real(text);
}

Value resolve(std::string_view text) {
  constexpr std::string_view first_bytes = "yYnNtTfFoO~";
  const char first = text.empty() ? '~' : text[0];
  const bool numeric = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  if (!numeric && first_bytes.find(first) == first_bytes.npos) return {};
  if (const auto named = named_value(text)) return *named;
  if (numeric)
    if (const auto number = read_number(text)) return *number;
  return {};
}

/// `digits` is returned as it is when it is the canonical text already.
Scalar integer_text(const Value& value, std::string_view digits, std::string& buffer) {
  if (!value.negative && value.magnitude > kMost) {
    buffer = json_text(static_cast<double>(value.magnitude));
    return {NodeKind::real, buffer, {}};
  }
  buffer.clear();
  if (value.negative && value.magnitude != 0) buffer += '-';
  buffer += std::to_string(value.magnitude);
  return {NodeKind::integer, digits == buffer ? digits : buffer, {}};
}

Scalar real_text(double number, std::string& buffer) {
  buffer = json_text(number);
  if (const auto integer = read_integer(buffer); integer && buffer.find('e') == std::string::npos) {
      if (integer->magnitude <= kMost) return integer_text(*integer, {}, buffer);
  }
  return {NodeKind::real, buffer, {}};
}

Scalar as_json(const Value& value, std::string_view text, std::string& buffer) {
  switch (value.type) {
    case Value::null: return {NodeKind::null, {}, {}};
    case Value::boolean: return {NodeKind::boolean, value.truth ? "true" : "false", {}};
    case Value::integer: return integer_text(value, text, buffer);
    case Value::real: return real_text(value.number, buffer);
    case Value::special: return {NodeKind::real, {}, kInfinite};
    case Value::string: break;
  }
  return {NodeKind::string, text, {}};
}

Scalar as_key(const Value& value, std::string_view text, std::string& buffer) {
  if (value.type == Value::null) return {NodeKind::null, {}, "a key must not be null"};
  if (value.type == Value::integer && !value.negative && value.magnitude > kMost) return {NodeKind::integer, {}, "a key that is a number must fit in 64 bits"};
  if (value.type != Value::real && value.type != Value::special) return as_json(value, text, buffer);
  buffer = key_text(value.number);
  return {NodeKind::real, buffer, {}};
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  std::size_t count = 0, padding = 0;
  for (const char c : text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '\n' || c == '\r') continue;
    const std::size_t value = alphabet.find(c);
    if (c == '=') ++padding;
    else if (value == alphabet.npos || padding) return std::nullopt;
    bits = (bits << 6U) | (c == '=' ? 0U : static_cast<std::uint32_t>(value));
    if (++count % 4 != 0) continue;
    for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>((bits >> static_cast<unsigned>(shift)) & 0xFFU);
  }
  if (count % 4 != 0 || padding > 2) return std::nullopt;
  out.resize(out.size() - padding);
  return out;
}

/// A date, alone or with a time; whether there is such a day is not looked at.
bool looks_like_date(std::string_view text) {
  const auto part = [&](char end) {
    const bool digits = skip_digits(text);
    if (!digits || !text.starts_with(end)) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!part('-') || !part('-') || !skip_digits(text)) return false;
  return text.empty() || text[0] == ' ' || text[0] == 't' || text[0] == 'T';
}

struct Tagged {
  Value value;
  std::string_view problem;
};

/// `text` may be replaced by its decoded form, kept in `buffer`.
Tagged resolve_with_tag(std::string_view& text, std::string_view tag, std::string& buffer) {
  if (!tag.starts_with(kTagPrefix)) return {};
  tag.remove_prefix(kTagPrefix.size());
  if (tag == "binary") {
    const auto decoded = decode_base64(text);
    if (!decoded) return {{}, "the tag !!binary needs base64 text"};
    text = buffer = replace_invalid_utf8(*decoded);
    return {};
  }
  if (tag != "bool" && tag != "int" && tag != "float" && tag != "null" && tag != "timestamp") return {};
  Value value = resolve(text);
  const bool number = value.type == Value::real || value.type == Value::special;
  if (tag == "bool" && value.type != Value::boolean) return {{}, "the tag !!bool needs true or false"};
  if (tag == "null" && value.type != Value::null) return {{}, "the tag !!null needs null"};
  if (tag == "int" && value.type != Value::integer) return {{}, "the tag !!int needs an integer"};
  if (tag == "timestamp" && (value.type != Value::string || !looks_like_date(text))) return {{}, "the tag !!timestamp needs a date"};
  if (tag != "float" || number) return {value, {}};
  if (value.type != Value::integer || (!value.negative && value.magnitude > kMost)) return {{}, "the tag !!float needs a number"};
  value.number = static_cast<double>(value.magnitude) * (value.negative ? -1 : 1);
  value.type = Value::real;
  return {value, {}};
}

}  // namespace

Scalar resolve_plain(std::string_view text, std::string& buffer) { return as_json(resolve(text), text, buffer); }

Scalar resolve_plain_key(std::string_view text, std::string& buffer) { return as_key(resolve(text), text, buffer); }

Scalar resolve_tagged(std::string_view text, std::string_view tag, std::string& buffer) {
  const Tagged tagged = resolve_with_tag(text, tag, buffer);
  if (!tagged.problem.empty()) return {NodeKind::string, {}, tagged.problem};
  return as_json(tagged.value, text, buffer);
}

Scalar resolve_tagged_key(std::string_view text, std::string_view tag, std::string& buffer) {
  const Tagged tagged = resolve_with_tag(text, tag, buffer);
  if (!tagged.problem.empty()) return {NodeKind::string, {}, tagged.problem};
  return as_key(tagged.value, text, buffer);
}

Scalar resolve_json_number(std::string_view text, std::string& buffer) {
  if (const auto integer = text.find_first_of(".eE") == text.npos ? read_integer(text) : std::nullopt) return integer_text(*integer, text, buffer);
  const std::optional<double> number = read_double(text);
  if (!number) return {NodeKind::real, {}, "the number is too large for a double"};
  return real_text(*number, buffer);
}

}  // namespace gpulint
