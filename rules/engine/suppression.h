// Suppression by annotation: which findings an annotation of the object sets aside, and why. The same in both front ends: annotations travel
// with the object. Entries of the configuration are in ignore_entries.h, baselines in baseline.h.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"
#include "rules/kube/object_view.h"

namespace gpulint {

/// `ignore.gpulint.dev/<rule>: "<reason>"`, or `<container>.ignore.gpulint.dev/<rule>`. The rule is the annotation's name part
/// (63 characters at most, which every rule id keeps to); the container goes into the prefix (253).
inline constexpr std::string_view kIgnorePrefix = "ignore.gpulint.dev";

struct IgnoreAnnotation {
  const Node* node = nullptr;  ///< the annotation; its value is the reason
  std::string_view rule;
  std::string_view container;  ///< empty: every container, and what is about none
  JsonPointer scope;           ///< findings at or below this place are covered
  bool used = false;
};

/// Those of the object, which cover all of it, and those of its pod templates, which cover that template only.
std::vector<IgnoreAnnotation> ignore_annotations(const ObjectView& object, const std::vector<PodTemplate>& templates, const Node& document_root);

/// Marks the findings from `begin` on that the annotations cover; reasonless annotations cover nothing.
void suppress_by_annotation(std::vector<IgnoreAnnotation>& annotations, std::vector<Finding>& findings, std::size_t begin);

/// Reports annotations that name no rule, give no reason, or cover no finding (call after suppress_by_annotation).
void report_annotations(const std::vector<IgnoreAnnotation>& annotations, const Policy& policy, const Cluster& cluster, const Source& source,
                        const Document& document, const ObjectView& object, FileReport& report);

}  // namespace gpulint
