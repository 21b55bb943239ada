// Cluster: what is known of the cluster a manifest goes to: the preset, add-ons and declared taints, narrowed by evidence in the object.
// The presets are one table (presets.cc); rules ask questions and never compare preset names.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/kube/object_view.h"

namespace gpulint {

enum class Answer : std::uint8_t { no, yes, unknown };

/// How devices get into a container. envvar: the runtime reads NVIDIA_VISIBLE_DEVICES; cdi: the plugin names CDI devices and the runtime
/// ignores the variable; own: the platform's plugin mounts them itself (GKE).
enum class Injection : std::uint8_t { unknown, envvar, cdi, own };

enum class AddOn : std::uint8_t { hami, volcano, kai, dra };

struct Preset {
  std::string_view name;
  std::string_view description;                        ///< one line for people
  Answer needs_runtime_class = Answer::unknown;        ///< whether an NVIDIA pod must name a class to get its devices
  Injection injection = Injection::unknown;
  Answer adds_tolerations = Answer::unknown;           ///< the API server adds the toleration of an extended resource
  std::span<const std::string_view> runtime_classes;   ///< NVIDIA classes that are there out of the box
  Answer has_only_those_classes = Answer::unknown;     ///< yes: an NVIDIA class not listed does not exist there
  bool own_containerd = false;                         ///< brings a containerd of its own, with its own socket and configuration
};
std::span<const Preset> presets();
const Preset* find_preset(std::string_view name);

struct Taint {
  std::string key, value, effect;
};

class Cluster {
 public:
  Cluster();  ///< generic: nothing known

  /// `gke`, `gke+dra`, `dra` (generic plus the add-on), `generic+taint:sku=gpu:NoSchedule`. On failure `error` says what is wrong
  /// and what could be meant; nothing is returned.
  static std::optional<Cluster> parse(std::string_view text, std::string& error);

  const Preset& preset() const { return *preset_; }
  bool is_generic() const;
  bool has(AddOn add_on) const { return add_ons_ & (1u << static_cast<unsigned>(add_on)); }
  std::span<const Taint> taints() const { return taints_; }
  std::string name() const;  ///< as parse reads it

  /// Of the preset and the add-ons together (dra, kai and hami bring their own way: no).
  Answer needs_runtime_class() const;
  Injection injection() const { return preset_->injection; }
  bool is_gke() const;  ///< gke and gke-autopilot
  bool is_autopilot() const { return preset_->name == "gke-autopilot"; }
  bool is_gpu_operator() const;
  bool brings_own_containerd() const { return preset_->own_containerd; }
  bool ships_runtime_class(std::string_view name) const;

  void add(AddOn add_on) { add_ons_ |= 1u << static_cast<unsigned>(add_on); }
  void add(Taint taint) { taints_.push_back(std::move(taint)); }
  void set(const Preset& preset) { preset_ = &preset; }

 private:
  const Preset* preset_;
  unsigned add_ons_ = 0;
  std::vector<Taint> taints_;
};

/// What was concluded from what, for `--explain-cluster`.
struct Evidence {
  std::string conclusion;       ///< "gke", "kai"
  const Node* node = nullptr;   ///< the place that shows it; never null in what narrowed_by_evidence returns
  std::string shown_by = {};    ///< in words: "key cloud.google.com/gke-accelerator", "schedulerName kai-scheduler"
};

/// The cluster as the object shows it: the platform only where `known` is generic, add-ons always. Evidence only narrows.
/// Read from keys of labels, annotations, selectors, affinity and tolerations, from schedulerName, resources and claims
/// (rules.md "The cluster decides").
Cluster narrowed_by_evidence(const Cluster& known, const ObjectView& object, const std::vector<PodTemplate>& templates,
                             std::vector<Evidence>* evidence = nullptr);

}  // namespace gpulint
