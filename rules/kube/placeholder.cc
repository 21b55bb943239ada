#include "rules/kube/placeholder.h"

#include <algorithm>

namespace gpulint {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What may stand between `<` and `>`: a name or a few words ("your registry"). Comparisons and e-mail addresses do not look so.
bool is_angle_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == ' ' || c == '.' || c == '/'; }
/// What may stand between `{` and `}`. JSON has quotes or colons there.
bool is_brace_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; }
bool is_capital_word(char c) { return is_capital(c) || is_digit(c) || c == '_'; }

/// Whether a word of such characters stands at the start of `rest`, followed by `close`.
bool closes(std::string_view rest, bool (*in_word)(char), std::string_view close) {
  if (rest.empty() || !(is_letter(rest[0]) || rest[0] == '_')) return false;
  const std::size_t length = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), in_word) - rest.begin());
  return rest.substr(length).starts_with(close);
}

bool placeholder_starts(std::string_view rest) {
  switch (rest[0]) {
    case '$':
      return rest.size() > 1 && (rest[1] == '{' || rest[1] == '(' || rest[1] == '_' || is_letter(rest[1]));
    case '{':
      return rest.starts_with("{{") || closes(rest.substr(1), is_brace_word, "}");
    case '<':
      return closes(rest.substr(1), is_angle_word, ">");
    case '_': {
      if (!rest.starts_with("__") || rest.size() < 5 || !is_capital(rest[2])) return false;
      const std::size_t length = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_capital_word) - rest.begin());
      return rest.substr(0, length).ends_with("__");
    }
    default: return false;
  }
}

}  // namespace

bool holds_placeholder(std::string_view text) {
  for (std::size_t at = text.find_first_of("${<_"); at != std::string_view::npos; at = text.find_first_of("${<_", at + 1))
    if (placeholder_starts(text.substr(at))) return true;
  return false;
}

bool is_number_placeholder(std::string_view text) {
  if (holds_placeholder(text)) return true;
  return !text.empty() && is_capital(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_capital_word(c) || c == '-'; });
}

}  // namespace gpulint
