// Exclusions: files and folders that settings keep from being read: `exclude` of the configuration, --exclude, and the configuration itself.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/policy.h"

namespace gpulint {

class Exclusions {
 public:
  Exclusions() = default;
  /// `globs` of the command line count from the working directory. `policy` must outlive this.
  Exclusions(const Policy& policy, std::vector<std::string> globs);

  /// Why the place is passed over ("excluded by the configuration"); empty: it is not. Folders that it lies in count too.
  std::string_view reason(std::string_view path, bool is_folder) const;

 private:
  const Policy* policy_ = nullptr;
  std::vector<std::string> globs_;
  PathBase working_;
};

}  // namespace gpulint
