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
#include "rules/engine/rule.h"
#include "rules/kube/accelerators.h"

namespace gpulint {

struct RuleSettings {
  bool off = false;
  std::optional<Severity> severity;  ///< replaces the severity of all findings of the rule
  std::map<std::string, std::vector<std::string>, std::less<>> parameters;
};

/// `ignore: [{rule, paths, reason, expires}]`. Without paths: everywhere. A reason is required by the reader.
struct IgnoreEntry {
  std::string rule;
  std::vector<std::string> paths;  ///< globs; `**` crosses folders
  std::string reason;
  std::string expires;             ///< YYYY-MM-DD, the last day it holds; empty: never
};

enum class Mode : std::uint8_t { enforce, warn, audit };

struct WebhookSettings {
  Mode mode = Mode::warn;
  std::vector<std::string> mutate;             ///< rules whose safe fixes /mutate applies
  std::vector<std::string> exempt_namespaces;
};

struct Policy {
  Policy();

  Cluster cluster;
  Severity fail_on = Severity::error;
  std::map<std::string, RuleSettings, std::less<>> rules;
  std::vector<IgnoreEntry> ignore;
  AcceleratorTable accelerators;
  WebhookSettings webhook;
  bool honour_suppressions = true;  ///< false: --no-ignore
  bool lint = true;                 ///< the linter; false: admission, where unused-suppression is not raised
  bool read_everything = false;     ///< parse documents without a GPU word too (tests of the prefilter)

  const RuleSettings* settings(std::string_view rule) const;
  bool is_off(const Rule& rule) const;

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

/// Whether a path matches a glob of the configuration (`*`, `?`, `**`, `[...]`); a pattern without `/` matches the base name at any depth.
bool glob_matches(std::string_view pattern, std::string_view path);

/// The closest of `candidates` to `word` by edit distance, or nothing when none is close enough to be meant.
std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gpulint
