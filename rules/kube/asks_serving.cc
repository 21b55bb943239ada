// Model servers and trainers whose operators build the pods: KServe, NIM, Dynamo, llmkube, Spark, Kubeflow Trainer.
#include <algorithm>

#include "rules/kube/asks.h"
#include "rules/kube/decode.h"
#include "rules/kube/values.h"

namespace gpulint {
namespace {

constexpr std::string_view kDefaultGpu = "nvidia.com/gpu";  // what these operators mean by a bare number of GPUs

void name_place(Container& container, std::string text) {
  if (container.name.absent()) container.place = std::move(text);
}

/// A partial template at `node` with its pod-level fields.
PodTemplate partial_template(const Node& node) {
  PodTemplate pod;
  pod.spec = &node;
  pod.partial = true;
  pod.replicas.node = &node;
  decode_pod_fields(node, pod);
  return pod;
}

void finish(PodTemplate pod, const AskPlace& place) {
  pod.infrastructure = is_infrastructure(pod, place.accelerators);
  place.templates.push_back(std::move(pod));
}

bool has_accelerator_entry(const Container& container, const AcceleratorTable& accelerators) {
  const auto known = [&](const ResourceEntry& entry) { return accelerators.resource(entry.name).has_value(); };
  return std::any_of(container.resources.limits.begin(), container.resources.limits.end(), known) ||
         std::any_of(container.resources.requests.begin(), container.resources.requests.end(), known);
}

/// Whether a member of a KServe component is a model server: pytorch, triton, model ... They are told by what they hold, for runtimes come and go.
bool is_framework(const Node& member) {
  if (!member.is_mapping()) return false;
  for (std::string_view key : {"resources", "storageUri", "modelUri", "modelFormat", "storage", "runtimeVersion", "protocolVersion"})
    if (member.find(key)) return true;
  return false;
}

void read_component(const AskPlace& place, bool has_runtime_class) {
  if (!place.node.is_mapping()) return;
  PodTemplate pod = decode_pod(place.node, place.accelerators);
  pod.role = place.node.key;
  pod.can_have_runtime_class = has_runtime_class;
  pod.partial = !sequence_of(place.node.find("containers"));
  pod.pod_resources = nullptr;
  pod.labels = mapping_of(place.node.find("labels"));
  pod.annotations = mapping_of(place.node.find("annotations"));
  set_owner(pod, &place.node, "minReplicas", false);
  for (const Node& member : place.node) {
    const Node* container_node = member.key == "custom" ? mapping_of(member.find("container")) : is_framework(member) ? &member : nullptr;
    if (!container_node) continue;
    Container container = decode_container(*container_node, ContainerRole::main, place.accelerators);
    name_place(container, "the container at " + std::string(place.node.key) + "." + std::string(member.key));
    pod.containers.push_back(std::move(container));
  }
  if (!pod.containers.empty()) finish(std::move(pod), place);
}

}  // namespace

void read_kserve_component(const AskPlace& place) { read_component(place, true); }
void read_kserve_component_without_class(const AskPlace& place) { read_component(place, false); }

void read_nim_service(const AskPlace& place) {
  if (!place.node.is_mapping()) return;
  Container container = decode_container(place.node, ContainerRole::main, place.accelerators);
  decode_chart_image(place.node, container);
  const Node* claims = sequence_of(place.node.find("draResources"));
  container.asks_by_claim = container.asks_by_claim || (claims && claims->size > 0);
  if (!container.asks_by_claim && !has_accelerator_entry(container, place.accelerators)) return;
  PodTemplate pod = partial_template(place.node);
  set_owner(pod, &place.node, "replicas", false);
  pod.containers.push_back(std::move(container));
  finish(std::move(pod), place);
}

void read_dynamo_service(const AskPlace& place) {
  const Node& service = place.node;
  if (!service.is_mapping()) return;
  const Node* extra = mapping_of(service.find("extraPodSpec"));
  const Node* main = extra ? mapping_of(extra->find("mainContainer")) : nullptr;
  Container container = decode_container(main ? *main : service, ContainerRole::main, place.accelerators);
  name_place(container, "the service " + std::string(service.key));
  decode_environment(service.find("envs"), container);
  if (const Node* resources = mapping_of(service.find("resources"))) {
    const std::vector<std::string_view> claims = std::move(container.resources.claims);
    container.resources = decode_resources(resources);
    container.resources.claims.insert(container.resources.claims.end(), claims.begin(), claims.end());
    add_dynamo_entries(*resources, container.resources);
  }
  if (const Node* device = service.at("device", "resources"); device && device->is_mapping())
    for (const Node& member : *device) container.resources.limits.push_back(resource_entry(member.key, member));
  container.asks_by_claim = !container.resources.claims.empty();
  collect_asks(container, place.accelerators);
  if (!main && !has_accelerator_entry(container, place.accelerators)) return;
  PodTemplate pod = partial_template(service);
  if (extra) decode_pod_fields(*extra, pod);
  pod.role = service.key;
  set_metadata(pod, service.find("extraPodMetadata"));
  set_owner(pod, &service, "replicas", false);
  pod.containers.push_back(std::move(container));
  finish(std::move(pod), place);
}

namespace {

/// `gpu: {name, quantity}`, or what Spark itself asks for: spark.executor.resource.gpu.amount of the vendor's domain.
void add_spark_gpu(const Node& spark, Container& container) {
  const Node* holder = mapping_of(spark.find("gpu"));
  const Node* quantity = holder ? holder->find("quantity") : nullptr;
  std::string_view name = holder ? text_of(holder->find("name")) : std::string_view();
  if (!quantity) {
    const std::string prefix = "spark." + std::string(spark.key) + ".resource.gpu.";
    holder = spark.parent ? mapping_of(spark.parent->find("sparkConf")) : nullptr;
    quantity = holder ? holder->find(prefix + "amount") : nullptr;
    name = holder && text_of(holder->find(prefix + "vendor")) == "amd.com" ? "amd.com/gpu" : kDefaultGpu;
  }
  if (!quantity) return;
  container.resources.node = container.resources.limits_node = holder;
  container.resources.limits.push_back(resource_entry(name, *quantity));
}

}  // namespace

void read_spark_pod(const AskPlace& place) {
  const Node& spark = place.node;
  if (!spark.is_mapping()) return;
  PodTemplate pod = decode_pod(spark, place.accelerators);
  pod.partial = true;
  pod.pod_resources = nullptr;
  pod.role = spark.key;
  pod.labels = mapping_of(spark.find("labels"));
  pod.annotations = mapping_of(spark.find("annotations"));
  if (const Node* application = spark.parent) decode_pod_fields(*application, pod);
  const Node* pod_template = mapping_of(spark.at("template", "spec"));
  pod.can_have_runtime_class = pod_template != nullptr;
  if (pod_template) decode_pod_fields(*pod_template, pod);
  set_owner(pod, &spark, "instances", false);

  Container container = decode_container(spark, ContainerRole::main, place.accelerators);
  name_place(container, "the " + std::string(spark.key));
  if (container.image.absent() && spark.parent) container.image = text_field(*spark.parent, "image");
  add_spark_gpu(spark, container);
  collect_asks(container, place.accelerators);
  pod.containers.insert(pod.containers.begin(), std::move(container));
  if (const Node* sidecars = sequence_of(spark.find("sidecars")))
    for (const Node& sidecar : *sidecars)
      if (sidecar.is_mapping()) pod.containers.push_back(decode_container(sidecar, ContainerRole::main, place.accelerators));
  finish(std::move(pod), place);
}

void read_trainer(const AskPlace& place) {
  if (!place.node.is_mapping()) return;
  PodTemplate pod = partial_template(place.node);
  pod.can_have_runtime_class = false;
  pod.role = "trainer";
  set_owner(pod, &place.node, "numNodes", false);
  Container container = decode_container(place.node, ContainerRole::main, place.accelerators);
  name_place(container, "the trainer");
  container.resources = decode_resources(place.node.find("resourcesPerNode"));
  container.asks_by_claim = !container.resources.claims.empty();
  collect_asks(container, place.accelerators);
  pod.containers.push_back(std::move(container));
  finish(std::move(pod), place);
}

namespace {

void read_bare_count(const AskPlace& place, const Node& owner, const Node& count, const Node& mapping, std::string_view vendor, bool has_runtime_class) {
  PodTemplate pod = partial_template(owner);
  pod.can_have_runtime_class = has_runtime_class;
  set_owner(pod, &owner, "replicas", false);
  Container container = decode_container(owner, ContainerRole::main, place.accelerators);
  container.resources.node = container.resources.limits_node = &mapping;
  container.resources.limits.push_back(resource_entry(vendor == "amd" ? "amd.com/gpu" : vendor == "intel" ? "gpu.intel.com/i915" : kDefaultGpu, count));
  collect_asks(container, place.accelerators);
  pod.containers.push_back(std::move(container));
  finish(std::move(pod), place);
}

}  // namespace

void read_llmkube_service(const AskPlace& place) {
  const Node* resources = mapping_of(place.node.find("resources"));
  const Node* count = resources ? resources->find("gpu") : nullptr;
  if (count && count->is_scalar()) read_bare_count(place, place.node, *count, *resources, text_of(resources->find("gpuVendor")), true);
}

void read_llmkube_model(const AskPlace& place) {
  const Node* count = place.node.find("count");
  if (count && count->is_scalar() && text_of(place.node.find("enabled")) != "false")
    read_bare_count(place, place.node, *count, place.node, text_of(place.node.find("vendor")), false);
}

}  // namespace gpulint
