// Finding the configuration: `.gpulint.yaml` in the working directory or the nearest folder above it, not beyond the repository.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace gpulint {

struct FoundConfiguration {
  std::optional<std::string> file;      ///< as reports name it, relative to the working directory: `../../.gpulint.yaml`
  std::string top;                      ///< the last folder looked into, absolute: the repository's root; without a repository, `working`
  std::vector<std::string> misnamed;    ///< files that look like one and are not read: `.gpulint.yml`
};

/// Looks from `working` (absolute) upward, until a folder that holds `.git` (a folder, or a file in worktrees and submodules), that one included.
FoundConfiguration find_configuration(const std::string& working);

}  // namespace gpulint
