// The configuration described: every key of `.gpulint.yaml` with its form, its choices and what it is for. The reader takes the keys it
// knows from here (policy_reader.h), `gpulint config schema` prints the same tables as JSON Schema; rules add their own keys by metadata.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/engine/policy.h"

namespace gpulint {

struct Setting {
  enum class Type : std::uint8_t {
    text,
    choice,   ///< one of `choices`
    choices,  ///< a list of them, or one
    flag,
    seconds,  ///< a whole number from 1 to kMostSeconds
    day,      ///< YYYY-MM-DD
    texts,    ///< a list of texts, or one
    globs,    ///< path patterns: a list with at least one, or one
    mapping,  ///< of `members`
    list,     ///< of mappings of `members`
    rules,    ///< a mapping from a rule's id to its setting
    cluster,  ///< a name like `gke+dra`, or a mapping of `members`
    resource, ///< an extended resource, or a prefix of some ending in `*`
  };
  std::string_view name;
  Type type = Type::text;
  std::string_view description;
  std::vector<std::string> (*choices)() = nullptr;
  std::span<const Setting> members = {};
  std::string_view default_value = {};  ///< JSON text; empty: none, or nothing to write down
  bool required = false;
  bool may_be_empty = false;            ///< of globs
};

inline constexpr int kMostSeconds = 3600;

/// The keys at the top of the file.
std::span<const Setting> configuration_settings();

namespace settings {
extern const std::span<const Setting> kCluster, kTaint, kIgnore, kOverride, kRender, kChart, kAccelerator, kWebhook, kExempt;
}  // namespace settings

std::vector<std::string> names_of(std::span<const Setting> members);

/// What a rule can be set to: off, on, error, warning, info.
std::vector<std::string> rule_levels();
/// Presets, then add-ons: what may stand in a cluster's name.
std::vector<std::string> preset_names();
std::vector<std::string> add_on_names();
std::vector<std::string> rule_ids();

template <class T>
struct Named {
  std::string_view name;
  T value;
};
inline constexpr std::array<Named<AddOn>, 4> kAddOns{{{"hami", AddOn::hami}, {"volcano", AddOn::volcano}, {"kai", AddOn::kai}, {"dra", AddOn::dra}}};
inline constexpr std::array<Named<Mode>, 3> kModes{{{"enforce", Mode::enforce}, {"warn", Mode::warn}, {"audit", Mode::audit}}};
inline constexpr std::array<Named<Severity>, 3> kSeverities{{{"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::info}}};
inline constexpr std::array<Named<ResourceRole>, 9> kRoles{{{"device", ResourceRole::device},
                                                            {"core", ResourceRole::core},
                                                            {"shared", ResourceRole::shared},
                                                            {"mig", ResourceRole::mig},
                                                            {"fraction", ResourceRole::fraction},
                                                            {"vgpu", ResourceRole::vgpu},
                                                            {"modifier", ResourceRole::modifier},
                                                            {"monitoring", ResourceRole::monitoring},
                                                            {"passthrough", ResourceRole::passthrough}}};

/// The value of that name; null where there is none.
template <class Table>
auto find_named(const Table& table, std::string_view name) -> decltype(&table[0].value) {
  for (const auto& entry : table)
    if (entry.name == name) return &entry.value;
  return nullptr;
}
template <class Table, class T>
std::string_view name_in(const Table& table, const T& value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.name;
  return {};
}
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

}  // namespace gpulint
