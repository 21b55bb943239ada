// The files that `gpulint init` writes: a configuration with every key explained, an entry for pre-commit, a job for GitHub and for GitLab.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// What init knows of the cluster: a preset, or none and why.
struct ClusterChoice {
  std::string preset;               ///< empty: not known, or several
  std::vector<std::string> reasons; ///< a line each; shown, and kept as comments
};

std::string configuration_text(const ClusterChoice& cluster);

/// An entry of `repos:` as it stands below that key.
std::string pre_commit_entry();
std::string pre_commit_text();
std::string github_text();
/// A job, as it stands in a pipeline.
std::string gitlab_text();

}  // namespace gpulint
