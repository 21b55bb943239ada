// Parts of paths as manifests write them: programs, sockets, mounted folders. Text only; no file is looked at.
#pragma once
#include <string_view>

namespace gpulint {

/// What stands behind the last slash: `python3` of `/usr/bin/python3`; the whole text where there is none.
inline std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The path without slashes at its end; `/` stays.
inline std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace gpulint
