// Text inside XML 1.0. Written here and not by a library: those at hand pass on control characters and broken UTF-8, which no XML 1.0 may
// contain even escaped, and build the whole document in memory.
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// For attributes and content alike; always one line. What XML cannot hold is shown as visible() shows it.
std::string xml_escaped(std::string_view text);

/// ` name="value"`
std::string xml_attribute(std::string_view name, std::string_view value);
std::string xml_attribute(std::string_view name, std::size_t value);

}  // namespace gpulint
