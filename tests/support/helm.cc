#include "tests/support/helm.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/process.h"

namespace gpulint::testing {
namespace {

/// The folder they are in; empty, and said so, where they are not to be had.
std::string folder_of_programs() {
  const char *home = std::getenv("HOME"), *cache = std::getenv("XDG_CACHE_HOME");
  const std::string folder = fmt::format("{}/gpulint/helm", cache ? cache : fmt::format("{}/.cache", home ? home : "/tmp"));
  const Outcome outcome = run({.words = {"bash", "tests/chart/helm.sh", folder}, .timeout = std::chrono::minutes(5)});
  if (outcome.status == 0) return folder;
  const bool required = std::getenv("GPULINT_REQUIRE_HELM") != nullptr;
  CHECK_MESSAGE(!required, outcome.err);
  MESSAGE("skipped: no Helm, and none to be had: ", outcome.err);
  return {};
}

}  // namespace

std::map<std::string, std::string> helms() {
  const char *three = std::getenv("HELM3"), *four = std::getenv("HELM4");
  if (three && four) return {{"Helm 3", three}, {"Helm 4", four}};
  const std::string folder = folder_of_programs();
  if (folder.empty()) return {};
  return {{"Helm 3", folder + "/helm3"}, {"Helm 4", folder + "/helm4"}};
}

std::string kubectl_of_tests() {
  if (const char* kubectl = std::getenv("GPULINT_KUBECTL")) return kubectl;
  const std::string folder = folder_of_programs();
  return folder.empty() ? "" : folder + "/kubectl";
}

}  // namespace gpulint::testing
