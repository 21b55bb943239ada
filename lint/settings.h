// Settings: the Policy of a run, from the configuration file and the options that overrule it.
#pragma once
#include <optional>
#include <string>

#include "lint/lint_command.h"
#include "rules/engine/policy.h"

namespace gpulint {

/// Nothing when the configuration, the baseline or an option is wrong; standard error says what and what to do. An option wins over its
/// variable in the environment, both win over the configuration, its overrides included.
std::optional<Policy> settings_of(const LintOptions& options);
/// The same, with the baseline named but not read.
std::optional<Policy> settings_without_baseline(const LintOptions& options);

/// What set an option, for messages and origins: `--cluster`, or `GPULINT_CLUSTER`.
std::string name_of_option(const LintOptions& options, const std::string& option);

/// The baseline that the settings name, as it can be opened from the working directory; empty: none.
std::string baseline_file_of(const LintOptions& options, const Policy& policy);

}  // namespace gpulint
