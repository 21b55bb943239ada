#include "rules/engine/rule.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kSources[] = {
    "annotation ignore.gpulint.dev/<rule>",
    "annotation <container>.ignore.gpulint.dev/<rule>",
    "configuration: rules, ignore",
};

}  // namespace

/// Raised by the engine: of suppressions in annotations, and of the configuration.
extern constinit const Rule unknown_rule{
    .id = "unknown-rule",
    .group = Group::input,
    .severity = Severity::error,
    .summary = "A suppression or the configuration names a rule that does not exist.",
    .rationale = "A misspelt name has no effect: the finding that it should suppress or change stays, or a rule that should be on is not.",
    .remediation = "Write the rule's id as `gpulint rules` lists it. The message names the closest one.",
    .sources = kSources,
};

}  // namespace gpulint::checks
