// `gpulint lint`: judges manifests and writes reports.
#pragma once
#include <string>
#include <vector>

namespace gpulint {

/// The options as they stand on the command line.
struct LintOptions {
  std::vector<std::string> paths;
  std::string cluster;                ///< empty: not given
  std::string config;                 ///< empty: the one found upward from the working directory
  std::string stdin_filename;         ///< the name standard input goes by in reports and path patterns
  std::string baseline;               ///< findings listed there are set aside; empty: the configuration's
  std::string write_baseline;         ///< writes today's findings there
  std::vector<std::string> exclude;   ///< globs, beside the configuration's
  std::vector<std::string> values;    ///< values files for every chart that is rendered
  std::vector<std::string> outputs;   ///< FORMAT or FORMAT=FILE; empty: text
  std::vector<std::string> show;      ///< info, suppressed, skipped
  std::string fail_on;                ///< empty: not given
  std::string colour = "auto";        ///< auto, always, never
  std::string render = "auto";        ///< auto, never
  unsigned threads = 0;               ///< 0: one a processor
  std::size_t max_findings = 0;       ///< text and compact list so many at most; 0: all
  bool no_config = false;
  bool no_ignore = false;
  bool quiet = false;
  bool statistics = false;
  bool strict_input = false;
  bool explain_cluster = false;
  bool profile_rules = false;
  std::vector<std::string> from_environment;  ///< the options above that GPULINT_<NAME> set: `--cluster`
};

/// The exit status. Everything that went wrong is on standard error by then.
int lint(const LintOptions& options);

}  // namespace gpulint
