// Names of files as other programs expect them: relative to where the run was started, and as URIs (RFC 3986).
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

/// The path below `folder` (absolute, or empty) where it is below it; else the path as it is.
std::string_view relative_to(std::string_view folder, std::string_view path);

/// The path of a URI: every byte but letters, digits, `-._~` and `/` as %XX, so that any name on disk is one, UTF-8 or not.
std::string percent_encoded(std::string_view path);

/// `file:///...` of an absolute path.
std::string file_uri(std::string_view absolute_path);

}  // namespace gpulint
