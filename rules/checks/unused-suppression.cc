#include "rules/engine/rule.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kSources[] = {
    "annotation ignore.gpulint.dev/<rule>",
    "annotation <container>.ignore.gpulint.dev/<rule>",
    "configuration: ignore",
};

}  // namespace

/// Raised by the engine, in the linter only: at admission the object may have been mended, or stripped of the mistake, before.
extern constinit const Rule unused_suppression{
    .id = "unused-suppression",
    .group = Group::input,
    .severity = Severity::warning,
    .summary = "A suppression suppresses nothing, or does not say why it is there.",
    .rationale =
        "A suppression that outlives its finding hides the next one of the same rule. One without a reason cannot be reviewed: nobody knows "
        "whether it still holds.",
    .remediation = "Remove the suppression, or write the reason as its value.",
    .details =
        "Only suppressions of rules that could have a finding under this configuration are judged: one of a rule that is switched off, or that "
        "needs another cluster, is not called unused. Not raised at admission.",
    .sources = kSources,
};

}  // namespace gpulint::checks
