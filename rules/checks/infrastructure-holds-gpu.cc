#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/image_reference.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

/// The last part of an image's repository where it is a component that looks after GPUs and uses none; else empty.
std::string_view component_of(const Container& container, const Context& context) {
  if (!container.image.known() || !context.accelerators.is_infrastructure_image(container.image.value)) return {};
  const std::string_view repository = ImageReference::parse(container.image.value).repository;
  const std::string_view name = repository.substr(repository.rfind('/') + 1);
  // They run on a GPU to see whether it works or how fast it is; the DCGM engine runs its diagnostics.
  constexpr std::string_view kUsers[] = {"validator", "benchmark", "sample", "test"};
  const bool uses = name == "dcgm" || std::any_of(std::begin(kUsers), std::end(kUsers),
                                                  [&](std::string_view user) { return name.find(user) != std::string_view::npos; });
  return uses ? std::string_view() : name;
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const std::string_view component = component_of(container, context);
  if (component.empty()) return;
  for (const Ask& ask : container.asks)
    if (ask.accelerator.role == ResourceRole::device && ask.positive())
      context.warning(ask.node, "{} ({}): asks for {} {}, which no pod of its node can have then", container.label(), component, ask.node->text, ask.resource);
}

constexpr std::string_view kSources[] = {
    "NVIDIA/dcgm-exporter#127",
    "NVIDIA GPU Operator documentation: DCGM exporter",
};

}  // namespace

extern constinit const Rule infrastructure_holds_gpu{
    .id = "infrastructure-holds-gpu",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "A device plugin, exporter, discovery, driver or toolkit container asks for a whole GPU.",
    .rationale =
        "Such components see all GPUs of their node through the driver and need none of their own. One that asks for a GPU keeps it from the pods it is there "
        "for, on every node it runs on, and does not start where all are in use.",
    .remediation =
        "Remove the resource. Where the component needs the runtime's help to see the GPUs, give it the nvidia runtime class and NVIDIA_VISIBLE_DEVICES `all`.",
    .details =
        "The component is known by its image. Validators, benchmarks, samples and the DCGM engine, which runs diagnostics, use a GPU on purpose and are no "
        "finding; nor are containers that other images stand in.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
