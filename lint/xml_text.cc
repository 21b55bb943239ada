#include "lint/xml_text.h"

#include <fmt/format.h>

#include "lint/visible_text.h"

namespace gpulint {

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : visible(text)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;  // `]]>` may not stand in content
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string xml_attribute(std::string_view name, std::string_view value) { return fmt::format(" {}=\"{}\"", name, xml_escaped(value)); }

std::string xml_attribute(std::string_view name, std::size_t value) { return fmt::format(" {}=\"{}\"", name, value); }

}  // namespace gpulint
