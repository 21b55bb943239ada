#include "rules/cluster/meant_resource.h"
#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

void check_entry(const ResourceEntry& entry, const Container& container, const PodTemplate& pod, Context& context) {
  // A mapping where a number belongs is a schema or a chart's own form, and a name without a domain may be a key of the chart or the kind.
  if (!entry.node->is_scalar() || (pod.partial && entry.name.find('/') == std::string_view::npos)) return;
  if (is_wrong_mig_name(entry.name)) {
    context.warning(entry.node, "{}: {} is no MIG slice that the device plugin offers; the names are of the form nvidia.com/mig-1g.5gb, with 1, 2, 3, 4 or 7 g",
                    container.label(), entry.name);
    return;
  }
  if (context.accelerators.resource(entry.name)) return;
  if (const auto meant = meant_resource(entry.name))
    context.warning(entry.node, "{}: no device plugin is known to offer {}; did you mean {}?", container.label(), entry.name, *meant);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  for (const ResourceEntry& limit : container.resources.limits) check_entry(limit, container, pod, context);
  for (const ResourceEntry& request : container.resources.requests)
    if (!container.resources.limit(request.name)) check_entry(request, container, pod, context);
}

// Names of devices whose domains are words of the prefilter, where the domain is what is wrong.
constexpr std::string_view kWords[] = {"/tpu", "/ascend", "/dcu", "/mlu", "/gcu"};

constexpr std::string_view kSources[] = {
    "Kubernetes documentation: Extended resources",
    "NVIDIA device plugin: resource names; NVIDIA Multi-Instance GPU user guide: profiles",
    "Device plugins of AMD, Intel, Habana, AWS Neuron, Google TPU; HAMi's chart values",
    "NVIDIA/kubevirt-gpu-device-plugin: names of passed-through devices",
};

}  // namespace

extern constinit const Rule unknown_accelerator_resource{
    .id = "unknown-accelerator-resource",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A resource name is close to that of an accelerator, but no device plugin offers it.",
    .rationale =
        "The API server takes any name with a domain for an extended resource. One that no node offers leaves the pod pending for ever with "
        "\"Insufficient\" and that name; a name without a domain is refused.",
    .remediation =
        "Write the name as the device plugin does. Where a plugin really offers this one, add it to `accelerators` in the configuration.",
    .details =
        "Close means: another case, a plural or another slip of one or two letters (`nvidia.com/gpus`), a wrong or missing end of the domain "
        "(`nvidia/gpu`), a quota's prefix (`requests.nvidia.com/gpu`), a name of former days (`alpha.kubernetes.io/nvidia-gpu`), or `nvidia.com/mig-…` that "
        "is no MIG profile.\n\n"
        "Other names under a vendor's domain are no finding: plugins can be told to offer any (`nvidia.com/a100`, `nvidia.com/gpu-20gb`), and those for "
        "virtual machines offer one for each model (`nvidia.com/GA102GL_A10`, `nvidia.com/GRID_T4-2Q`). A key without a domain is judged in whole pod "
        "specs only, since charts and some kinds have keys of their own.",
    .sources = kSources,
    .words = kWords,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
