// `gpulint version`: version, commit and number of rules.
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

/// The commit that was built, shortened; empty where it is not known. Written by lint/commit.cmake.
extern const char kCommit[];
extern const char kCommitDate[];  ///< YYYY-MM-DD

/// `gpulint 0.1.0 (6fd1053, 80 rules)`, in one line.
std::string version_text(std::string_view commit = kCommit);
int print_version();

}  // namespace gpulint
