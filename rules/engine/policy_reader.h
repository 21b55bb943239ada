// PolicyReader: what reading a configuration needs everywhere: located problems, typed values, "did you mean". Which keys there are and
// what they may hold stands in configuration.h. The parts of the configuration are read in read_policy.cc (cluster, accelerators, webhook),
// read_policy_rules.cc (rules, ignore) and read_policy_paths.cc (overrides, exclude, render, baseline).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/engine/configuration.h"
#include "rules/engine/policy.h"

namespace gpulint {

class PolicyReader {
 public:
  PolicyReader(const Source& source, Policy& policy) : source_(source), policy_(policy) {}

  void read(const Node& root);
  std::vector<PolicyProblem> problems;

 private:
  using RuleMap = std::map<std::string, RuleSettings, std::less<>>;

  void read_member(const Node& member);
  std::optional<Cluster> read_cluster(const Node& node);
  std::optional<Cluster> read_cluster_parts(const Node& node);
  void read_add_ons(const Node& node, Cluster& cluster);
  void read_taint(const Node& node, Cluster& cluster);
  void read_fail_on(const Node& node);
  /// Sets over what `rules` holds. `top`: the settings for all files, whose origins are noted.
  void read_rules(const Node& node, RuleMap& rules, bool top);
  void read_rule(const Node& node, const Rule& rule, RuleMap& rules, bool top);
  bool read_level(const Node& node, RuleSettings& settings);
  void read_parameter(const Node& node, const Parameter& parameter, RuleSettings& settings);
  void read_ignore(const Node& node);
  std::optional<IgnoreEntry> read_ignore_entry(const Node& node);
  void read_expires(const Node& node, IgnoreEntry& entry);
  void read_overrides(const Node& node);
  void read_override(const Node& node, std::size_t index);
  void read_exclude(const Node& node);
  void read_render(const Node& node);
  void read_timeout(const Node& node);
  void read_chart(const Node& node);
  void read_baseline(const Node& node);
  void read_accelerators(const Node& node);
  void read_accelerator(const Node& node);
  void read_webhook(const Node& node);
  void read_mutate(const Node& node);
  void read_exempt(const Node& node);

  /// Points at the key of a member where `at_key`, else at the value.
  void problem(const Node& node, std::string message, bool at_key = false, std::string rule = "invalid-manifest");
  /// Whether the node is a mapping; says which of its keys are unknown.
  bool check_keys(const Node& node, std::string_view where, std::span<const Setting> known) { return check_names(node, where, names_of(known)); }
  bool check_names(const Node& node, std::string_view where, const std::vector<std::string>& known);
  bool check_list(const Node& node, std::string_view what);
  std::optional<std::string> text(const Node& node, std::string_view what);
  /// A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const Node& node, std::string_view what);
  /// Path patterns: as texts; none of them empty or negated.
  std::optional<std::vector<std::string>> globs(const Node& node, std::string_view what);
  /// Where the text of that index stands.
  static const Node& place(const Node& node, std::size_t index);
  const Rule* known_rule(std::string_view id, const Node& node, bool at_key);
  void reject_choice(const Node& node, std::string_view what, const std::vector<std::string>& choices);
  /// `.gpulint.yaml:12`
  std::string origin(const Node& node) const;
  void note_origin(std::string setting, const Node& node) { policy_.origins[std::move(setting)] = origin(node); }

  const Source& source_;
  Policy& policy_;
  const Node* root_ = nullptr;
};

}  // namespace gpulint
