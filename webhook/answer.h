// The words of an answer: the message of a denial, admission warnings and audit annotations, each within what the API server carries.
// Limits: k8s.io/apiserver pkg/endpoints/filters/warning.go (256 characters an entry, 4096 a request); annotation keys are qualified names.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"
#include "rules/engine/policy.h"

namespace gpulint {

inline constexpr std::size_t kWarningBytes = 256;       ///< one entry; bytes, so that any count of characters is within it
inline constexpr std::size_t kAllWarningsBytes = 4096;  ///< all entries of one answer
inline constexpr std::size_t kDenialLineBytes = 1024;   ///< one line of a denial
inline constexpr std::size_t kAnnotationBytes = 4096;   ///< one audit annotation

/// What an answer says besides allowed or not.
struct Words {
  bool denied = false;
  std::string message;                            ///< of a denial: every finding that denies, one line each
  std::vector<std::string> warnings;
  std::map<std::string, std::string> annotations;  ///< rule id -> what the user is not shown
};

/// Applies the mode to a decision: enforce denies what policy.fail_on names and warns of the rest, warn shows errors and warnings,
/// audit shows nothing. Infos, suppressed findings and what did not fit into the warnings stand in the annotations.
Words words_of(const Report& report, const Decision& decision, const Policy& policy);

/// One finding as a line of at most `limit` bytes that ends with `[rule]` also when it is cut: its container, its message and,
/// where there is room, its place.
std::string finding_line(const Finding& finding, std::size_t limit);

/// Control characters become blanks and broken UTF-8 question marks: the API server drops a warning with either.
std::string printable(std::string_view text);

/// The longest prefix of at most `limit` bytes that does not split a character, marked with `...` when something is missing.
std::string cut(std::string_view text, std::size_t limit);

}  // namespace gpulint
