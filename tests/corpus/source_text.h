// A reader of C++ source text that knows just enough to find functions: comments, literals and braces.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::testing {

struct Function {
  std::string head;  ///< what stands in front of the body, in one line
  std::size_t first_line = 0, lines = 0;
};

/// Where a comment or a literal that begins at `at` ends; `at` itself when none begins there.
inline std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const auto until = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::max(at, until("\n", at) - 1);
  if (rest.starts_with("/*")) return until("*/", at + 2);
  if (rest.starts_with("R\"")) {
    const std::size_t open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    return until(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  if (rest[0] != '"' && rest[0] != '\'') return at;
  // An apostrophe between digits separates them.
  if (rest[0] == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0) return at;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == rest[0]) return i + 1;
  }
  return text.size();
}

/// The text with comments, literals and preprocessor lines blanked out; line ends stay.
inline std::string bare_code(std::string_view text) {
  std::string code(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  bool line_start = true;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = end_of_literal(text, i);
    if (line_start && text[i] == '#') end = std::min(text.find('\n', i), text.size());
    if (end > i) blank(i, end);
    line_start = text[i] == '\n' || (line_start && text[i] == ' ');
    i = std::max(end, i + 1);
  }
  return code;
}

/// The last token in front of a brace decides: `)` or a qualifier behind one opens a body, `=` or a name an initialiser or a type.
inline bool opens_function(std::string_view head) {
  for (const std::string_view word : {"namespace", "struct ", "class ", "enum ", "union ", "extern \"C\""})
    if (head.starts_with(word)) return false;
  const std::size_t parenthesis = head.find('(');
  const std::size_t assignment = head.find(" = ");
  return parenthesis != std::string_view::npos && (assignment == std::string_view::npos || assignment > parenthesis || head.find("operator") < assignment);
}

inline std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

/// Functions outside other functions, in order. `first_line` is the line of the opening brace, `lines` counts it and the closing one's.
inline std::vector<Function> functions_in(std::string_view text) {
  const std::string code = bare_code(text);
  std::vector<Function> found;
  std::size_t head = 0, line = 1, depth = 0;  // depth: braces open inside the current function
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\n') ++line;
    if (depth > 0) {
      if (c == '{') ++depth;
      if (c != '}' || --depth > 0) continue;
      // Braces of a member initialiser or a default argument: what stands there so far is still the head.
      const std::size_t next = code.find_first_not_of(" \n", i + 1);
      const bool body = next == std::string::npos || std::string_view("{,)").find(code[next]) == std::string_view::npos;
      if (body) found.back().lines = line - found.back().first_line + 1;
      else found.pop_back();
      if (body) head = i + 1;
    } else if (c == '{') {
      const std::string before = one_line(std::string_view(code).substr(head, i - head));
      if (opens_function(before)) {
        found.push_back({before, line, 0});
        depth = 1;
      } else {
        head = i + 1;
      }
    } else if (c == ';' || c == '}') {
      head = i + 1;
    }
  }
  return found;
}

}  // namespace gpulint::testing
