// Paths with wildcards down a tree: `spec.replicatedJobs[*].template.spec`, `spec.mpiReplicaSpecs.*.template`.
#pragma once
#include <string_view>

#include "rules/document/node.h"

namespace gpulint {

/// Takes the first step off a path: a member name, `*` (every member) or `[*]` (every element).
inline std::string_view take_step(std::string_view& path) {
  std::size_t end = path.find_first_of(".[", 1);
  if (path[0] == '[') end = path.find(']') + 1;
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(end < path.size() ? end : path.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  return step;
}

/// Calls `visit(node, chosen)` for every place the path leads to; `chosen` is the node that the last wildcard stood for, or null.
/// The path "" is the node itself. Recursion is as deep as the path is long.
template <class Visit>
void for_each_match(const Node& node, std::string_view path, Visit&& visit, const Node* chosen = nullptr) {
  if (path.empty()) return visit(node, chosen);
  const std::string_view step = take_step(path);
  if (step == "*" || step == "[*]") {
    if (step == "*" ? node.is_mapping() : node.is_sequence())
      for (const Node& child : node) for_each_match(child, path, visit, &child);
  } else if (const Node* child = node.find(step)) {
    for_each_match(*child, path, visit, chosen);
  }
}

/// The first place the path leads to, or null.
inline const Node* first_match(const Node& node, std::string_view path) {
  const Node* first = nullptr;
  for_each_match(node, path, [&](const Node& match, const Node*) { if (!first) first = &match; });
  return first;
}

}  // namespace gpulint
