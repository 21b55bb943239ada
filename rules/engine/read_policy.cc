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
  root_ = &root;
  if (!check_keys(root, "the configuration", configuration_settings())) return;
  for (const Node& member : root)
    if (!member.is_null()) read_member(member);  // null: a key whose value is commented out
}

void PolicyReader::read_member(const Node& member) {
  if (member.key == "cluster") {
    note_origin("cluster", member);
    if (auto cluster = read_cluster(member)) policy_.cluster = std::move(*cluster);
  } else if (member.key == "fail-on") read_fail_on(member);
  else if (member.key == "rules") read_rules(member, policy_.rules, true);
  else if (member.key == "ignore") read_ignore(member);
  else if (member.key == "overrides") read_overrides(member);
  else if (member.key == "exclude") read_exclude(member);
  else if (member.key == "render") read_render(member);
  else if (member.key == "baseline") read_baseline(member);
  else if (member.key == "accelerators") read_accelerators(member);
  else if (member.key == "webhook") read_webhook(member);
}

std::optional<Cluster> PolicyReader::read_cluster(const Node& node) {
  if (node.is_mapping()) return read_cluster_parts(node);
  const auto name = text(node, "cluster");
  if (!name) return std::nullopt;
  std::string error;
  auto cluster = Cluster::parse(*name, error);
  if (!cluster) problem(node, error);
  return cluster;
}

std::optional<Cluster> PolicyReader::read_cluster_parts(const Node& node) {
  if (!check_keys(node, "cluster", settings::kCluster)) return std::nullopt;
  Cluster cluster;
  if (const Node* preset = node.find("preset")) {
    const auto given = text(*preset, "cluster.preset");
    if (!given) return std::nullopt;
    if (const Preset* known = find_preset(*given)) cluster.set(*known);
    else return reject_choice(*preset, "preset", preset_names()), std::nullopt;
  }
  if (const Node* add_ons = node.find("addons")) read_add_ons(*add_ons, cluster);
  if (const Node* taints = node.find("taints"); taints && check_list(*taints, "cluster.taints"))
    for (const Node& taint : *taints) read_taint(taint, cluster);
  return cluster;
}

void PolicyReader::read_add_ons(const Node& node, Cluster& cluster) {
  const auto names = texts(node, "cluster.addons");
  for (std::size_t i = 0; names && i < names->size(); ++i) {
    if (const AddOn* known = find_named(kAddOns, (*names)[i])) cluster.add(*known);
    else reject_choice(place(node, i), "add-on", add_on_names());
  }
}

void PolicyReader::read_taint(const Node& node, Cluster& cluster) {
  if (!check_keys(node, "a taint", settings::kTaint)) return;
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
  note_origin("fail-on", node);
  if (const Severity* known = find_named(kSeverities, *level)) policy_.fail_on = *known;
  else reject_choice(node, "severity", names_in(kSeverities));
}

void PolicyReader::read_accelerators(const Node& node) {
  if (!check_list(node, "accelerators")) return;
  note_origin("accelerators", node);
  for (const Node& entry : node) read_accelerator(entry);
}

void PolicyReader::read_accelerator(const Node& node) {
  if (!check_keys(node, "an accelerator", settings::kAccelerator)) return;
  const Node* resource = node.find("resource");
  if (!resource) return problem(node, "an accelerator needs a resource, for example example.com/npu");
  const auto name = text(*resource, "accelerators.resource");
  if (!name) return;
  std::string_view plain = *name;
  if (plain.ends_with('*')) plain.remove_suffix(1);
  if (!is_extended_resource(plain) || plain.find('*') != std::string_view::npos)
    return problem(*resource, fmt::format("\"{}\" is no extended resource; write a name like example.com/npu, or a prefix like example.com/npu-*", *name));
  Accelerator accelerator{Vendor::other, ResourceRole::device};
  if (const Node* vendor = node.find("vendor"))
    if (const auto given = text(*vendor, "accelerators.vendor")) accelerator.vendor = vendor_of(*given);
  if (const Node* role = node.find("role")) {
    if (const ResourceRole* known = role->is_scalar() ? find_named(kRoles, role->text) : nullptr) accelerator.role = *known;
    else reject_choice(*role, "role", names_in(kRoles));
  }
  policy_.accelerators.add({*name, accelerator});
}

void PolicyReader::read_webhook(const Node& node) {
  if (!check_keys(node, "webhook", settings::kWebhook)) return;
  policy_.webhook.configured = true;
  if (const Node* mode = node.find("mode")) {
    note_origin("webhook.mode", *mode);
    if (const Mode* known = mode->is_scalar() ? find_named(kModes, mode->text) : nullptr) policy_.webhook.mode = *known;
    else reject_choice(*mode, "mode", names_in(kModes));
  }
  if (const Node* mutate = node.find("mutate")) read_mutate(*mutate);
  if (const Node* exempt = node.find("exempt")) read_exempt(*exempt);
}

void PolicyReader::read_mutate(const Node& node) {
  const auto ids = texts(node, "webhook.mutate");
  if (!ids) return;
  note_origin("webhook.mutate", node);
  for (std::size_t i = 0; i < ids->size(); ++i) {
    const Rule* rule = known_rule((*ids)[i], place(node, i), false);
    if (rule && rule->fixability != Fixability::safe) problem(place(node, i), fmt::format("{} has no safe fix, so it cannot mutate objects", rule->id));
  }
  policy_.webhook.mutate = *ids;
}

void PolicyReader::read_exempt(const Node& node) {
  if (!check_keys(node, "webhook.exempt", settings::kExempt)) return;
  note_origin("webhook.exempt", node);
  if (const Node* namespaces = node.find("namespaces"))
    if (auto names = texts(*namespaces, "webhook.exempt.namespaces")) policy_.webhook.exempt_namespaces = std::move(*names);
}

}  // namespace gpulint
