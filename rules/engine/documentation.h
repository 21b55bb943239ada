// Documentation from metadata: the catalogue page, `gpulint explain` and `gpulint rules`. Nothing about a rule is written twice.
#pragma once
#include <string>
#include <string_view>

#include "rules/engine/rule.h"

namespace gpulint {

/// rules/checks/README.md: all rules by group, with reasons, samples, parameters, fixes, sources.
std::string catalogue_markdown();
/// One rule as its chapter of that page has it, without the heading.
std::string rule_markdown(const Rule& rule);
/// One rule for a terminal: why, a bad and a good sample, the fix, parameters, sources.
std::string explain_text(const Rule& rule);

/// What a rule offers to repair its findings, and how one gets it.
std::string_view fix_words(Fixability fixability);

/// The smallest bad and the near-miss good sample of a rule (testdata/rules/<id>/bad.yaml, good.yaml, compiled in).
struct Samples {
  std::string_view bad, good;
};
Samples samples_of(const Rule& rule);

}  // namespace gpulint
