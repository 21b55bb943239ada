// Policy: the settings a judgement depends on, read from `.gpulint.yaml` or given by options. A value; the same in both front ends.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/cluster/cluster.h"
#include "rules/document/word_filter.h"
#include "rules/engine/finding.h"
#include "rules/engine/rule.h"
#include "rules/kube/accelerators.h"

namespace gpulint {

class Baseline;

inline constexpr std::string_view kConfigurationName = ".gpulint.yaml";
inline constexpr std::string_view kBaselineName = "gpulint-baseline.json";  ///< any other will do when it is named

struct RuleSettings {
  bool off = false;
  bool on = false;                   ///< said in so many words: what an override needs to switch a rule on again
  std::optional<Severity> severity;  ///< replaces the severity of all findings of the rule
  std::map<std::string, std::vector<std::string>, std::less<>> parameters;
};

/// Where something stands in the configuration, for what is found about it.
struct Place {
  std::string file;
  JsonPointer pointer;
  Range range;
  std::string line;  ///< the text of range.start's line
};

/// `ignore: [{rule, paths, reason, expires}]`. Without paths: everywhere. A reason is required by the reader.
struct IgnoreEntry {
  std::string rule;
  std::vector<std::string> paths;  ///< globs; `**` crosses folders
  std::string reason;
  std::string expires;             ///< YYYY-MM-DD, the last day it holds; empty: never
  Place place = {};
};

/// `overrides: [{paths, cluster, rules}]`: other settings for some files. Where several match a file, the last one counts.
struct Override {
  std::vector<std::string> paths;  ///< globs, as in IgnoreEntry
  std::optional<Cluster> cluster;  ///< replaces the cluster
  std::map<std::string, RuleSettings, std::less<>> rules;  ///< set over the rules' settings one by one
  std::string origin = {};         ///< as in Policy::origins: ".gpulint.yaml:12, overrides[1]"
  std::string cluster_origin = {}; ///< of the cluster: an option may stand above the override's own
};

/// `render: {enabled, timeout, charts: [{paths, values}]}`: how charts and kustomizations become manifests (the linter only).
struct RenderSettings {
  struct Chart {
    std::vector<std::string> paths;   ///< globs of chart folders
    std::vector<std::string> values;  ///< files beside the chart's own values, relative to the configuration
  };
  bool enabled = true;
  int timeout = 30;                   ///< seconds for one chart or kustomization
  std::vector<Chart> charts;          ///< each matching entry is one rendering; without one the chart's own values are taken
};

/// Where path globs count from: the folder of the configuration. Both are absolute; `working` is what names of files are relative to.
struct PathBase {
  std::string folder, working;
  /// The path below `folder` where it is below it (no file system is asked); else the path as it is.
  std::string relative(std::string_view path) const;
  /// As `relative` has it, back to a name that can be opened from the working directory.
  std::string openable(std::string_view relative_path) const;
};

enum class Mode : std::uint8_t { enforce, warn, audit };

struct WebhookSettings {
  Mode mode = Mode::warn;
  std::vector<std::string> mutate;             ///< rules whose safe fixes /mutate applies
  std::vector<std::string> exempt_namespaces;
  bool configured = false;                     ///< the configuration has a `webhook` part: it serves admission too
};

struct Policy {
  Policy();

  Cluster cluster;
  Severity fail_on = Severity::error;
  std::map<std::string, RuleSettings, std::less<>> rules;
  std::vector<IgnoreEntry> ignore;
  std::vector<Override> overrides;
  std::vector<std::string> exclude;  ///< globs of files and folders that the linter passes over
  RenderSettings render;
  std::string baseline;              ///< file of findings to set aside, relative to the configuration; empty: none
  PathBase paths;                    ///< empty: globs are compared with paths as they are given
  AcceleratorTable accelerators;
  WebhookSettings webhook;
  std::shared_ptr<const Baseline> set_aside;  ///< what the file `baseline` lists; null: none was read
  std::vector<std::string> own_files;         ///< the configuration and the baseline, as PathBase::relative has them: no manifests
  std::map<std::string, std::string, std::less<>> origins;  ///< setting ("rules.zero-gpu-limit") -> ".gpulint.yaml:4"; defaults have none
  bool honour_suppressions = true;  ///< false: --no-ignore
  bool lint = true;                 ///< the linter; false: admission, where unused-suppression is not raised
  bool writes_baseline = false;     ///< the findings of this run go into a baseline, and are set aside by it
  bool reads_all = false;           ///< the run reads all that the configuration is about: an `ignore` entry without a finding is stale
  bool read_everything = false;     ///< parse documents without a GPU word too (tests of the prefilter)

  const RuleSettings* settings(std::string_view rule) const;
  bool is_off(const Rule& rule) const;
  /// Whether one of the globs matches the path or a folder it lies in, as in .gitignore. The path is as reports name it; every glob of the
  /// configuration (ignore, overrides, exclude, render) is asked here. At admission nothing has a path, and nothing matches.
  bool matches(const std::vector<std::string>& globs, std::string_view path) const;
  /// Whether a path is the configuration or the baseline, which lie among the manifests and are none.
  bool is_own_file(std::string_view path) const;

  /// Words one of which a document must hold to be parsed: of the accelerators, the rules and the cluster's taints.
  const WordFilter& words() const { return *words_; }
  /// To be called after `accelerators`, `rules` or `cluster` changed.
  void rebuild_words();

 private:
  std::shared_ptr<const WordFilter> words_;
};

/// One fault of a configuration text.
struct PolicyProblem {
  Position position;
  std::string message;  ///< with "did you mean" where something is close
  std::string rule;     ///< id of the rule it belongs to: unknown-rule or invalid-manifest
};

/// Reads a configuration into `policy` (settings absent in the text stay as they are). Empty result: all is well; else `policy` is unusable.
std::vector<PolicyProblem> read_policy(const Source& source, Policy& policy);

/// Whether a glob (`*`, `?`, `**`, `[...]`) matches a path or a folder it lies in, as in .gitignore: a pattern without `/` holds at any depth,
/// `/x` at the top only, `x/` for what is in a folder only. Paths of files are asked through Policy::matches.
bool glob_matches(std::string_view pattern, std::string_view path);

/// The closest of `candidates` to `word` by edit distance, or nothing when none is close enough to be meant.
std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gpulint
