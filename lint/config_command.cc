#include "lint/config_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/exclusions.h"
#include "lint/exit_status.h"
#include "lint/files.h"
#include "lint/print.h"
#include "lint/settings.h"
#include "lint/visible_text.h"
#include "rules/engine/configuration_schema.h"
#include "rules/engine/effective_policies.h"

namespace gpulint {

int print_configuration_schema() { return print(configuration_schema()); }

int show_settings(const LintOptions& options, const std::string& file) {
  std::optional<Policy> policy = settings_without_baseline(options);
  if (!policy) return kExitTrouble;
  policy->baseline = policy->paths.relative(baseline_file_of(options, *policy));
  std::string head;
  if (options.no_ignore) head = fmt::format("# {}: annotations, ignore and baseline have no effect\n", name_of_option(options, "--no-ignore"));
  if (!options.exclude.empty())
    head += fmt::format("# {} passes over {} too\n", name_of_option(options, "--exclude"), visible(fmt::format("{}", fmt::join(options.exclude, ", "))));
  if (file.empty()) return print(head + settings_text(*policy));
  const std::string name = tidy_path(file);
  Policy effective = EffectivePolicies(*policy).of(name);
  effective.overrides.clear();
  std::erase_if(effective.ignore, [&](const IgnoreEntry& entry) { return !entry.paths.empty() && !policy->matches(entry.paths, name); });
  head += fmt::format("# {}\n", visible(name));
  const std::string_view excluded = Exclusions(*policy, options.exclude).reason(name, false);
  if (!excluded.empty()) head += fmt::format("# passed over: {}\n", excluded);
  return print(head + settings_text(effective));
}

}  // namespace gpulint
