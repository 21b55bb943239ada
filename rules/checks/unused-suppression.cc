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
    .remediation = "Remove the suppression, or write the reason as its value. Of an expired entry: mend what it covered, or give it a new day.",
    .details =
        "Only suppressions of rules that could have a finding under this configuration are judged: one of a rule that is switched off, or that "
        "needs another cluster, is not called unused. Not raised at admission.\n\n"
        "An `ignore` entry of the configuration that has expired is one always. One that covers no finding is one only where a run read the whole "
        "folder of the configuration, all that its paths could cover was judged, and (for an entry without paths) the configuration has no `webhook` "
        "part that may need it: a run on a few files calls nothing unused.",
    .sources = kSources,
};

}  // namespace gpulint::checks
