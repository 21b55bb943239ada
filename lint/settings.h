// Settings: the Policy of a run, from the configuration file and the options that overrule it.
#pragma once
#include <optional>

#include "lint/lint_command.h"
#include "rules/engine/policy.h"

namespace gpulint {

/// Nothing when the configuration or an option is wrong; standard error says what and what to do.
std::optional<Policy> settings_of(const LintOptions& options);

}  // namespace gpulint
