#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/image_reference.h"

namespace gpulint::checks {
namespace {

/// The CUDA image at the places where NVIDIA publishes it; what a mirror calls `latest` is the mirror's business.
bool is_published_cuda(const ImageReference& image) {
  constexpr std::string_view kRegistries[] = {"", "docker.io", "index.docker.io", "registry-1.docker.io", "nvcr.io"};
  return image.repository == "nvidia/cuda" && std::find(std::begin(kRegistries), std::end(kRegistries), image.registry) != std::end(kRegistries);
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  if (!container.image.known()) return;
  const std::string_view text = container.image.value;
  const ImageReference image = ImageReference::parse(text);
  const bool latest = image.tag == "latest";
  if (image.placeholder || !image.digest.empty() || !(image.tag.empty() || latest)) return;
  if (pod.values && !latest) return;  // the chart puts a tag of its own behind it
  if (is_published_cuda(image)) {
    context.error(container.image.node, "{}: the image {} does not exist: nvidia/cuda has no tag \"latest\"{}", container.label(), text,
                  latest ? "" : ", which a name without a tag means");
  } else if (context.accelerators.is_gpu_image(text)) {
    context.info(container.image.node, "{}: the image {} is pinned to no version", container.label(), text);
  }
}

constexpr std::string_view kSources[] = {
    "Container.image (core/v1): without a tag, latest",
    "NVIDIA/nvidia-docker#1454",
    "NVIDIA/nvidia-docker#1768",
    "charmed-kubernetes/kubernetes-docs#648",
    "awslabs/aws-virtual-gpu-device-plugin#25",
};

}  // namespace

extern constinit const Rule unpinned_cuda_image{
    .id = "unpinned-cuda-image",
    .group = Group::command,
    .severity = Severity::error,
    .fixability = Fixability::no,
    .summary = "A CUDA image has no version: nvidia/cuda without a tag cannot be pulled, others change by themselves.",
    .rationale =
        "NVIDIA publishes `nvidia/cuda` by version only and removed the tag `latest` in 2021: the pod stays in ImagePullBackOff and holds its GPU. Other GPU "
        "images do have a `latest`, but the next pull may bring a CUDA version that the node's driver does not support.",
    .remediation = "Name a version that the nodes' driver supports: `nvidia/cuda:12.4.1-base-ubuntu22.04`.",
    .details =
        "Error: `nvidia/cuda` of Docker Hub or nvcr.io without a tag or with `latest`.\n\n"
        "Info: other images known to be built on CUDA, and mirrors of nvidia/cuda, without a tag or with `latest`.\n\n"
        "No finding with a digest, with a placeholder in the name, nor in chart values without a tag, where the chart has one of its own.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
