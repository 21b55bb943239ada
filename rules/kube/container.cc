#include "rules/kube/container.h"

#include <strings.h>

#include <algorithm>

#include "rules/kube/decode.h"

namespace gpulint {
namespace {

const ResourceEntry* entry_of(const std::vector<ResourceEntry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const ResourceEntry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

/// In order of name, as the API server writes them: what is found must not depend on the order in a text.
std::vector<ResourceEntry> entries_of(const Node* mapping) {
  std::vector<ResourceEntry> entries;
  if (!mapping || !mapping->is_mapping()) return entries;
  for (const Node& member : *mapping)
    if (!member.is_mapping() && !member.is_sequence()) entries.push_back(resource_entry(member.key, member));
  std::stable_sort(entries.begin(), entries.end(), [](const ResourceEntry& left, const ResourceEntry& right) { return left.name < right.name; });
  return entries;
}

EnvironmentVariable variable_of(std::string_view name, const Node& node, const Node& element, std::string_view value_key) {
  EnvironmentVariable variable{name, {}, &node};
  variable.value = text_field(element, value_key);
  if (element.find("valueFrom")) variable.value.state = FieldState::unknown;
  return variable;
}

}  // namespace

const ResourceEntry* Resources::limit(std::string_view name) const { return entry_of(limits, name); }
const ResourceEntry* Resources::request(std::string_view name) const { return entry_of(requests, name); }

const EnvironmentVariable* Container::variable(std::string_view wanted) const {
  const auto found = std::find_if(env.rbegin(), env.rend(), [&](const EnvironmentVariable& variable) { return variable.name == wanted; });
  return found == env.rend() ? nullptr : &*found;
}

const Node* Container::added_capability(std::string_view name) const {
  if (!capabilities_node) return nullptr;
  const auto same = [](std::string_view left, std::string_view right) { return left.size() == right.size() && strncasecmp(left.data(), right.data(), left.size()) == 0; };
  for (const Node& capability : *capabilities_node) {
    std::string_view written = capability.text;
    if (same(written.substr(0, 4), "CAP_")) written.remove_prefix(4);
    if (same(written, name) || same(written, "ALL")) return &capability;
  }
  return nullptr;
}

const Ask* Container::first_ask(Vendor vendor) const {
  const auto found = std::find_if(asks.begin(), asks.end(), [&](const Ask& ask) {
    return ask.positive() && (vendor == Vendor::none || ask.accelerator.vendor == vendor);
  });
  return found == asks.end() ? nullptr : &*found;
}

std::string Container::label() const {
  if (!name.value.empty()) return "container \"" + std::string(name.value) + "\"";
  return place.empty() ? "the container" : place;
}

Resources decode_resources(const Node* resources) {
  Resources decoded;
  decoded.node = resources;
  if (!resources || !resources->is_mapping()) return decoded;
  decoded.limits_node = resources->find(decoded.limits_key);
  decoded.requests_node = resources->find(decoded.requests_key);
  decoded.limits = entries_of(decoded.limits_node);
  decoded.requests = entries_of(decoded.requests_node);
  if (const Node* claims = sequence_of(resources->find("claims")))
    for (const Node& claim : *claims)
      if (const std::string_view claim_name = text_of(claim.is_mapping() ? claim.find("name") : &claim); !claim_name.empty()) decoded.claims.push_back(claim_name);
  return decoded;
}

void collect_asks(Container& container, const AcceleratorTable& accelerators) {
  container.asks.clear();
  for (const auto* entries : {&container.resources.limits, &container.resources.requests})
    for (const ResourceEntry& entry : *entries) {
      const auto accelerator = accelerators.resource(entry.name);
      if (!accelerator || !asks_for_device(accelerator->role)) continue;
      if (entries == &container.resources.requests && container.resources.limit(entry.name)) continue;
      container.asks.push_back(Ask{entry.name, *accelerator, entry.quantity, entry.node});
    }
  std::stable_sort(container.asks.begin(), container.asks.end(), [](const Ask& left, const Ask& right) { return left.resource < right.resource; });
}

void decode_environment(const Node* list_or_map, Container& container) {
  if (!list_or_map || (!list_or_map->is_sequence() && !list_or_map->is_mapping())) return;
  if (!container.env_node) container.env_node = list_or_map;
  for (const Node& element : *list_or_map) {
    if (list_or_map->is_sequence()) {
      if (element.is_mapping() && !text_of(element.find("name")).empty())
        container.env.push_back(variable_of(text_of(element.find("name")), element, element, "value"));
      continue;
    }
    EnvironmentVariable variable = element.is_mapping() ? variable_of(element.key, element, element, "value")
                                                        : variable_of(element.key, element, *list_or_map, element.key);
    // Charts write the values of a map quoted into the list.
    if (variable.value.invalid() && element.is_scalar()) {
      variable.value.state = FieldState::known;
      variable.value.value = element.text;
    }
    container.env.push_back(std::move(variable));
  }
}

void decode_container_security(const Node* context, Container& container) {
  if (!context || !context->is_mapping()) return;
  container.security_context = context;
  container.privileged = bool_field(*context, "privileged");
  container.run_as_user = integer_field(*context, "runAsUser");
  container.run_as_group = integer_field(*context, "runAsGroup");
  container.run_as_non_root = bool_field(*context, "runAsNonRoot");
  container.read_only_root = bool_field(*context, "readOnlyRootFilesystem");
  const Node* added = context->at("capabilities", "add");
  if (!added || !added->is_sequence()) return;
  container.capabilities_node = added;
}

Container decode_container(const Node& node, ContainerRole role, const AcceleratorTable& accelerators) {
  Container container;
  container.role = role;
  container.node = &node;
  container.name = text_field(node, "name");
  container.image = text_field(node, "image");
  container.resources = decode_resources(node.find("resources"));
  container.asks_by_claim = !container.resources.claims.empty();
  collect_asks(container, accelerators);
  if (const Node* env = node.find("env"); env && env->is_sequence()) decode_environment(env, container);
  container.has_env_from = sequence_of(node.find("envFrom")) && node.find("envFrom")->size > 0;
  container.command_line = CommandLine::parse(node.find("command"), node.find("args"));
  container.privileged.node = container.run_as_user.node = container.run_as_group.node = &node;
  container.run_as_non_root.node = container.read_only_root.node = &node;
  decode_container_security(node.find("securityContext"), container);
  if (const Node* mounts = sequence_of(node.find("volumeMounts")))
    for (const Node& mount : *mounts)
      container.mounts.push_back({text_of(mount.find("name")), text_of(mount.find("mountPath")), text_of(mount.find("readOnly")) == "true", &mount});
  return container;
}

}  // namespace gpulint
