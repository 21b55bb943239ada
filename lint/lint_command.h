// `gpulint lint`: judges manifests and writes reports.
#pragma once
#include <string>
#include <vector>

namespace gpulint {

/// The options as they stand on the command line.
struct LintOptions {
  std::vector<std::string> paths;
  std::string cluster;               ///< empty: not given
  std::string config;                ///< empty: none
  std::vector<std::string> outputs;  ///< FORMAT or FORMAT=FILE; empty: text
  std::vector<std::string> show;     ///< info, suppressed
  std::string fail_on;               ///< empty: not given
  std::string colour = "auto";       ///< auto, always, never
  unsigned threads = 0;              ///< 0: one a processor
  bool no_ignore = false;
  bool quiet = false;
  bool strict_input = false;
  bool explain_cluster = false;
  bool profile_rules = false;
};

/// The exit status. Everything that went wrong is on standard error by then.
int lint(const LintOptions& options);

}  // namespace gpulint
