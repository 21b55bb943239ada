// Context: what a check may ask (cluster, accelerators, parameters) and how it reports. Severities are chosen here by the rule and
// replaced by the configuration; nothing else computes one.
#pragma once
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "rules/cluster/cluster.h"
#include "rules/engine/finding.h"
#include "rules/engine/policy.h"

namespace gpulint {

struct FileReport;

/// Adds to the finding just reported. Does nothing when the finding was dropped.
class FindingBuilder {
 public:
  FindingBuilder(Finding* finding, bool fixable) : finding_(finding), fixable_(fixable) {}
  FindingBuilder& in(const Container& container);
  /// Dropped where the place is text inside a string (a podSpecPatch): a patch operation cannot reach into it.
  FindingBuilder& fix(Safety safety, std::string title, std::vector<PatchOp> ops);
  /// Points somewhere else than at the node reported on: a place that does not exist (pointer = nearest existing ancestor stays).
  FindingBuilder& range(Range range);

 private:
  Finding* finding_;
  bool fixable_;
};

class Context {
 public:
  Context(const Rule& rule, const Policy& policy, const Cluster& cluster, const Source& source, const Document& document,
          const ObjectView* object, FileReport& report);

  const Rule& rule;
  const Policy& policy;
  const Cluster& cluster;  ///< narrowed by the object's evidence
  const AcceleratorTable& accelerators;
  const Source& source;
  const Document& document;
  const ObjectView* object;  ///< null in document rules

  /// Reports at a node: the value, or for an absent field its nearest existing ancestor (Field::node is just that). Null means the document.
  template <class... Args>
  FindingBuilder error(const Node* node, fmt::format_string<Args...> format, Args&&... args) {
    return report(Severity::error, node, fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  FindingBuilder warning(const Node* node, fmt::format_string<Args...> format, Args&&... args) {
    return report(Severity::warning, node, fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  FindingBuilder info(const Node* node, fmt::format_string<Args...> format, Args&&... args) {
    return report(Severity::info, node, fmt::format(format, std::forward<Args>(args)...));
  }
  FindingBuilder report(Severity severity, const Node* node, std::string message);

  /// Run rules: keeps a fact of this object until all inputs are read.
  void note(std::string_view kind, std::string key);
  /// Run rules: a finding that becomes one only if the rule's `confirm` says so once all inputs are read.
  FindingBuilder propose(std::string join_key, Severity severity, const Node* node, std::string message);

  /// Says that only the unnamed cluster keeps this rule from deciding; counted in the summary, no finding by itself.
  void undecided();

  /// Values of a parameter of this rule: the configured ones, else the default. Lists add to nothing: what is configured replaces the default.
  std::vector<std::string> strings(std::string_view parameter) const;
  bool flag(std::string_view parameter) const;
  std::int64_t integer(std::string_view parameter) const;

  /// The pointer of a node in this document, for patch operations.
  JsonPointer pointer(const Node& node) const;

  /// The container being checked: findings are about it unless they say otherwise. Set by the engine.
  void enter(const Container* container) { container_ = container; }

 private:
  Finding make(Severity severity, const Node* node, std::string message) const;

  FileReport& report_;
  const Container* container_ = nullptr;
  bool undecided_ = false;
};

/// A list as a parameter's default writes it: `a, b` or `[a, "b"]`.
std::vector<std::string> split_list(std::string_view text);

/// The object a finding belongs to, by name.
ObjectRef object_ref(const ObjectView& object);

/// JSON text of a string, for PatchOp::value.
std::string json_string(std::string_view text);

}  // namespace gpulint
