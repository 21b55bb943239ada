// ImageReference: an image name taken apart the way container runtimes do it.
#pragma once
#include <string_view>

namespace gpulint {

struct ImageReference {
  std::string_view registry;    ///< "nvcr.io"; empty when none is written (docker.io)
  std::string_view repository;  ///< "nvidia/k8s-device-plugin", without the registry; "library/" is dropped
  std::string_view tag;         ///< empty when none is written
  std::string_view digest;      ///< "sha256:..."; empty when none is written
  bool placeholder = false;     ///< holds a placeholder somewhere (`${TAG}`, `FILLED BY THE OPERATOR`): nothing can be said about it
  static ImageReference parse(std::string_view image);
};

}  // namespace gpulint
