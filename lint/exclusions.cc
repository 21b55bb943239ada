#include "lint/exclusions.h"

#include <algorithm>
#include <filesystem>

namespace gpulint {
namespace {

// Globs match what lies in a folder they match. A pattern of that alone (`vendor/`, `vendor/**`) is one of the folder too: it need not be entered.
bool covered(const std::vector<std::string>& globs, const std::string& path, bool is_folder) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_matches(glob, path) || (is_folder && glob_matches(glob, path + "/")); });
}

}  // namespace

Exclusions::Exclusions(const Policy& policy, std::vector<std::string> globs) : policy_(&policy), globs_(std::move(globs)) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  if (!error) working_ = {here, here};
}

std::string_view Exclusions::reason(std::string_view path, bool is_folder) const {
  if (!policy_ || path.empty()) return {};
  if (!globs_.empty() && covered(globs_, working_.relative(path), is_folder)) return "excluded by --exclude";
  if (!policy_->exclude.empty() && covered(policy_->exclude, policy_->paths.relative(path), is_folder)) return "excluded by the configuration";
  if (!is_folder && policy_->is_own_file(path)) return "a configuration or baseline of gpulint";
  return {};
}

}  // namespace gpulint
