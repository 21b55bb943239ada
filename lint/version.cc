#include "lint/version.h"

#include <fmt/format.h>

#include "gpulint_version.h"
#include "lint/print.h"
#include "rules/engine/engine.h"

namespace gpulint {

std::string version_text(std::string_view commit) {
  return fmt::format("gpulint {} ({}{}{} rules)\n", kVersion, commit, commit.empty() ? "" : ", ", all_rules().size());
}

int print_version() { return print(version_text()); }

}  // namespace gpulint
