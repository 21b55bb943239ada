// Baseline: the findings a repository had when it adopted gpulint, set aside until somebody mends them. A file of JSON, one finding a line,
// in an order that moved lines do not change, so that a review of it shows findings. Only what is in it is set aside: every copy counts.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {

class Baseline {
 public:
  /// Everything wrong with the text, located; empty: it was read.
  std::vector<PolicyProblem> read(const Source& source);

  std::vector<BaselineEntry> entries;
};

/// Sets findings aside that the baseline lists, each entry once: those of the same file first, then those whose file was renamed or whose object
/// moved to another file (the entry's file is gone, or was read and has the finding no more). Fingerprints must still be those of inspect.
/// Gives the entries that are found no more: of files in `read`, and of those that are gone.
std::vector<BaselineEntry> set_aside(const Baseline& baseline, const PathBase& paths, const std::set<std::string>& read, std::vector<Finding>& findings);

/// The entries of a baseline that sets these findings aside: what can fail a run, and no suppression covers. Infos belong to it only
/// where `fail_on` is info: most of them say that a cluster was not named.
std::vector<BaselineEntry> baseline_of(const std::vector<Finding>& findings, const Policy& policy);

/// The text of a baseline.
std::string baseline_text(std::vector<BaselineEntry> entries);

}  // namespace gpulint
