#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "rules/cluster/closest_word.h"
#include "rules/engine/engine.h"
#include "rules/engine/policy_reader.h"

namespace gpulint {
namespace {

constexpr std::array kVendors = {Vendor::nvidia, Vendor::amd, Vendor::intel, Vendor::habana, Vendor::neuron, Vendor::tpu, Vendor::huawei,
                                 Vendor::cambricon, Vendor::hygon, Vendor::metax, Vendor::mthreads, Vendor::iluvatar, Vendor::enflame,
                                 Vendor::kunlunxin, Vendor::vastaitech, Vendor::birentech};

constexpr std::array<std::pair<std::string_view, ResourceRole>, 9> kRoles = {{{"device", ResourceRole::device},
                                                                              {"core", ResourceRole::core},
                                                                              {"shared", ResourceRole::shared},
                                                                              {"mig", ResourceRole::mig},
                                                                              {"fraction", ResourceRole::fraction},
                                                                              {"vgpu", ResourceRole::vgpu},
                                                                              {"modifier", ResourceRole::modifier},
                                                                              {"monitoring", ResourceRole::monitoring},
                                                                              {"passthrough", ResourceRole::passthrough}}};

bool same_letters(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](char a, char b) { return lower(a) == lower(b); });
}

/// A vendor that the built-in table does not know is some other vendor: its devices are still devices.
Vendor vendor_of(std::string_view name) {
  const auto known = std::find_if(kVendors.begin(), kVendors.end(), [name](Vendor vendor) { return same_letters(vendor_name(vendor), name); });
  return known == kVendors.end() ? Vendor::other : *known;
}

}  // namespace

void PolicyReader::read(const Node& root) {
  if (!check_keys(root, "the configuration", {"cluster", "fail-on", "rules", "ignore", "accelerators", "webhook"})) return;
  for (const Node& member : root) {
    if (member.is_null()) continue;  // a key whose value is commented out
    if (member.key == "cluster") read_cluster(member);
    else if (member.key == "fail-on") read_fail_on(member);
    else if (member.key == "rules") read_rules(member);
    else if (member.key == "ignore") read_ignore(member);
    else if (member.key == "accelerators") read_accelerators(member);
    else if (member.key == "webhook") read_webhook(member);
  }
}

void PolicyReader::read_cluster(const Node& node) {
  if (node.is_mapping()) return read_cluster_parts(node);
  const auto name = text(node, "cluster");
  if (!name) return;
  std::string error;
  if (auto cluster = Cluster::parse(*name, error)) policy_.cluster = std::move(*cluster);
  else problem(node, error);
}

void PolicyReader::read_cluster_parts(const Node& node) {
  if (!check_keys(node, "cluster", {"preset", "addons", "taints"})) return;
  std::string name = "generic", error;
  if (const Node* preset = node.find("preset")) {
    const auto given = text(*preset, "cluster.preset");
    if (!given) return;
    if (!find_preset(*given)) {
      std::vector<std::string> known;
      for (const Preset& p : presets()) known.emplace_back(p.name);
      return reject_choice(*preset, "preset", known);
    }
    name = *given;
  }
  auto cluster = Cluster::parse(name, error);
  if (const Node* add_ons = node.find("addons")) read_add_ons(*add_ons, *cluster);
  if (const Node* taints = node.find("taints"); taints && check_list(*taints, "cluster.taints"))
    for (const Node& taint : *taints) read_taint(taint, *cluster);
  policy_.cluster = std::move(*cluster);
}

void PolicyReader::read_add_ons(const Node& node, Cluster& cluster) {
  constexpr std::array<std::pair<std::string_view, AddOn>, 4> kAddOns = {
      {{"hami", AddOn::hami}, {"volcano", AddOn::volcano}, {"kai", AddOn::kai}, {"dra", AddOn::dra}}};
  const auto names = texts(node, "cluster.addons");
  for (std::size_t i = 0; names && i < names->size(); ++i) {
    const auto known = std::find_if(kAddOns.begin(), kAddOns.end(), [&](const auto& add_on) { return add_on.first == (*names)[i]; });
    if (known == kAddOns.end()) reject_choice(place(node, i), "add-on", {"hami", "volcano", "kai", "dra"});
    else cluster.add(known->second);
  }
}

