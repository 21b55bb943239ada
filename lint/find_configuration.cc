#include "lint/find_configuration.h"

#include <filesystem>

#include "lint/folder.h"
#include "rules/engine/policy.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMisnamed = ".gpulint.yml";

}  // namespace

FoundConfiguration find_configuration(const std::string& working) {
  FoundConfiguration found;
  found.top = working;
  fs::path way;
  for (fs::path folder = working;; folder = folder.parent_path(), way /= "..") {
    if (is_there(folder / kConfigurationName)) {
      if (!found.file) found.file = (way / kConfigurationName).generic_string();
    } else if (!found.file && is_there(folder / kMisnamed)) {
      found.misnamed.push_back((way / kMisnamed).generic_string());
    }
    if (is_there(folder / ".git")) {
      found.top = folder.generic_string();
      break;
    }
    if (folder == folder.parent_path()) break;
  }
  return found;
}

}  // namespace gpulint
