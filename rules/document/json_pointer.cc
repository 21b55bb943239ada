#include "rules/document/json_pointer.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace gpulint {
namespace {

std::string escaped(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

std::string unescaped(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    out += escape ? (token[i + 1] == '1' ? '/' : '~') : token[i];
    if (escape) ++i;
  }
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// An array index of RFC 6901: digits without a leading zero.
bool is_index(std::string_view token) {
  return !token.empty() && std::all_of(token.begin(), token.end(), is_digit) && (token.size() == 1 || token[0] != '0');
}

bool is_word(std::string_view token) {
  const auto ordinary = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '$'; };
  return !token.empty() && std::all_of(token.begin(), token.end(), ordinary);
}

std::string quoted(std::string_view token) {
  std::string out = "\"";
  for (const char c : token) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::size_t index_of(const Node& element) {
  std::size_t index = 0;
  for (const Node* n = element.parent->first; n && n != &element; n = n->next) ++index;
  return index;
}

const Node* child(const Node& node, std::string_view token) {
  if (node.is_mapping()) return node.find(token);
  std::size_t index = 0;
  if (!is_index(token)) return nullptr;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
  return read.ec == std::errc() ? node.element(index) : nullptr;
}

}  // namespace

JsonPointer JsonPointer::to(const Node& node, const Node& root) {
  std::vector<std::string> tokens;
  for (const Node* n = &node; n != &root && n->parent; n = n->parent)
    tokens.push_back(n->parent->is_mapping() ? escaped(n->key) : std::to_string(index_of(*n)));
  std::string text;
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) text += '/' + *token;
  return JsonPointer(std::move(text));
}

JsonPointer JsonPointer::append(std::string_view token) const { return JsonPointer(text_ + '/' + escaped(token)); }

JsonPointer JsonPointer::append(std::size_t index) const { return JsonPointer(text_ + '/' + std::to_string(index)); }

JsonPointer JsonPointer::parent() const {
  const std::size_t slash = text_.rfind('/');
  return JsonPointer(slash == std::string::npos ? std::string() : text_.substr(0, slash));
}

std::vector<std::string> JsonPointer::tokens() const {
  std::vector<std::string> out;
  for (std::size_t slash = text_.find('/'); slash != std::string::npos;) {
    const std::size_t next = text_.find('/', slash + 1);
    out.push_back(unescaped(std::string_view(text_).substr(slash + 1, next == std::string::npos ? next : next - slash - 1)));
    slash = next;
  }
  return out;
}

std::string JsonPointer::readable() const {
  if (text_.empty()) return "(document)";
  std::string out;
  for (const std::string& token : tokens()) {
    if (is_index(token) || token == "-") out += '[' + token + ']';
    else if (!is_word(token)) out += '[' + quoted(token) + ']';
    else out += out.empty() ? token : '.' + token;
  }
  return out;
}

const Node* JsonPointer::resolve(const Node& root) const {
  const Node* node = &root;
  for (const std::string& token : tokens()) {
    node = child(*node, token);
    if (!node) return nullptr;
  }
  return node;
}

bool JsonPointer::contains(const JsonPointer& other) const {
  return other.text_.starts_with(text_) && (other.text_.size() == text_.size() || other.text_[text_.size()] == '/');
}

}  // namespace gpulint
