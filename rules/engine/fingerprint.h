// Fingerprints: what makes a finding the same one tomorrow, when lines have moved and the file has another name.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "rules/engine/finding.h"

namespace gpulint {

/// The fingerprint of a finding before equals are told apart: rule, object, container and the way to the place, in which an element of
/// a list that has a name counts by its name. `root` is the document the pointer starts at; null when it was not readable.
std::string base_fingerprint(const Finding& finding, const Node* root);

/// The fingerprint of what is known by some texts: a setting of the configuration.
std::string fingerprint_of(std::span<const std::string> texts);

/// Gives the second, third ... finding with the same fingerprint one of its own. The order must be the order of output.
void separate_equal_fingerprints(std::vector<Finding>& findings);

}  // namespace gpulint
