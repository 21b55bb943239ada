#include "rules/kube/values.h"

#include <algorithm>
#include <fmt/format.h>

#include "rules/kube/decode.h"
#include "rules/kube/placeholder.h"

namespace gpulint {
namespace {

constexpr std::string_view kEnvironmentKeys[] = {"env", "envVars", "extraEnv", "extraEnvVars", "environment"};
constexpr std::string_view kDefaultGpu = "nvidia.com/gpu";

/// A known accelerator, or a name that can only be meant as one (`nvidia.com/gpus`).
bool names_accelerator(std::string_view name, const AcceleratorTable& accelerators) {
  if (accelerators.resource(name)) return true;
  return name.find('/') != std::string_view::npos && (name.find("gpu") != std::string_view::npos || name.find("nvidia") != std::string_view::npos);
}

bool any_accelerator(const Node* quantities, const AcceleratorTable& accelerators) {
  return mapping_of(quantities) && std::any_of(quantities->begin(), quantities->end(), [&](const Node& member) {
           return member.is_scalar() && names_accelerator(member.key, accelerators);
         });
}

/// Where a mapping of values asks for GPUs: the mapping that holds limits and requests, and their keys.
struct AskKeys {
  std::string_view holder;  ///< member that holds both; empty: the mapping itself
  std::string_view limits, requests;
};
constexpr AskKeys kAskKeys[] = {
    {"resources", "limits", "requests"},
    {"", "extra_resource_limits", "extra_resource_guarantees"},  // KubeSpawner
    {"extraResource", "limits", "guarantees"},                   // JupyterHub's chart
};

const Node* holder_of(const Node& place, const AskKeys& keys) { return keys.holder.empty() ? &place : mapping_of(place.find(keys.holder)); }

const AskKeys* ask_keys(const Node& place, const AcceleratorTable& accelerators) {
  for (const AskKeys& keys : kAskKeys)
    if (const Node* holder = holder_of(place, keys);
        holder && (any_accelerator(holder->find(keys.limits), accelerators) || any_accelerator(holder->find(keys.requests), accelerators)))
      return &keys;
  return nullptr;
}

bool has_bare_count(const Node& place) {
  for (std::string_view key : {"requestGPU", "limitGPU"})
    if (const Node* count = place.find(key); count && count->is_scalar()) return true;
  return false;
}

bool chooses_devices(const Node& place, const AcceleratorTable& accelerators) {
  for (std::string_view key : kEnvironmentKeys) {
    const Node* environment = place.find(key);
    if (!environment || environment->is_scalar()) continue;
    for (const Node& element : *environment)
      if (accelerators.visibility_variable(environment->is_mapping() ? element.key : text_of(element.find("name")))) return true;
  }
  return false;
}

std::vector<ResourceEntry> scalar_entries(const Node* quantities) {
  std::vector<ResourceEntry> entries;
  if (mapping_of(quantities))
    for (const Node& member : *quantities)
      if (member.is_scalar()) entries.push_back(resource_entry(member.key, member));
  return entries;
}

void read_resources(const Node& place, const AskKeys& keys, Resources& resources) {
  const Node* holder = holder_of(place, keys);
  resources = keys.holder == "resources" ? decode_resources(holder) : Resources();
  resources.node = holder;
  resources.limits_key = keys.limits;
  resources.requests_key = keys.requests;
  resources.limits_node = holder->find(keys.limits);
  resources.requests_node = holder->find(keys.requests);
  resources.limits = scalar_entries(resources.limits_node);
  resources.requests = scalar_entries(resources.requests_node);
}

/// Charts that take a bare number write it both as the limit and as the request.
void read_bare_count(const Node& place, Resources& resources) {
  const Node* request = place.find("requestGPU");
  const Node* limit = place.find("limitGPU");
  const Node* type = place.find("requestGPUType");
  const std::string_view name = text_of(type).empty() ? kDefaultGpu : text_of(type);
  resources.node = resources.limits_node = resources.requests_node = &place;
  resources.limits_key = limit ? "limitGPU" : "requestGPU";
  resources.requests_key = "requestGPU";
  for (const Node* count : {limit ? limit : request})
    if (count->is_scalar()) resources.limits.push_back(resource_entry(name, *count));
  if (request && request->is_scalar()) resources.requests.push_back(resource_entry(name, *request));
}

/// The way from the values' root: `controllers.main.containers[0]`.
std::string path_of(const Node& place, const Node& values) {
  std::string path;
  for (const Node* node = &place; node && node != &values; node = node->parent) {
    const bool element = node->parent && node->parent->is_sequence();
    std::size_t index = 0;
    if (element)
      for (const Node& sibling : *node->parent) {
        if (&sibling == node) break;
        ++index;
      }
    const std::string step = element ? fmt::format("[{}]", index) : std::string(node->key);
    path = step + (path.empty() || path[0] == '[' ? "" : ".") + path;
  }
  return path;
}

Container read_container(const Node& place, const Node& values, const AskKeys* keys, const AcceleratorTable& accelerators) {
  Container container;
  container.node = &place;
  container.name = text_field(place, "name");
  // `name` beside resources is a container's only in a list of containers; elsewhere it names the release or a model.
  const bool in_container_list = place.parent && place.parent->is_sequence() && (place.parent->key.ends_with("ontainers") || place.parent->key == "sidecars");
  if (!in_container_list) container.name = {FieldState::absent, {}, &place};
  const std::string path = path_of(place, values);
  container.place = path.empty() ? "the values" : "the values at " + path;
  if (keys) read_resources(place, *keys, container.resources);
  else if (has_bare_count(place)) read_bare_count(place, container.resources);
  else container.resources = decode_resources(mapping_of(place.find("resources")));
  container.asks_by_claim = !container.resources.claims.empty();
  collect_asks(container, accelerators);
  decode_chart_image(place, container);
  for (std::string_view key : kEnvironmentKeys) decode_environment(place.find(key), container);
  for (EnvironmentVariable& variable : container.env)
    if (variable.value.invalid() && variable.value.node->is_scalar()) {
      variable.value.state = FieldState::known;  // charts quote what they write into the list
      variable.value.value = variable.value.node->text;
    }
  container.has_env_from = place.find("envFrom") != nullptr;
  container.command_line = CommandLine::parse(place.find("command"), place.find("args"));
  container.privileged.node = container.run_as_user.node = container.run_as_group.node = &place;
  container.run_as_non_root.node = container.read_only_root.node = &place;
  decode_container_security(place.find("securityContext"), container);
  return container;
}

/// What applies to the pod stands beside the ask, in `pod` beside a map of containers, or further up for the whole release.
void read_pod_fields(const Node& place, const Node& values, PodTemplate& pod) {
  decode_pod_fields(place, pod);
  decode_node_selector(place.find("node_selector"), pod);
  if (const Node* extra = mapping_of(place.find("extra_pod_config"))) decode_pod_fields(*extra, pod);
  for (const Node* level = &place; level; level = level->parent) {
    decode_pod_security(level->find("podSecurityContext"), pod);
    for (std::string_view key : {"pod", "defaultPodOptions"})
      if (const Node* options = mapping_of(level->find(key))) decode_pod_fields(*options, pod);
    for (const Node* holder : {level, mapping_of(level->find("deployment"))})
      if (holder && pod.runtime_class.absent() && holder->find("runtimeClassName")) pod.runtime_class = text_field(*holder, "runtimeClassName");
    if (level == &values) break;
  }
}

bool is_ask(const Node& place, const AcceleratorTable& accelerators) {
  return place.is_mapping() && (ask_keys(place, accelerators) || has_bare_count(place));
}

}  // namespace

void decode_chart_image(const Node& place, Container& container) {
  container.image = text_field(place, "image");
  const Node* parts = mapping_of(place.find("image"));
  if (!parts && !container.image.absent()) return;
  if (!parts) parts = &place;
  const std::string_view registry = text_of(parts->find("registry")), tag = text_of(parts->find("tag")), digest = text_of(parts->find("digest"));
  const std::string_view repository = text_of(parts->find("repository"));
  if (repository.empty()) {
    if (parts != &place) container.image.state = FieldState::unknown;
    return;
  }
  std::string image = registry.empty() ? std::string(repository) : fmt::format("{}/{}", registry, repository);
  if (!tag.empty()) image += fmt::format(":{}", tag);
  if (!digest.empty()) image += fmt::format("@{}", digest);
  container.composed_image = std::make_shared<const std::string>(std::move(image));
  container.image.value = *container.composed_image;
  // Without a tag the chart decides on it.
  container.image.state = holds_placeholder(container.image.value) ? FieldState::unknown : FieldState::known;
  container.image.node = parts->find("repository");
}

void add_dynamo_entries(const Node& resources, Resources& decoded) {
  for (auto* entries : {&decoded.limits, &decoded.requests}) {
    const Node* quantities = mapping_of(resources.find(entries == &decoded.limits ? "limits" : "requests"));
    if (!quantities) continue;
    const std::string_view type = text_of(quantities->find("gpuType"));
    for (ResourceEntry& entry : *entries)
      if (entry.name == "gpu") entry.name = type.empty() ? kDefaultGpu : type;
    std::erase_if(*entries, [](const ResourceEntry& entry) { return entry.name == "gpuType"; });
    for (ResourceEntry& entry : scalar_entries(quantities->find("custom"))) entries->push_back(entry);
  }
}

bool is_values_file(const Node& root, const AcceleratorTable& accelerators) {
  const Node* tests = sequence_of(root.find("tests"));
  if (tests && std::any_of(tests->begin(), tests->end(), [](const Node& test) { return test.find("asserts"); })) return false;
  if (mapping_of(root.find("spec"))) return false;  // a patch or another part of a manifest
  if (root.find("toolkit") && (root.find("driver") || root.find("devicePlugin"))) return true;
  bool found = false;
  for_each_node(root, [&](const Node& node) { found = found || is_ask(node, accelerators); });
  return found;
}

void add_values_templates(const Node& values, const AcceleratorTable& accelerators, std::vector<PodTemplate>& templates) {
  for_each_node(values, [&](const Node& place) {
    if (!place.is_mapping()) return;
    const AskKeys* keys = ask_keys(place, accelerators);
    if (!keys && !has_bare_count(place) && !chooses_devices(place, accelerators)) return;
    PodTemplate pod;
    pod.spec = &place;
    pod.partial = pod.values = true;
    pod.replicas.node = &place;
    read_pod_fields(place, values, pod);
    pod.containers.push_back(read_container(place, values, keys, accelerators));
    pod.infrastructure = is_infrastructure(pod, accelerators);
    templates.push_back(std::move(pod));
  });
}

}  // namespace gpulint
