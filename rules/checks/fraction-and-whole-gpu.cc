#include <algorithm>

#include "rules/engine/context.h"
#include "rules/kube/decode.h"
#include "rules/kube/placeholder.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kFraction = "gpu-fraction";  // a part of a GPU
constexpr std::string_view kMemory = "gpu-memory";      // MiB of a GPU

/// The annotation where it has a value.
const Node* share_annotation(const PodTemplate& pod, std::string_view key) {
  const Node* annotation = pod.annotations ? pod.annotations->find(key) : nullptr;
  return text_of(annotation).empty() ? nullptr : annotation;
}

/// KAI's scheduler, or that of the product it comes from.
bool shares_gpus(const PodTemplate& pod, const Context& context) {
  return context.cluster.has(AddOn::kai) || pod.scheduler_name.value_or("") == "runai-scheduler";
}

bool is_fraction(std::string_view text) {
  const bool number = text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  const auto quantity = number ? Quantity::parse(text) : std::nullopt;
  return quantity && Quantity() < *quantity && *quantity < Quantity(1);
}

bool is_mebibytes(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos && text.find_first_not_of('0') != std::string_view::npos;
}

void check_value(const Node& annotation, Context& context) {
  if (holds_placeholder(annotation.text)) return;
  if (annotation.key == kFraction && !is_fraction(annotation.text))
    context.error(&annotation, "{} is \"{}\"; a fraction is above 0 and below 1, and whole GPUs are asked for by nvidia.com/gpu", annotation.key, annotation.text);
  if (annotation.key == kMemory && !is_mebibytes(annotation.text))
    context.error(&annotation, "{} is \"{}\"; it is a whole number of MiB above 0", annotation.key, annotation.text);
}

void check(const PodTemplate& pod, Context& context) {
  const Node* fraction = share_annotation(pod, kFraction);
  const Node* memory = share_annotation(pod, kMemory);
  const Node* share = fraction ? fraction : memory;
  if (!share) return;
  if (!shares_gpus(pod, context)) {
    if (context.cluster.is_generic()) context.undecided();
    context.info(share, "{} \"{}\" has no effect unless the KAI scheduler places the pod, and the pod does not name it", share->key, share->text);
    return;
  }
  if (fraction) check_value(*fraction, context);
  if (memory) check_value(*memory, context);
  if (fraction && memory) context.error(memory, "{} \"{}\" stands beside {} \"{}\"; KAI takes one of them", kMemory, memory->text, kFraction, fraction->text);
  pod.for_each_container([&](const Container& container) {
    for (const Ask& ask : container.asks)
      if (ask.resource == "nvidia.com/gpu")
        context.error(ask.node, "{} asks for a whole nvidia.com/gpu beside {} \"{}\"; KAI refuses a pod with both", container.label(), share->key, share->text)
            .in(container);
  });
}

constexpr std::string_view kSources[] = {
    "NVIDIA/KAI-Scheduler documentation: GPU sharing; admission of GPU requests",
};

}  // namespace

extern constinit const Rule fraction_and_whole_gpu{
    .id = "fraction-and-whole-gpu",
    .group = Group::resources,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A pod for KAI asks for a part of a GPU and a whole one, or for a part that is none.",
    .rationale =
        "The annotations gpu-fraction and gpu-memory ask KAI's scheduler for a part of one GPU in place of a whole one. Its webhook refuses pods that ask for "
        "both, and fractions that are not between 0 and 1. Any other scheduler ignores the annotations: the pod then gets no GPU.",
    .remediation = "Remove nvidia.com/gpu from the containers, or the annotation. Name the scheduler: `schedulerName: kai-scheduler`.",
    .details =
        "Error, with KAI (also where the pod names its scheduler): gpu-fraction or gpu-memory beside nvidia.com/gpu, even of 0; both annotations together; a "
        "gpu-fraction that is not above 0 and below 1; a gpu-memory that is no whole number of MiB.\n\n"
        "Info: one of the annotations on a cluster without KAI, where it has no effect.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
