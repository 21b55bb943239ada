#include <string>
#include <string_view>

#include "rules/document/document.h"
#include "rules/document/utf8.h"

namespace gpulint {
namespace {

void append_escaped(std::string& out, unsigned char c) {
  constexpr char digits[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += "\\u00";
  out += digits[c >> 4U];
  out += digits[c & 15U];
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c == '"' || c == '\\' || c == 0x7F) {
      append_escaped(out, c);
      ++at;
      continue;
    }
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text, at);
    if (length == 0) out += "\xEF\xBF\xBD";
    else out += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

void append_scalar(std::string& out, const Node& node) {
  if (node.is_null()) out += "null";
  else if (node.is_string()) append_string(out, node.text);
  else out += node.text;
}

}  // namespace

std::string to_json(const Node& node) {
  std::string out;
  const Node* n = &node;
  while (true) {
    if (n != &node && n->parent->is_mapping()) {
      append_string(out, n->key);
      out += ':';
    }
    if (n->is_scalar()) append_scalar(out, *n);
    else out += n->is_mapping() ? '{' : '[';
    if (n->first) {
      n = n->first;
      continue;
    }
    if (!n->is_scalar()) out += n->is_mapping() ? '}' : ']';
    while (n != &node && !n->next) {
      n = n->parent;
      out += n->is_mapping() ? '}' : ']';
    }
    if (n == &node) return out;
    out += ',';
    n = n->next;
  }
}

}  // namespace gpulint
