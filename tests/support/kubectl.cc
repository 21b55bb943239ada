#include "tests/support/kubectl.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/process.h"

namespace gpulint::testing {

bool has_kubectl() {
  if (std::getenv("GPULINT_KUBECTL")) return true;
  MESSAGE("GPULINT_KUBECTL is not set: not compared with kubectl");
  return false;
}

KubectlAnswer ask_kubectl(const std::string& manifest) {
  const Outcome outcome = run({.words = {std::getenv("GPULINT_KUBECTL"), "label", "--local", "-f", "-", "-o", "json", "x=y"}, .input = manifest});
  return {outcome.status == 0, outcome.out, outcome.err};
}

}  // namespace gpulint::testing
