#include <algorithm>

#include "rules/kube/decode.h"

namespace gpulint {
namespace {

constexpr std::string_view kOperatorFillsIn = "FILLED";  // the GPU operator's assets: "FILLED BY THE OPERATOR", "FILLED_BY_VALIDATOR"
// Only device plugins, drivers and their validators have business there.
constexpr std::string_view kInfrastructurePaths[] = {"/var/lib/kubelet/device-plugins", "/var/lib/kubelet/pod-resources", "/run/nvidia", "/var/run/nvidia"};

std::vector<std::string_view> texts_of(const Node* list) {
  std::vector<std::string_view> texts;
  if (sequence_of(list))
    for (const Node& element : *list) texts.push_back(text_of(&element));
  return texts;
}

void add_expressions(const Node* term, bool required, int index, PodTemplate& pod) {
  for (std::string_view list_key : {"matchExpressions", "matchFields"}) {
    const Node* list = term ? sequence_of(term->find(list_key)) : nullptr;
    if (!list) continue;
    for (const Node& expression : *list) {
      const Node* values = expression.find("values");
      pod.node_requirements.push_back({text_of(expression.find("key")), text_of(expression.find("operator")), texts_of(values), required, false,
                                       index, &expression, values ? values : &expression});
    }
  }
}

void decode_affinity(const Node* affinity, PodTemplate& pod) {
  if (!affinity || !affinity->is_mapping()) return;
  if (const Node* anti = affinity->find("podAntiAffinity")) pod.has_pod_anti_affinity = pod.has_pod_anti_affinity || anti->size > 0;
  const Node* node_affinity = affinity->find("nodeAffinity");
  if (!node_affinity) return;
  const Node* terms = node_affinity->at("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  int index = 0;
  if (sequence_of(terms))
    for (const Node& term : *terms) add_expressions(&term, true, index++, pod);
  if (const Node* preferred = sequence_of(node_affinity->find("preferredDuringSchedulingIgnoredDuringExecution")))
    for (const Node& weighted : *preferred) add_expressions(weighted.find("preference"), false, -1, pod);
}

void decode_tolerations(const Node* list, PodTemplate& pod) {
  if (!sequence_of(list) || pod.tolerations_node) return;
  pod.tolerations_node = list;
  for (const Node& element : *list)
    pod.tolerations.push_back({text_field(element, "key"), text_field(element, "operator"), text_field(element, "value"), text_field(element, "effect"), &element});
}

void decode_spread(const Node* list, PodTemplate& pod) {
  if (!sequence_of(list) || pod.spread_node) return;
  pod.spread_node = list;
  for (const Node& element : *list) {
    SpreadConstraint spread;
    spread.max_skew = integer_field(element, "maxSkew");
    spread.topology_key = text_field(element, "topologyKey");
    spread.when_unsatisfiable = text_field(element, "whenUnsatisfiable");
    spread.node_affinity_policy = text_field(element, "nodeAffinityPolicy");
    spread.node_taints_policy = text_field(element, "nodeTaintsPolicy");
    spread.label_selector = element.find("labelSelector");
    spread.node = &element;
    pod.spread.push_back(std::move(spread));
  }
}

void decode_volumes(const Node* list, PodTemplate& pod) {
  if (!sequence_of(list)) return;
  for (const Node& element : *list) {
    Volume volume;
    volume.name = text_of(element.find("name"));
    volume.node = &element;
    volume.host_path.node = volume.empty_dir_medium.node = volume.empty_dir_size_limit.node = &element;
    if (const Node* host_path = mapping_of(element.find("hostPath"))) volume.host_path = text_field(*host_path, "path");
    if (const Node* empty_dir = mapping_of(element.find("emptyDir"))) {
      volume.empty_dir_medium = text_field(*empty_dir, "medium");
      volume.empty_dir_size_limit = quantity_field(*empty_dir, "sizeLimit");
    }
    pod.volumes.push_back(std::move(volume));
  }
}

/// Takes over what `read` finds unless a mapping read earlier had it.
template <class T>
void fill(Field<T>& field, Field<T> read) {
  if (!field.node || (field.absent() && read.present())) field = read;
}

void decode_containers(const Node* list, ContainerRole role, std::vector<Container>& containers, const AcceleratorTable& accelerators) {
  if (!sequence_of(list)) return;
  for (const Node& element : *list) {
    if (!element.is_mapping()) continue;
    const bool sidecar = role == ContainerRole::init && text_of(element.find("restartPolicy")) == "Always";
    containers.push_back(decode_container(element, sidecar ? ContainerRole::sidecar : role, accelerators));
  }
}

/// The GPU operator's own checks of driver, toolkit and plugin (`app: nvidia-driver-validation`, `nvidia-cuda-validator`): they run before there is a
/// resource to ask for, with the image of any sample program.
bool is_operator_validator(const PodTemplate& pod) {
  const Node* app = pod.labels ? pod.labels->find("app") : nullptr;
  return app && app->text.starts_with("nvidia-") && (app->text.ends_with("-validator") || app->text.ends_with("-validation"));
}

}  // namespace

void decode_node_selector(const Node* selector, PodTemplate& pod) {
  if (!selector || !selector->is_mapping() || pod.node_selector) return;
  pod.node_selector = selector;
  for (const Node& member : *selector) pod.node_requirements.push_back({member.key, "In", {text_of(&member)}, true, true, -1, &member, &member});
}

void decode_pod_security(const Node* context, PodTemplate& pod) {
  if (!context || !context->is_mapping()) return;
  fill(pod.run_as_non_root, bool_field(*context, "runAsNonRoot"));
  fill(pod.run_as_user, integer_field(*context, "runAsUser"));
  fill(pod.run_as_group, integer_field(*context, "runAsGroup"));
  if (!pod.fs_group) pod.fs_group = context->find("fsGroup");
  if (!pod.supplemental_groups) pod.supplemental_groups = sequence_of(context->find("supplementalGroups"));
}

void decode_pod_fields(const Node& spec, PodTemplate& pod) {
  fill(pod.runtime_class, text_field(spec, "runtimeClassName"));
  fill(pod.scheduler_name, text_field(spec, "schedulerName"));
  fill(pod.node_name, text_field(spec, "nodeName"));
  fill(pod.host_ipc, bool_field(spec, "hostIPC"));
  fill(pod.host_pid, bool_field(spec, "hostPID"));
  fill(pod.enable_service_links, bool_field(spec, "enableServiceLinks"));
  decode_pod_security(spec.find("securityContext"), pod);
  if (!pod.run_as_non_root.node) pod.run_as_non_root.node = &spec;
  if (!pod.run_as_user.node) pod.run_as_user.node = &spec;
  if (!pod.run_as_group.node) pod.run_as_group.node = &spec;
  decode_node_selector(spec.find("nodeSelector"), pod);
  decode_affinity(spec.find("affinity"), pod);
  decode_tolerations(spec.find("tolerations"), pod);
  decode_spread(spec.find("topologySpreadConstraints"), pod);
  decode_volumes(spec.find("volumes"), pod);
  if (!pod.resource_claims) pod.resource_claims = sequence_of(spec.find("resourceClaims"));
}

PodTemplate decode_pod(const Node& spec, const AcceleratorTable& accelerators) {
  PodTemplate pod;
  pod.spec = &spec;
  pod.replicas.node = &spec;
  decode_pod_fields(spec, pod);
  pod.pod_resources = mapping_of(spec.find("resources"));
  decode_containers(spec.find("initContainers"), ContainerRole::init, pod.init_containers, accelerators);
  decode_containers(spec.find("containers"), ContainerRole::main, pod.containers, accelerators);
  decode_containers(spec.find("ephemeralContainers"), ContainerRole::ephemeral, pod.ephemeral_containers, accelerators);
  pod.infrastructure = is_infrastructure(pod, accelerators);
  return pod;
}

void set_metadata(PodTemplate& pod, const Node* metadata) {
  pod.metadata = mapping_of(metadata);
  if (!pod.metadata) return;
  pod.labels = mapping_of(pod.metadata->find("labels"));
  pod.annotations = mapping_of(pod.metadata->find("annotations"));
  pod.infrastructure |= is_operator_validator(pod);
}

void set_owner(PodTemplate& pod, const Node* owner, std::string_view replicas_key, bool with_strategy) {
  if (!owner || !owner->is_mapping()) return;
  pod.owner_spec = owner;
  pod.replicas = integer_field(*owner, replicas_key);
  UpdateStrategy& strategy = pod.strategy;
  strategy.type.node = strategy.max_surge.node = strategy.max_unavailable.node = owner;
  const Node* node = with_strategy ? owner->find("strategy") : nullptr;
  if (!node || !node->is_mapping()) return;
  strategy.node = node;
  strategy.type = text_field(*node, "type");
  // A Deployment keeps the numbers under rollingUpdate, an Argo Rollout under canary.
  const Node* numbers = mapping_of(node->find("rollingUpdate"));
  if (!numbers) numbers = mapping_of(node->find("canary"));
  strategy.max_surge = integer_or_text_field(numbers ? *numbers : *node, "maxSurge");
  strategy.max_unavailable = integer_or_text_field(numbers ? *numbers : *node, "maxUnavailable");
}

bool is_infrastructure(const PodTemplate& pod, const AcceleratorTable& accelerators) {
  bool found = false;
  pod.for_each_container([&](const Container& container) {
    const std::string_view image = container.image.value;
    found = found || image.starts_with(kOperatorFillsIn) || (!image.empty() && accelerators.is_infrastructure_image(image));
  });
  const auto is_place = [](std::string_view path) {
    return std::any_of(std::begin(kInfrastructurePaths), std::end(kInfrastructurePaths),
                       [&](std::string_view known) { return path == known || (path.starts_with(known) && path[known.size()] == '/'); });
  };
  found = found || std::any_of(pod.volumes.begin(), pod.volumes.end(), [&](const Volume& volume) { return is_place(volume.host_path.value); });
  return found || std::any_of(pod.node_requirements.begin(), pod.node_requirements.end(), [](const NodeRequirement& requirement) {
           return requirement.from_selector && requirement.key.starts_with("nvidia.com/gpu.deploy.");
         });
}

}  // namespace gpulint
