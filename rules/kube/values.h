// Chart values: GPU asks in a tree that has no fixed shape, and what stands beside them.
#pragma once
#include <vector>

#include "rules/kube/accelerators.h"
#include "rules/kube/container.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

/// Whether a document without apiVersion and kind is a chart's values: an accelerator in a place where values have them,
/// or the GPU operator's sections. Suites of helm-unittest and fragments of manifests are none.
bool is_values_file(const Node& root, const AcceleratorTable& accelerators);

/// Appends a partial template for every ask in the values, and for every place that chooses devices by a variable without asking for one.
void add_values_templates(const Node& values, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates);

/// `image` as a text or as a mapping of registry, repository and tag, or repository and tag beside it.
void decode_chart_image(const Node& place, Container& container);

/// Dynamo names the device `gpu` and keeps other names under `custom`.
void add_dynamo_entries(const Node& resources, Resources& decoded);

}  // namespace gpulint
