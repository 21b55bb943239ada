#include "rules/cluster/cluster.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rules/cluster/closest_word.h"

namespace gpulint {
namespace {

constexpr std::array<std::pair<std::string_view, AddOn>, 4> kAddOns = {
    {{"hami", AddOn::hami}, {"volcano", AddOn::volcano}, {"kai", AddOn::kai}, {"dra", AddOn::dra}}};
constexpr std::array<std::string_view, 3> kEffects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr std::string_view kTaintPrefix = "taint:";

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  for (const auto& [name, add_on] : kAddOns) names.emplace_back(name);
  return names;
}

std::string preset_list() {
  std::string list;
  for (const Preset& preset : presets()) list += (list.empty() ? "" : ", ") + std::string(preset.name);
  return list;
}

/// What the API accepts in a label key or value; taints use the same syntax.
bool is_label_text(std::string_view text, bool key) {
  if (text.size() > (key ? 253 + 1 + 63 : 63) || (key && text.empty())) return false;
  return std::all_of(text.begin(), text.end(), [key](char c) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return word || c == '-' || c == '_' || c == '.' || (key && c == '/');
  });
}

/// `sku=gpu:NoSchedule` or `sku:NoSchedule`, as `kubectl taint` writes it.
std::optional<Taint> parse_taint(std::string_view text, std::string& error) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    error = fmt::format("taint \"{}\" has no effect; write key=value:NoSchedule or key:NoSchedule", text);
    return std::nullopt;
  }
  const std::string_view effect = text.substr(colon + 1), pair = text.substr(0, colon);
  if (std::find(kEffects.begin(), kEffects.end(), effect) == kEffects.end()) {
    const std::string meant = meant_instead(effect, {kEffects.begin(), kEffects.end()});
    error = fmt::format("taint \"{}\" has the unknown effect \"{}\"{}", text, effect,
                        !meant.empty() ? meant : "; there are NoSchedule, PreferNoSchedule and NoExecute");
    return std::nullopt;
  }
  const auto equals = pair.find('=');
  const std::string_view key = pair.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
  if (!is_label_text(key, true) || !is_label_text(value, false)) {
    error = fmt::format("taint \"{}\" is not of the form key=value:effect; keys and values hold letters, digits, '-', '_' and '.'", text);
    return std::nullopt;
  }
  return Taint{std::string(key), std::string(value), std::string(effect)};
}

std::string not_a_cluster(std::string_view text, std::string_view part) {
  if (text.empty()) return fmt::format("the cluster has no name; presets are {}", preset_list());
  if (part.empty()) return fmt::format("cluster \"{}\" has an empty part; write for example gke+dra", text);
  const std::string meant = meant_instead(part, known_names());
  if (!meant.empty()) return fmt::format("unknown cluster \"{}\"{}", part, meant);
  return fmt::format("unknown cluster \"{}\"; presets are {}; add-ons are hami, volcano, kai, dra", part, preset_list());
}

}  // namespace

Cluster::Cluster() : preset_(&presets().front()) {}

std::optional<Cluster> Cluster::parse(std::string_view text, std::string& error) {
  Cluster cluster;
  bool named = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    const auto add_on = std::find_if(kAddOns.begin(), kAddOns.end(), [part](const auto& known) { return known.first == part; });
    if (add_on != kAddOns.end()) {
      cluster.add(add_on->second);
    } else if (part.starts_with(kTaintPrefix)) {
      auto taint = parse_taint(part.substr(kTaintPrefix.size()), error);
      if (!taint) return std::nullopt;
      cluster.add(std::move(*taint));
    } else if (const Preset* preset = find_preset(part); preset && !named) {
      named = true;
      cluster.set(*preset);
    } else {
      error = preset ? fmt::format("cluster \"{}\" names two presets, \"{}\" and \"{}\"; one cluster has one", text, cluster.preset().name, part)
                     : not_a_cluster(text, part);
      return std::nullopt;
    }
  }
  return cluster;
}

bool Cluster::is_generic() const { return preset_ == &presets().front(); }

std::string Cluster::name() const {
  std::string out(preset_->name);
  for (const auto& [name, add_on] : kAddOns)
    if (has(add_on)) out.append("+").append(name);
  for (const Taint& taint : taints_) {
    out.append("+taint:").append(taint.key);
    if (!taint.value.empty()) out.append("=").append(taint.value);
    out.append(":").append(taint.effect);
  }
  return out;
}

Answer Cluster::needs_runtime_class() const {
  // DRA drivers inject by CDI; the webhooks of KAI and HAMi set the class themselves where one is wanted.
  if (has(AddOn::dra) || has(AddOn::kai) || has(AddOn::hami)) return Answer::no;
  return preset_->needs_runtime_class;
}

bool Cluster::is_gke() const { return preset_->name.starts_with("gke"); }
bool Cluster::is_gpu_operator() const { return preset_->name.starts_with("gpu-operator"); }

bool Cluster::ships_runtime_class(std::string_view name) const {
  const auto& classes = preset_->runtime_classes;
  return std::find(classes.begin(), classes.end(), name) != classes.end();
}

}  // namespace gpulint
