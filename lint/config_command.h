// `gpulint config`: the schema of the configuration for editors, and the settings in effect with the origin of each.
#pragma once
#include <string>

#include "lint/lint_command.h"
#include "rules/engine/policy.h"

namespace gpulint {

/// The exit status, as for all below.
int print_configuration_schema();

/// What holds for `file`; for all files when it is empty.
int show_settings(const LintOptions& options, const std::string& file);

/// The settings as a configuration that means the same, each with its origin as a comment.
std::string settings_text(const Policy& policy);

}  // namespace gpulint
