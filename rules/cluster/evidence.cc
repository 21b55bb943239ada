// Evidence: what an object gives away about the cluster it was written for. Two tables, one of keys and one of names.
#include <fmt/core.h>

#include <array>
#include <map>

#include "rules/cluster/cluster.h"
#include "rules/cluster/platform_key.h"

namespace gpulint {
namespace {

struct KeyEvidence {
  enum class Match : std::uint8_t { prefix, suffix };
  Match match;
  std::string_view text;
  std::string_view preset;
};

// Labels that only feature discovery writes (nvidia.com/gpu.product, nvidia.com/gpu.present) are absent on purpose: discovery runs anywhere.
constexpr std::array kKeys = {
    KeyEvidence{KeyEvidence::Match::prefix, "cloud.google.com/gke-", "gke"},
    KeyEvidence{KeyEvidence::Match::suffix, "/gke-accelerator", "gke"},
    KeyEvidence{KeyEvidence::Match::prefix, "eks.amazonaws.com/", "eks"},
    KeyEvidence{KeyEvidence::Match::prefix, "karpenter.k8s.aws/", "eks"},
    KeyEvidence{KeyEvidence::Match::prefix, "kubernetes.azure.com/", "aks"},
    KeyEvidence{KeyEvidence::Match::prefix, "nvidia.com/gpu.deploy.", "gpu-operator"},
};

struct NameEvidence {
  std::string_view text;
  AddOn add_on;
  std::string_view name;
};

constexpr NameEvidence kDra{"resource.k8s.io", AddOn::dra, "dra"};
constexpr NameEvidence kVolcanoJob{"batch.volcano.sh", AddOn::volcano, "volcano"};
constexpr std::array kSchedulers = {
    NameEvidence{"kai-scheduler", AddOn::kai, "kai"},
    NameEvidence{"hami-scheduler", AddOn::hami, "hami"},
    NameEvidence{"volcano", AddOn::volcano, "volcano"},
};

// HAMi's modifiers of nvidia.com/gpu, and annotations that its scheduler reads; Volcano's own devices.
constexpr std::array kResources = {
    NameEvidence{"nvidia.com/gpumem", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/gpumem-percentage", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/gpucores", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/priority", AddOn::hami, "hami"},
    NameEvidence{"volcano.sh/vgpu-number", AddOn::volcano, "volcano"},
    NameEvidence{"volcano.sh/vgpu-memory", AddOn::volcano, "volcano"},
    NameEvidence{"volcano.sh/vgpu-memory-percentage", AddOn::volcano, "volcano"},
    NameEvidence{"volcano.sh/vgpu-cores", AddOn::volcano, "volcano"},
    NameEvidence{"volcano.sh/gpu-number", AddOn::volcano, "volcano"},
    NameEvidence{"volcano.sh/gpu-memory", AddOn::volcano, "volcano"},
};
constexpr std::array kAnnotations = {
    NameEvidence{"nvidia.com/use-gpuuuid", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/nouse-gpuuuid", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/use-gputype", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/nouse-gputype", AddOn::hami, "hami"},
    NameEvidence{"nvidia.com/vgpu-mode", AddOn::hami, "hami"},
};

class Reader {
 public:
  Reader(Cluster& cluster, std::vector<Evidence>* evidence) : cluster_(cluster), evidence_(evidence) {}

  /// `what` and `text` together are Evidence::shown_by.
  void platform(std::string_view preset, const Node* node, std::string_view what, std::string_view text) {
    platforms_.try_emplace(preset, Place{node, what, text});
  }
  void add_on(const NameEvidence& known, const Node* node, std::string_view what, std::string_view text) {
    if (cluster_.has(known.add_on)) return;
    cluster_.add(known.add_on);
    tell(known.name, {node, what, text});
  }
  template <class Table>
  void name(const Table& table, std::string_view what, std::string_view text, const Node* node) {
    for (const NameEvidence& known : table)
      if (known.text == text) add_on(known, node, what, text);
  }
  void key(std::string_view key, const Node* node) {
    if (const auto preset = platform_of_key(key)) platform(*preset, node, "key", key);
  }
  void keys(const Node* mapping) {
    if (!mapping || !mapping->is_mapping()) return;
    for (const Node& member : *mapping) {
      key(member.key, &member);
      name(kAnnotations, "key", member.key, &member);
    }
  }

  void object(const ObjectView& object);
  void pod(const PodTemplate& pod);
  void container(const Container& container);
  /// An object written for several platforms at once (an affinity with a term for each) says nothing.
  void conclude_platform() {
    if (!cluster_.is_generic() || platforms_.size() != 1) return;
    const auto& [preset, place] = *platforms_.begin();
    cluster_.set(*find_preset(preset));
    tell(preset, place);
  }

 private:
  struct Place {
    const Node* node;
    std::string_view what, text;
  };
  void tell(std::string_view conclusion, const Place& place) {
    if (evidence_) evidence_->push_back({std::string(conclusion), place.node, fmt::format("{} {}", place.what, place.text)});
  }

  Cluster& cluster_;
  std::vector<Evidence>* evidence_;
  std::map<std::string_view, Place> platforms_;  ///< preset -> the first place that shows it
};

void Reader::object(const ObjectView& object) {
  keys(object.annotations);
  keys(object.labels);
  // The Helm controller that reads these kinds is part of k3s and RKE2.
  if (object.is("helm.cattle.io", "HelmChart") || object.is("helm.cattle.io", "HelmChartConfig")) platform("k3s", object.root, "kind", object.kind);
  for (const NameEvidence& known : {kDra, kVolcanoJob})
    if (object.group == known.text) add_on(known, object.root, "apiVersion", object.api_version);
}

void Reader::container(const Container& container) {
  for (const auto* list : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& entry : *list) name(kResources, "resource", entry.name, entry.node);
  if (container.asks_by_claim) add_on(kDra, container.resources.node ? container.resources.node : container.node, "claims of", container.label());
}

void Reader::pod(const PodTemplate& pod) {
  keys(pod.annotations);
  keys(pod.labels);
  for (const NodeRequirement& requirement : pod.node_requirements) key(requirement.key, requirement.node);
  for (const Toleration& toleration : pod.tolerations)
    if (toleration.key.known()) key(toleration.key.value, toleration.key.node);
  if (pod.scheduler_name.known()) name(kSchedulers, "schedulerName", pod.scheduler_name.value, pod.scheduler_name.node);
  if (pod.resource_claims && pod.resource_claims->size > 0) add_on(kDra, pod.resource_claims, "resourceClaims of", "the pod");
  pod.for_each_container([this](const Container& c) { container(c); });
}

}  // namespace

std::optional<std::string_view> platform_of_key(std::string_view key) {
  for (const KeyEvidence& known : kKeys)
    if (known.match == KeyEvidence::Match::prefix ? key.starts_with(known.text) : key.ends_with(known.text)) return known.preset;
  return std::nullopt;
}

Cluster narrowed_by_evidence(const Cluster& known, const ObjectView& object, const std::vector<PodTemplate>& templates,
                             std::vector<Evidence>* evidence) {
  Cluster narrowed = known;
  Reader reader(narrowed, evidence);
  reader.object(object);
  for (const PodTemplate& pod : templates) reader.pod(pod);
  reader.conclude_platform();
  return narrowed;
}

}  // namespace gpulint
