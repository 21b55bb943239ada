#include "rules/engine/suppression.h"

#include <algorithm>

#include "rules/cluster/closest_word.h"
#include "rules/engine/configuration.h"
#include "rules/engine/context.h"

namespace gpulint {
namespace {

std::string_view reason_of(const IgnoreAnnotation& annotation) {
  if (!annotation.node->is_string()) return {};
  const std::string_view text = annotation.node->text;
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

void collect(const Node* annotations, const JsonPointer& scope, std::vector<IgnoreAnnotation>& list) {
  if (!annotations || !annotations->is_mapping()) return;
  for (const Node& member : *annotations) {
    const auto slash = member.key.find('/');
    if (slash == std::string_view::npos) continue;
    const std::string_view prefix = member.key.substr(0, slash), rule = member.key.substr(slash + 1);
    if (!prefix.ends_with(kIgnorePrefix)) continue;
    std::string_view container = prefix.substr(0, prefix.size() - kIgnorePrefix.size());
    if (!container.empty() && (container.back() != '.' || container.size() == 1)) continue;  // some other domain
    if (!container.empty()) container.remove_suffix(1);
    list.push_back({&member, rule, container, scope, false});
  }
}

/// The mapping that annotations belong to: that which holds `metadata`.
const Node* owner_of(const Node& annotations) {
  const Node* parent = annotations.parent;
  return parent && parent->key == "metadata" && parent->parent ? parent->parent : parent;
}

bool covers(const IgnoreAnnotation& annotation, const Finding& finding) {
  return finding.rule && finding.rule->id == annotation.rule && (annotation.container.empty() || annotation.container == finding.container) &&
         annotation.scope.contains(finding.pointer);
}

}  // namespace

std::vector<IgnoreAnnotation> ignore_annotations(const ObjectView& object, const std::vector<PodTemplate>& templates, const Node& document_root) {
  std::vector<IgnoreAnnotation> list;
  std::vector<const Node*> read;
  if (object.annotations) collect(object.annotations, JsonPointer::to(*object.root, document_root), list);
  read.push_back(object.annotations);
  for (const PodTemplate& pod : templates) {
    if (!pod.annotations || std::find(read.begin(), read.end(), pod.annotations) != read.end()) continue;
    read.push_back(pod.annotations);
    if (const Node* owner = owner_of(*pod.annotations)) collect(pod.annotations, JsonPointer::to(*owner, document_root), list);
  }
  return list;
}

void suppress_by_annotation(std::vector<IgnoreAnnotation>& annotations, std::vector<Finding>& findings, std::size_t begin) {
  for (IgnoreAnnotation& annotation : annotations) {
    const std::string_view reason = reason_of(annotation);
    if (reason.empty()) continue;
    for (std::size_t i = begin; i < findings.size(); ++i) {
      if (!covers(annotation, findings[i])) continue;
      annotation.used = true;
      if (!findings[i].suppressed) findings[i].suppressed = Suppression{"annotation", std::string(reason)};
    }
  }
}

void report_annotations(const std::vector<IgnoreAnnotation>& annotations, const Policy& policy, const Cluster& cluster, const Source& source,
                        const Document& document, const ObjectView& object, FileReport& report) {
  const Rule* unknown = find_rule("unknown-rule");
  const Rule* unused = find_rule("unused-suppression");
  for (const IgnoreAnnotation& annotation : annotations) {
    const Rule* rule = find_rule(annotation.rule);
    if (!rule && unknown)
      Context(*unknown, policy, cluster, source, document, &object, report)
          .error(annotation.node, "annotation \"{}\" names no rule{}", annotation.node->key, meant_instead(annotation.rule, rule_ids()));
    // Findings over several documents are not known here, and a rule that is off or that the cluster silences finds nothing: none of that
    // says that a reason is stale.
    if (!rule || !unused || !policy.lint || !policy.honour_suppressions || policy.is_off(*rule) || rule->check.scope == Scope::run) continue;
    if (rule->applies && !rule->applies(cluster)) continue;
    Context context(*unused, policy, cluster, source, document, &object, report);
    if (reason_of(annotation).empty())
      context.warning(annotation.node, "annotation \"{}\" gives no reason and suppresses nothing", annotation.node->key);
    else if (!annotation.used)
      context.warning(annotation.node, "annotation \"{}\" suppresses nothing: {} finds nothing here", annotation.node->key, annotation.rule);
  }
}

}  // namespace gpulint
