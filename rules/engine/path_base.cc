// Paths as globs and baselines have them: below the folder of the configuration, whatever the working directory.
#include <filesystem>

#include "rules/engine/policy.h"

namespace gpulint {

std::string PathBase::relative(std::string_view path) const {
  const bool plain = !path.starts_with('/') && !path.starts_with("./") && path.find("..") == path.npos;
  if (folder.empty() || (plain && folder == working)) return std::string(path);
  const std::filesystem::path whole = (std::filesystem::path(working) / path).lexically_normal();  // an absolute path replaces `working`
  const std::string text = whole.generic_string(), front = folder.ends_with('/') ? folder : folder + '/';
  return text.starts_with(front) ? text.substr(front.size()) : std::string(path);
}

std::string PathBase::openable(std::string_view relative_path) const {
  if (folder.empty() || folder == working || relative_path.starts_with('/')) return std::string(relative_path);
  return (std::filesystem::path(folder) / relative_path).lexically_normal().lexically_relative(working).generic_string();
}

}  // namespace gpulint
