#include "rules/kube/image_reference.h"

#include "rules/kube/placeholder.h"

namespace gpulint {

// The first part is a registry when it looks like a host: it holds a dot or a port, or is localhost (the reference grammar of OCI distribution).
ImageReference ImageReference::parse(std::string_view image) {
  ImageReference reference;
  reference.placeholder = holds_placeholder(image) || image.starts_with("FILLED");
  std::string_view rest = image;
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    reference.digest = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view host = rest.substr(0, slash);
    if (host.find_first_of(".:") != std::string_view::npos || host == "localhost") {
      reference.registry = host;
      rest.remove_prefix(slash + 1);
    }
  }
  const std::size_t last_slash = rest.rfind('/');
  const std::size_t colon = rest.find(':', last_slash == std::string_view::npos ? 0 : last_slash);
  if (colon != std::string_view::npos) {
    reference.tag = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  }
  if ((reference.registry.empty() || reference.registry == "docker.io") && rest.starts_with("library/")) rest.remove_prefix(8);
  reference.repository = rest;
  return reference;
}

}  // namespace gpulint
