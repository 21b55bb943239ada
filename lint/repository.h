// A repository as `gpulint init` sees it: its root, what lies in it, whose CI runs for it, and what of gpulint it has already.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {

struct Repository {
  std::string top;       ///< its root as a path from the working directory; `.` also where there is no repository
  bool is_repository = false;
  bool on_github = false, on_gitlab = false;
  Report report;         ///< of all its manifests as they stand, without rendering
  std::vector<std::string> charts, kustomizations;  ///< folders
  std::map<std::string, std::vector<ClusterEvidence>> platforms;  ///< preset -> the objects that show it
  /// The path of a file from the working directory.
  std::string path(const std::string& name) const { return top == "." ? name : top + "/" + name; }
};

Repository look_at_repository();

}  // namespace gpulint
