#include "rules/engine/configuration.h"

#include "rules/engine/engine.h"

namespace gpulint {
namespace {

using Type = Setting::Type;

std::vector<std::string> severity_names() { return names_in(kSeverities); }
std::vector<std::string> mode_names() { return names_in(kModes); }
std::vector<std::string> role_names() { return names_in(kRoles); }
std::vector<std::string> effect_names() { return {"NoSchedule", "PreferNoSchedule", "NoExecute"}; }

/// Those that /mutate may apply.
std::vector<std::string> mutating_rules() {
  std::vector<std::string> ids;
  for (const Rule* rule : all_rules())
    if (rule->fixability == Fixability::safe) ids.emplace_back(rule->id);
  return ids;
}

constexpr std::string_view kExclude =
    "Files and folders that are passed over. Path patterns here are as in .gitignore, relative to the folder of the configuration: `*`, `?`, "
    "`[...]`, `**` crosses folders; one without a slash holds at any depth, one that matches a folder covers all that is in it.";

constexpr Setting kTaintMembers[] = {
    {.name = "key", .description = "The key of the taint.", .required = true},
    {.name = "value", .description = "The value of the taint; none: a taint without a value."},
    {.name = "effect", .type = Type::choice, .description = "What the taint does to pods without a toleration.", .choices = effect_names, .required = true},
};

constexpr Setting kClusterMembers[] = {
    {.name = "preset", .type = Type::choice, .description = "The kind of cluster.", .choices = preset_names, .default_value = R"("generic")"},
    {.name = "addons", .type = Type::choices, .description = "What was installed beside it.", .choices = add_on_names},
    {.name = "taints", .type = Type::list, .description = "Taints of the GPU nodes, beside those that the preset brings.", .members = kTaintMembers},
};

constexpr Setting kIgnoreMembers[] = {
    {.name = "rule", .type = Type::choice, .description = "The rule whose findings are set aside.", .choices = rule_ids, .required = true},
    {.name = "paths", .type = Type::globs, .description = "Where. None: everywhere, at admission too."},
    {.name = "reason", .description = "Why the finding is right to be there.", .required = true},
    {.name = "expires", .type = Type::day, .description = "The last day it holds. From then on the finding is back, and the entry is one itself."},
};

constexpr Setting kOverrideMembers[] = {
    {.name = "paths", .type = Type::globs, .description = "The files these settings are for.", .required = true},
    {.name = "cluster", .type = Type::cluster, .description = "What these files go to, instead of the cluster above.", .members = kClusterMembers},
    {.name = "rules", .type = Type::rules, .description = "Settings of rules that differ here; all others stay."},
};

constexpr Setting kChartMembers[] = {
    {.name = "paths", .type = Type::globs, .description = "The folders of the charts.", .required = true},
    {.name = "values", .type = Type::texts, .description = "Values files beside the chart's own, relative to the folder of the configuration."},
};

constexpr Setting kRenderMembers[] = {
    {.name = "enabled", .type = Type::flag, .description = "Whether charts and kustomizations are rendered.", .default_value = "true"},
    {.name = "timeout", .type = Type::seconds, .description = "Seconds that one chart or kustomization may take.", .default_value = "30"},
    {.name = "charts", .type = Type::list,
     .description = "Values that charts are rendered with. Each entry that matches is one rendering; without one a chart's own values are taken.",
     .members = kChartMembers},
};

constexpr Setting kAcceleratorMembers[] = {
    {.name = "resource", .type = Type::resource, .description = "A name like example.com/npu, or a prefix like example.com/npu-*.", .required = true},
    {.name = "vendor", .description = "Whose it is; a vendor that gpulint does not know is fine."},
    {.name = "role", .type = Type::choice, .description = "What one of it is.", .choices = role_names, .default_value = R"("device")"},
};

constexpr Setting kExemptMembers[] = {
    {.name = "namespaces", .type = Type::texts, .description = "Namespaces whose objects are allowed unseen."},
};

constexpr Setting kWebhookMembers[] = {
    {.name = "mode", .type = Type::choice,
     .description = "enforce: errors deny; warn: shown, never denied; audit: annotations of the audit log only.", .choices = mode_names,
     .default_value = R"("warn")"},
    {.name = "mutate", .type = Type::choices, .description = "Rules whose fix /mutate applies.", .choices = mutating_rules},
    {.name = "exempt", .type = Type::mapping, .description = "What the webhook passes over.", .members = kExemptMembers},
};

constexpr Setting kTop[] = {
    {.name = "cluster", .type = Type::cluster, .description = "What the manifests go to: a name like gke+dra, or its parts.", .members = kClusterMembers,
     .default_value = R"("generic")"},
    {.name = "fail-on", .type = Type::choice, .description = "The least severity that fails a run.", .choices = severity_names,
     .default_value = R"("error")"},
    {.name = "rules", .type = Type::rules, .description = "Rules that are off, or of another severity, or that have settings of their own."},
    {.name = "ignore", .type = Type::list, .description = "Findings that are right to be there, each with its reason.", .members = kIgnoreMembers},
    {.name = "overrides", .type = Type::list, .description = "Other settings for some files. Where several match a file, the last one counts.",
     .members = kOverrideMembers},
    {.name = "exclude", .type = Type::globs, .description = kExclude, .may_be_empty = true},
    {.name = "render", .type = Type::mapping, .description = "How charts and kustomizations become manifests.", .members = kRenderMembers},
    {.name = "baseline", .description = "File of findings that are set aside, written by --write-baseline; relative to the folder of the configuration."},
    {.name = "accelerators", .type = Type::list, .description = "Resources that are accelerators, beside those that gpulint knows.",
     .members = kAcceleratorMembers},
    {.name = "webhook", .type = Type::mapping, .description = "Settings of gpulint-webhook alone.", .members = kWebhookMembers},
};

}  // namespace

namespace settings {
constinit const std::span<const Setting> kCluster = kClusterMembers, kTaint = kTaintMembers, kIgnore = kIgnoreMembers, kOverride = kOverrideMembers,
                               kRender = kRenderMembers, kChart = kChartMembers, kAccelerator = kAcceleratorMembers, kWebhook = kWebhookMembers,
                               kExempt = kExemptMembers;
}  // namespace settings

std::span<const Setting> configuration_settings() { return kTop; }

std::vector<std::string> names_of(std::span<const Setting> members) {
  std::vector<std::string> names;
  for (const Setting& member : members) names.emplace_back(member.name);
  return names;
}

std::vector<std::string> rule_levels() {
  std::vector<std::string> levels{"off", "on"};
  for (const std::string& severity : severity_names()) levels.push_back(severity);
  return levels;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

std::vector<std::string> add_on_names() { return names_in(kAddOns); }

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const Rule* rule : all_rules()) ids.emplace_back(rule->id);
  return ids;
}

}  // namespace gpulint
