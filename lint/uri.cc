#include "lint/uri.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpulint {

std::string_view relative_to(std::string_view folder, std::string_view path) {
  if (folder.empty() || !path.starts_with(folder)) return path;
  std::string_view rest = path.substr(folder.size());
  if (!folder.ends_with('/') && !rest.starts_with('/')) return path;  // a folder whose name only begins like this one
  rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
  return rest.empty() ? path : rest;
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string encoded;
  for (const char c : path)
    if (kUnreserved.find(c) != std::string_view::npos) encoded += c;
    else encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return encoded;
}

std::string file_uri(std::string_view absolute_path) { return "file://" + percent_encoded(absolute_path); }

}  // namespace gpulint