void PolicyReader::read_taint(const Node& node, Cluster& cluster) {
  if (!check_keys(node, "a taint", {"key", "value", "effect"})) return;
  std::string written = "taint:", error;
  for (const char* part : {"key", "value", "effect"}) {
    const Node* member = node.find(part);
    if (!member && part == std::string_view("value")) continue;
    if (!member) return problem(node, fmt::format("a taint needs a {}", part));
    const auto value = text(*member, fmt::format("the {} of a taint", part));
    if (!value) return;
    written += (part == std::string_view("value") && !value->empty() ? "=" : part == std::string_view("effect") ? ":" : "") + *value;
  }
  // One reading of taints for the configuration and for --cluster; '+' cannot stand in one.
  const auto parsed = written.find('+') == std::string::npos ? Cluster::parse(written, error) : std::nullopt;
  if (!parsed) return problem(node, error.empty() ? "a taint holds no '+'" : error);
  for (const Taint& taint : parsed->taints()) cluster.add(taint);
}

void PolicyReader::read_fail_on(const Node& node) {
  const auto level = text(node, "fail-on");
  if (!level) return;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info})
    if (*level == name_of(severity)) {
      policy_.fail_on = severity;
      return;
    }
  reject_choice(node, "severity", {"error", "warning", "info"});
}

void PolicyReader::read_accelerators(const Node& node) {
  if (!check_list(node, "accelerators")) return;
  for (const Node& entry : node) {
    if (!check_keys(entry, "an accelerator", {"resource", "vendor", "role"})) continue;
    const Node* resource = entry.find("resource");
    if (!resource) {
      problem(entry, "an accelerator needs a resource, for example example.com/npu");
      continue;
    }
    const auto name = text(*resource, "accelerators.resource");
    if (!name) continue;
    std::string_view plain = *name;
    if (plain.ends_with('*')) plain.remove_suffix(1);
    if (!is_extended_resource(plain) || plain.find('*') != std::string_view::npos) {
      problem(*resource, fmt::format("\"{}\" is no extended resource; write a name like example.com/npu, or a prefix like example.com/npu-*", *name));
      continue;
    }
    Accelerator accelerator{Vendor::other, ResourceRole::device};
    if (const Node* vendor = entry.find("vendor"))
      if (const auto given = text(*vendor, "accelerators.vendor")) accelerator.vendor = vendor_of(*given);
    if (const Node* role = entry.find("role")) {
      const auto known = std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& r) { return role->is_scalar() && r.first == role->text; });
      std::vector<std::string> names;
      for (const auto& [role_name, unused] : kRoles) names.emplace_back(role_name);
      if (known == kRoles.end()) reject_choice(*role, "role", names);
      else accelerator.role = known->second;
    }
    policy_.accelerators.add({*name, accelerator});
  }
}

void PolicyReader::read_webhook(const Node& node) {
  if (!check_keys(node, "webhook", {"mode", "mutate", "exempt"})) return;
  if (const Node* mode = node.find("mode")) {
    constexpr std::array<std::pair<std::string_view, Mode>, 3> kModes = {{{"enforce", Mode::enforce}, {"warn", Mode::warn}, {"audit", Mode::audit}}};
    const auto known = std::find_if(kModes.begin(), kModes.end(), [&](const auto& m) { return mode->is_scalar() && m.first == mode->text; });
    if (known == kModes.end()) reject_choice(*mode, "mode", {"enforce", "warn", "audit"});
    else policy_.webhook.mode = known->second;
  }
  if (const Node* mutate = node.find("mutate")) read_mutate(*mutate);
  if (const Node* exempt = node.find("exempt")) read_exempt(*exempt);
}

void PolicyReader::read_mutate(const Node& node) {
  const auto ids = texts(node, "webhook.mutate");
  if (!ids) return;
  for (std::size_t i = 0; i < ids->size(); ++i) {
    const Rule* rule = known_rule((*ids)[i], place(node, i), false);
    if (rule && rule->fixability != Fixability::safe) problem(place(node, i), fmt::format("{} has no safe fix, so it cannot mutate objects", rule->id));
  }
  policy_.webhook.mutate = *ids;
}

void PolicyReader::read_exempt(const Node& node) {
  if (!check_keys(node, "webhook.exempt", {"namespaces"})) return;
  if (const Node* namespaces = node.find("namespaces"))
    if (auto names = texts(*namespaces, "webhook.exempt.namespaces")) policy_.webhook.exempt_namespaces = std::move(*names);
}

}  // namespace gpulint
