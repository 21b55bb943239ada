#include <algorithm>
#include <iterator>

#include "rules/engine/context.h"
#include "rules/kube/image_reference.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kVariable = "NVIDIA_DRIVER_CAPABILITIES";

/// The parts of a text between separators.
template <class Visit>
void for_each_part(std::string_view text, std::string_view separators, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Media servers and transcoders, by a word of the image's own name. The builds of linuxserver set the variable themselves.
bool is_video_image(std::string_view text) {
  constexpr std::string_view kWords[] = {"jellyfin", "plex",      "pms",    "emby",    "embyserver", "ffmpeg",    "frigate",
                                         "tdarr",    "unmanic", "handbrake", "fileflows", "gstreamer", "transcode", "transcoder"};
  const ImageReference image = ImageReference::parse(text);
  if (image.repository.starts_with("linuxserver/")) return false;
  bool found = false;
  for_each_part(image.repository.substr(image.repository.rfind('/') + 1), "-_.", [&](std::string_view word) {
    found |= std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  });
  return found;
}

bool allows_video(std::string_view value) {
  bool found = false;
  for_each_part(value, ", ", [&](std::string_view capability) { found |= capability == "video" || capability == "all"; });
  return found;
}

const Ask* nvidia_limit(const Container& container) {
  for (const Ask& ask : container.asks)
    if (ask.accelerator.vendor == Vendor::nvidia && ask.accelerator.role != ResourceRole::passthrough && ask.positive()) return &ask;
  return nullptr;
}

void check(const Container& container, const PodTemplate&, Context& context) {
  const Injection injection = context.cluster.injection();
  if (injection != Injection::envvar && injection != Injection::unknown) return;  // elsewhere nothing filters by capability
  const Ask* ask = nvidia_limit(container);
  if (!ask || !container.image.known() || !is_video_image(container.image.value)) return;
  const EnvironmentVariable* variable = container.variable(kVariable);
  if (!variable && !container.has_env_from) {
    context.info(container.node, "{}: {} with {}, and {} is not set: the driver's video libraries stay outside unless the image sets it",
                 container.label(), container.image.value, ask->resource, kVariable);
  } else if (variable && !variable->value.unknown() && !allows_video(variable->value.value)) {
    context.info(variable->node, "{}: {} with {}, and {} is \"{}\": without video or all the driver's video libraries stay outside",
                 container.label(), container.image.value, ask->resource, kVariable, variable->value.value);
  }
}

constexpr std::string_view kSources[] = {
    "NVIDIA container toolkit: NVIDIA_DRIVER_CAPABILITIES, utility and compute by default",
    "Jellyfin documentation: hardware acceleration on NVIDIA GPU",
};

}  // namespace

extern constinit const Rule missing_driver_capabilities{
    .id = "missing-driver-capabilities",
    .group = Group::visibility,
    .severity = Severity::info,
    .fixability = Fixability::no,
    .summary = "A media server or transcoder asks for an NVIDIA GPU without the driver capability `video`.",
    .rationale =
        "The NVIDIA runtime brings in the driver's libraries by capability: `utility` and `compute` unless NVIDIA_DRIVER_CAPABILITIES says more. Without "
        "`video` there is no NVENC and NVDEC: the program holds its GPU, and transcodes on the CPU.",
    .remediation = "Set NVIDIA_DRIVER_CAPABILITIES to `compute,video,utility`, or to `all`.",
    .details =
        "Info: an image of Jellyfin, Plex, Emby, Frigate, ffmpeg, Tdarr and the like asks for an NVIDIA GPU, and the variable is absent or names neither "
        "`video` nor `all`. Some builds set it in the image, which nobody can see here; those of linuxserver always do and are no finding.\n\n"
        "Only where the runtime reads the variable: unnamed clusters, EKS, AKS, k3s, containerd, Docker, and the GPU operator before 25.10. CDI and GKE "
        "bring in all libraries.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
