// kubectl as a second opinion on what a manifest says: the environment variable GPULINT_KUBECTL names the program.
// Nothing here needs a cluster: `kubectl label --local` reads a manifest and prints what it would send.
#pragma once
#include <string>
#include <string_view>

namespace gpulint::testing {

/// Whether GPULINT_KUBECTL is set; says that the test case is skipped when it is not.
bool has_kubectl();

struct KubectlAnswer {
  bool accepted = false;
  std::string json;   ///< the objects one behind the other, each with the label x=y added
  std::string error;  ///< what kubectl said instead
  /// Not accepted because it is no YAML or JSON, rather than for the members it lacks.
  bool is_syntax_error() const { return error.find("error parsing STDIN") != std::string::npos; }
};

KubectlAnswer ask_kubectl(const std::string& manifest);

/// The members every object needs, so that any mapping in block style becomes one kubectl takes; its own members win.
inline constexpr std::string_view kObjectHead = "apiVersion: v1\nkind: Any\nmetadata: {name: any}\n";

}  // namespace gpulint::testing
