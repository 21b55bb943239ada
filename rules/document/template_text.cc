#include "rules/document/template_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gpulint {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Behind the quote that closes the scalar opened at `at`; kNone when nothing does.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return kNone;
}

/// Walks a text line by line; knows just enough YAML to tell what is a comment, a quoted scalar or a block scalar.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<Span> run() {
    while (at_ < text_.size()) {
      line_ = at_;
      const std::size_t indent = std::min(text_.find_first_not_of(" \t", at_), text_.size()) - at_;
      const std::size_t first = line_ + indent;
      const bool blank = first >= text_.size() || text_[first] == '\n' || text_[first] == '\r';
      if (in_block_ && !blank && static_cast<std::ptrdiff_t>(indent) <= block_parent_) in_block_ = false;
      if (in_block_ || blank) {
        at_ = next_line(at_);
        continue;
      }
      at_ = first;
      if (const std::size_t found = scan_line(); found != kNone) return template_span(text_, found);
    }
    return std::nullopt;
  }

 private:
  std::size_t next_line(std::size_t at) const {
    const std::size_t end = text_.find('\n', at);
    return end == kNone ? text_.size() : end + 1;
  }

  /// From at_ to the end of the line (or of a later one, when a quoted scalar spans lines): the place of a template action, or kNone.
  std::size_t scan_line() {
    bool value_begins = true;
    while (at_ < text_.size() && text_[at_] != '\n') {
      const char c = text_[at_];
      const std::string_view two = text_.substr(at_, 2);
      if (two == "{{" || two == "{%" || two == "%{") return at_;
      if (c == '#' && (at_ == line_ || is_blank(text_[at_ - 1]))) break;
      if (value_begins && (c == '"' || c == '\'')) {
        if (const std::size_t found = skip_quoted(); found != kNone) return found;
        value_begins = false;
        continue;
      }
      if (value_begins && (c == '|' || c == '>') && opens_block()) break;
      if (value_begins && (c == '!' || c == '&')) {
        at_ = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
        continue;
      }
      const bool indicator = (c == ':' || c == '-' || c == '?') && at_ + 1 < text_.size() && is_blank(text_[at_ + 1]);
      if (indicator || c == '[' || c == '{' || c == ',') value_begins = true;
      else if (!is_blank(c)) value_begins = false;
      ++at_;
    }
    at_ = next_line(at_);
    return kNone;
  }

  /// A quoted scalar is data, unless a quote within the action ends it: "{{ .Values.name | default "x" }}".
  std::size_t skip_quoted() {
    bool& unclosed = text_[at_] == '"' ? no_double_ : no_single_;
    const std::size_t end = unclosed ? kNone : end_of_quoted(text_, at_);
    if (end == kNone) {
      unclosed = true;
      at_ = std::min(text_.find('\n', at_), text_.size());
      return kNone;
    }
    const std::string_view quoted = text_.substr(at_, end - at_);
    const std::size_t open = quoted.rfind("{{");
    const bool cut = open != kNone && quoted.find("}}", open) == kNone;
    if (cut && text_.substr(end, next_line(end) - end).find("}}") != kNone) return at_ + open;
    at_ = end;
    return kNone;
  }

  /// `|` or `>` with at most an indentation and a chomping indicator behind it, at the end of its line.
  bool opens_block() {
    std::size_t end = text_.find_first_not_of("+-0123456789", at_ + 1);
    end = std::min(text_.find_first_not_of(" \t\r", end), text_.size());
    if (end < text_.size() && text_[end] != '\n' && text_[end] != '#') return false;
    in_block_ = true;
    block_parent_ = parent_column();
    return true;
  }

  /// The column of the innermost key or dash of the line whose value is at at_.
  std::ptrdiff_t parent_column() const {
    std::size_t column = std::min(text_.find_first_not_of(' ', line_), at_);
    if (column == at_ || text_.substr(line_, 3) == "---") return -1;
    while (column + 1 < at_ && text_[column] == '-' && is_blank(text_[column + 1])) {
      const std::size_t next = text_.find_first_not_of(' ', column + 1);
      if (next >= at_) break;
      column = next;
    }
    return static_cast<std::ptrdiff_t>(column - line_);
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 0;
  bool in_block_ = false;
  bool no_double_ = false, no_single_ = false;  ///< no such quote is closed from here on: not searched again
  std::ptrdiff_t block_parent_ = 0;
};

}  // namespace

std::optional<Span> find_template(std::string_view text) { return Scanner(text).run(); }

std::optional<Span> find_variable(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? kNone : text.rfind('\n', at - 1);
  const std::size_t begin = newline == kNone ? 0 : newline + 1;
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t variable = line.find("${");
  if (variable == kNone || line.find_first_of("\"'#") < variable) return std::nullopt;
  return template_span(text, begin + variable);
}

Span template_span(std::string_view text, std::size_t begin) {
  const std::string_view close = text[begin] == '%' || text[begin] == '$' ? "}" : text[begin + 1] == '%' ? "%}" : "}}";
  const std::size_t line_end = std::min(text.find_first_of("\r\n", begin), text.size());
  const std::size_t end = text.substr(0, line_end).find(close, begin + 2);
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end == kNone ? line_end : end + close.size())};
}

}  // namespace gpulint
