// PolicyReader: what reading a configuration needs everywhere: located problems, typed values, "did you mean". The parts of the
// configuration are read in read_policy.cc (cluster, accelerators, webhook) and read_policy_rules.cc (rules, ignore).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/engine/policy.h"

namespace gpulint {

class PolicyReader {
 public:
  PolicyReader(const Source& source, Policy& policy) : source_(source), policy_(policy) {}

  void read(const Node& root);
  std::vector<PolicyProblem> problems;

 private:
  void read_cluster(const Node& node);
  void read_cluster_parts(const Node& node);
  void read_add_ons(const Node& node, Cluster& cluster);
  void read_taint(const Node& node, Cluster& cluster);
  void read_fail_on(const Node& node);
  void read_rules(const Node& node);
  void read_rule(const Node& node, const Rule& rule);
  bool read_level(const Node& node, RuleSettings& settings);
  void read_parameter(const Node& node, const Parameter& parameter, RuleSettings& settings);
  void read_ignore(const Node& node);
  std::optional<IgnoreEntry> read_ignore_entry(const Node& node);
  void read_accelerators(const Node& node);
  void read_webhook(const Node& node);
  void read_mutate(const Node& node);
  void read_exempt(const Node& node);

  /// Points at the key of a member where `at_key`, else at the value.
  void problem(const Node& node, std::string message, bool at_key = false, std::string rule = "invalid-manifest");
  /// Whether the node is a mapping with only `known` keys; says which is not.
  bool check_keys(const Node& node, std::string_view where, const std::vector<std::string>& known);
  bool check_list(const Node& node, std::string_view what);
  std::optional<std::string> text(const Node& node, std::string_view what);
  /// A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const Node& node, std::string_view what);
  /// Where the text of that index stands.
  static const Node& place(const Node& node, std::size_t index);
  const Rule* known_rule(std::string_view id, const Node& node, bool at_key);
  void reject_choice(const Node& node, std::string_view what, const std::vector<std::string>& choices);

  const Source& source_;
  Policy& policy_;
};

}  // namespace gpulint
