// What --profile-rules and --explain-cluster print, for people, beside any report.
#pragma once
#include <string>

#include "rules/engine/engine.h"

namespace gpulint {

/// A table: time of all threads together, for reading, decoding and each rule, the longest first.
std::string profile_text(const Trace& trace);

/// One line for each conclusion: `path:line:column: this object shows gke: key cloud.google.com/gke-accelerator`.
std::string evidence_text(const Trace& trace, const Policy& policy);

}  // namespace gpulint
