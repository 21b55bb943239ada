// `ignore` entries of the configuration: which findings they set aside today, and which of them do nothing any more.
#pragma once
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {

/// Marks the findings from `begin` on that the entries cover. An entry that has expired covers none.
void suppress_by_configuration(const Policy& policy, std::vector<Finding>& findings, std::size_t begin);

/// Adds a finding for each entry that has expired, and for each that covers no finding where that is known: the run read all that the
/// configuration is about (Policy::reads_all), nothing under the entry's paths was left unjudged, the rule is on and could fire, and no webhook
/// may need it. In the linter only.
void report_ignore_entries(const Policy& policy, Report& report);

}  // namespace gpulint
