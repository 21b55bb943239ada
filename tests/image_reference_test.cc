// Image names taken apart as container runtimes do it.
#include "rules/kube/image_reference.h"

#include <doctest/doctest.h>

using gpulint::ImageReference;

namespace {

struct Row {
  std::string_view image, registry, repository, tag, digest;
  bool placeholder = false;
};

constexpr Row kRows[] = {
    {"busybox", "", "busybox", "", ""},
    {"library/busybox:1", "", "busybox", "1", ""},
    {"docker.io/library/busybox", "docker.io", "busybox", "", ""},
    {"nvidia/cuda:12.4.1-base-ubuntu22.04", "", "nvidia/cuda", "12.4.1-base-ubuntu22.04", ""},
    {"nvcr.io/nvidia/k8s-device-plugin:v0.17.0", "nvcr.io", "nvidia/k8s-device-plugin", "v0.17.0", ""},
    {"localhost/app:dev", "localhost", "app", "dev", ""},
    {"localhost:5000/app", "localhost:5000", "app", "", ""},
    {"registry.local:5000/team/app:1", "registry.local:5000", "team/app", "1", ""},
    {"app@sha256:abc", "", "app", "", "sha256:abc"},
    {"nvcr.io/nvidia/driver:550@sha256:abc", "nvcr.io", "nvidia/driver", "550", "sha256:abc"},
    {"", "", "", "", ""},
    {"ghcr.io/team/app:${TAG}", "ghcr.io", "team/app", "${TAG}", "", true},
    {"FILLED BY THE OPERATOR", "", "FILLED BY THE OPERATOR", "", "", true},
    {"<image>", "", "<image>", "", "", true},
};

}  // namespace

TEST_CASE("registry, repository, tag and digest") {
  for (const Row& row : kRows) {
    CAPTURE(row.image);
    const ImageReference reference = ImageReference::parse(row.image);
    CHECK(reference.registry == row.registry);
    CHECK(reference.repository == row.repository);
    CHECK(reference.tag == row.tag);
    CHECK(reference.digest == row.digest);
    CHECK(reference.placeholder == row.placeholder);
  }
}
