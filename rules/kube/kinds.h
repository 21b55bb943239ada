// The kinds table: where each kind keeps its pod specs, and what about them depends on the kind. Dispatched on API group and kind,
// for kind names collide (Job of batch and of batch.volcano.sh, Service of core and of Knative).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpulint {

struct KindRow {
  std::string_view group, kind;
  std::string_view path;           ///< to the pod spec, see node_path.h
  int owner_above = -1;            ///< so many levels above the pod spec stands the mapping with the replicas; -1: there is none
  std::string_view replicas_key = "replicas";
  std::string_view role = "";      ///< what the object calls the template; empty: the member or the element's name that the path's last wildcard stands for
  bool has_strategy = false;       ///< the owner has a Deployment's `strategy`
  bool has_runtime_class = true;   ///< the pod spec has a place for runtimeClassName
};

std::vector<const KindRow*> kind_rows(std::string_view group, std::string_view kind);

/// Whether the group belongs to the API server itself: wrong types there are refused, and no unknown kind of it holds a pod spec.
bool is_built_in_group(std::string_view group);
/// Whether objects of the kind only speak about pods or GPUs and run none: policies, schemas, quotas, node pools, queues.
bool is_no_workload(std::string_view group, std::string_view kind);

}  // namespace gpulint
