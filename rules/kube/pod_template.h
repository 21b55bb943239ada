// PodTemplate: one pod template (or a GPU ask that stands in for one) decoded once into located fields.
// A template knows its owner's kind, its replicas and its update strategy; rules never walk a pod spec themselves.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/kube/container.h"
#include "rules/kube/field.h"

namespace gpulint {

struct ObjectView;

struct Toleration {
  Field<std::string_view> key, operation, value, effect;
  const Node* node = nullptr;
};

/// One requirement on a node label: from nodeSelector (operation In, one value) or from a nodeAffinity term.
struct NodeRequirement {
  std::string_view key;
  std::string_view operation;  ///< In, NotIn, Exists, DoesNotExist, Gt, Lt
  std::vector<std::string_view> values;
  bool required = true;        ///< false: preferred affinity
  bool from_selector = false;
  int term = -1;               ///< required affinity: index of the ORed term; -1 for nodeSelector
  const Node* node = nullptr;  ///< the nodeSelector member, or the expression
  const Node* value_node = nullptr;
};

struct SpreadConstraint {
  Field<std::int64_t> max_skew;
  Field<std::string_view> topology_key, when_unsatisfiable, node_affinity_policy, node_taints_policy;
  const Node* label_selector = nullptr;
  const Node* node = nullptr;
};

struct Volume {
  std::string_view name;
  Field<std::string_view> host_path;
  Field<std::string_view> empty_dir_medium;
  Field<Quantity> empty_dir_size_limit;
  const Node* node = nullptr;
};

/// How a Deployment-like owner replaces pods. Texts are as written ("25%", "1").
struct UpdateStrategy {
  const Node* node = nullptr;  ///< the `strategy` mapping; null when absent
  Field<std::string_view> type;
  Field<std::string_view> max_surge, max_unavailable;
};

struct PodTemplate {
  const ObjectView* object = nullptr;
  const Node* spec = nullptr;      ///< the pod spec mapping; for a partial one the mapping that holds the ask
  const Node* metadata = nullptr;  ///< of the template; null when absent
  bool partial = false;            ///< a GPU ask without a whole pod spec: values, podSpecPatch, predictor, nodeless kinds
  bool values = false;             ///< comes from chart values (a values file, HelmRelease, Application, HelmChart)
  bool can_have_runtime_class = true;  ///< false where the kind has no place for one (TrainJob, KFService, ServingRuntime)
  std::string role;                ///< "Worker", "headGroupSpec", "prefill": what the object calls this template; may be empty

  /// The mapping that owns replicas and strategy (a Deployment's spec); null where the kind has none.
  const Node* owner_spec = nullptr;
  Field<std::int64_t> replicas;    ///< absent: the kind's default
  UpdateStrategy strategy;

  std::vector<Container> containers;       ///< main containers; the one ask of a partial template
  std::vector<Container> init_containers;  ///< plain init containers and sidecars, in order
  std::vector<Container> ephemeral_containers;

  Field<std::string_view> runtime_class, scheduler_name, node_name;
  Field<bool> host_ipc, host_pid, enable_service_links;
  Field<bool> run_as_non_root;
  Field<std::int64_t> run_as_user;
  Field<std::int64_t> run_as_group;
  const Node* fs_group = nullptr;
  const Node* supplemental_groups = nullptr;
  const Node* node_selector = nullptr;  ///< the mapping
  std::vector<NodeRequirement> node_requirements;
  bool has_pod_anti_affinity = false;
  std::vector<Toleration> tolerations;
  const Node* tolerations_node = nullptr;
  std::vector<SpreadConstraint> spread;
  const Node* spread_node = nullptr;
  std::vector<Volume> volumes;
  const Node* resource_claims = nullptr;
  const Node* pod_resources = nullptr;  ///< spec.resources (pod level)
  const Node* labels = nullptr;         ///< of the template (a Pod: of the object)
  const Node* annotations = nullptr;
  bool infrastructure = false;  ///< device plugin, driver, toolkit, exporter, discovery, validator, MIG manager: by image, mounts, gpu.deploy selector or label

  /// All containers in start order: init, main, ephemeral.
  template <class Visit>
  void for_each_container(Visit visit) const {
    for (const auto* list : {&init_containers, &containers, &ephemeral_containers})
      for (const Container& c : *list) visit(c);
  }
  /// The first container (start order) with a positive ask of the vendor, and the ask; nulls when there is none.
  struct Asked { const Container* container = nullptr; const Ask* ask = nullptr; explicit operator bool() const { return ask; } };
  Asked first_ask(Vendor vendor = Vendor::none) const;
  bool asks_for_device() const;
  /// A container has no image: a patch, or an object that another one completes. What is absent may stand there.
  bool is_incomplete() const;
  /// A device asked for by annotation (KAI gpu-fraction / gpu-memory on the template).
  bool asks_by_annotation() const;
  /// The text value of an annotation / label of the template, or empty.
  std::string_view annotation(std::string_view key) const;
};

/// Effective request of a pod for one resource, exactly as the API server and scheduler compute it: the larger of the main containers'
/// sum and each init container's own, sidecars summed (from component-helpers' resource rules). Unknown quantities count as 0 and set `unknown`.
struct EffectiveRequest { Quantity quantity; bool unknown = false; };
EffectiveRequest effective_request(const PodTemplate& pod, std::string_view resource);

}  // namespace gpulint
