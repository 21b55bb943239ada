#include "lint/settings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "lint/baseline_file.h"
#include "lint/environment.h"
#include "lint/files.h"
#include "lint/find_configuration.h"
#include "lint/output.h"
#include "lint/read_file.h"
#include "lint/visible_text.h"
#include "rules/engine/configuration.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

// A configuration is written by hand; a larger file is another file named by mistake.
constexpr std::size_t kMaxConfigurationSize = std::size_t{1} << 20;

std::string origin_of_option(const LintOptions& options, const std::string& option) {
  const std::string name = name_of_option(options, option);
  return (name == option ? "option " : "environment ") + name;
}

bool read_configuration(const std::string& path, const LintOptions& options, Policy& policy) {
  std::string text;
  const ReadResult result = read_file_at(AT_FDCWD, path.c_str(), kMaxConfigurationSize, text, true);
  if (result.error || result.too_large) {
    const std::string name = name_of_option(options, "--config");
    complain(fmt::format("gpulint: cannot read the configuration {}{}: {}", visible(path), name == "--config" ? "" : fmt::format(" ({})", name),
                         result.too_large ? "larger than 1 MiB" : std::strerror(result.error)));
    return false;
  }
  text.resize(result.size);
  const std::vector<PolicyProblem> problems = read_policy(Source(tidy_path(path), std::move(text)), policy);
  for (const PolicyProblem& problem : problems)
    complain(fmt::format("{}:{}:{}: error: {} [{}]", visible(tidy_path(path)), problem.position.line, problem.position.column,
                         visible(problem.message), problem.rule));
  return problems.empty();
}

bool same(const Taint& a, const Taint& b) { return a.key == b.key && a.value == b.value && a.effect == b.effect; }

// The option names preset and add-ons; what the configuration declares of taints goes on holding.
Cluster with_taints_of(Cluster cluster, const Cluster& declared) {
  for (const Taint& taint : declared.taints())
    if (std::none_of(cluster.taints().begin(), cluster.taints().end(), [&](const Taint& t) { return same(t, taint); })) cluster.add(taint);
  return cluster;
}

bool set_cluster(const LintOptions& options, Policy& policy) {
  if (options.cluster.empty()) return true;
  std::string error;
  const std::optional<Cluster> cluster = Cluster::parse(options.cluster, error);
  if (!cluster) {
    complain(fmt::format("gpulint: {} {}: {}", name_of_option(options, "--cluster"), visible(options.cluster), visible(error)));
    return false;
  }
  const std::string origin = origin_of_option(options, "--cluster");
  policy.cluster = with_taints_of(*cluster, policy.cluster);
  policy.origins["cluster"] = origin;
  for (Override& over : policy.overrides) {
    if (!over.cluster) continue;
    over.cluster = with_taints_of(*cluster, *over.cluster);
    over.cluster_origin = fmt::format("{}, before {}", origin, over.origin);
  }
  policy.rebuild_words();
  return true;
}

// Where paths of the configuration count from; without one, from the repository's root.
bool find_and_read(const LintOptions& options, Policy& policy) {
  std::error_code error;
  const fs::path working = fs::current_path(error);
  FoundConfiguration found;
  if (!error) found = find_configuration(working.generic_string());  // else the folder was removed; absolute paths can still be judged
  policy.paths = {found.top, working.generic_string()};
  if (options.no_config) return true;
  if (options.config.empty())
    for (const std::string& name : found.misnamed)
      complain(fmt::format("gpulint: {} is not read; the configuration is named {}", visible(name), kConfigurationName));
  const std::string file = options.config.empty() ? found.file.value_or("") : options.config;
  if (file.empty()) return true;
  const fs::path folder = fs::canonical(fs::absolute(file, error).parent_path(), error);
  if (!error) policy.paths.folder = folder.generic_string();
  policy.own_files.push_back(policy.paths.relative(file));
  return read_configuration(file, options, policy);
}

// Whether the run reads all that the configuration is about: its folder, and nothing left out by an option.
bool reads_all(const LintOptions& options, const PathBase& paths) {
  if (!options.exclude.empty()) return false;
  const std::vector<std::string> places = options.paths.empty() ? std::vector<std::string>{"."} : options.paths;
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    std::error_code error;
    std::string folder = (fs::path(paths.working) / place).lexically_normal().generic_string();
    if (!folder.ends_with('/')) folder += '/';
    return (paths.folder + '/').starts_with(folder) && fs::is_directory(folder, error);
  });
}

void name_baseline(const LintOptions& options, Policy& policy) {
  if (!options.baseline.empty()) policy.origins["baseline"] = origin_of_option(options, "--baseline");
  policy.writes_baseline = !options.write_baseline.empty();
  for (const std::string& file : {baseline_file_of(options, policy), options.write_baseline})
    if (!file.empty()) policy.own_files.push_back(policy.paths.relative(file));
}

}  // namespace

std::string name_of_option(const LintOptions& options, const std::string& option) {
  const auto& taken = options.from_environment;
  return std::find(taken.begin(), taken.end(), option) == taken.end() ? option : variable_of(option);
}

std::string baseline_file_of(const LintOptions& options, const Policy& policy) {
  if (!options.baseline.empty()) return options.baseline;
  return policy.baseline.empty() ? "" : policy.paths.openable(policy.baseline);
}

std::optional<Policy> settings_without_baseline(const LintOptions& options) {
  Policy policy;
  if (!find_and_read(options, policy) || !set_cluster(options, policy)) return std::nullopt;
  if (const Severity* severity = find_named(kSeverities, options.fail_on)) {
    policy.fail_on = *severity;
    policy.origins["fail-on"] = origin_of_option(options, "--fail-on");
  }
  if (options.render == "never") {
    policy.render.enabled = false;
    policy.origins["render.enabled"] = origin_of_option(options, "--render");
  }
  policy.honour_suppressions = !options.no_ignore;
  policy.reads_all = reads_all(options, policy.paths);
  name_baseline(options, policy);
  return policy;
}

std::optional<Policy> settings_of(const LintOptions& options) {
  std::optional<Policy> policy = settings_without_baseline(options);
  if (!policy || policy->writes_baseline || options.no_ignore) return policy;
  const std::string file = baseline_file_of(options, *policy);
  if (file.empty()) return policy;
  policy->set_aside = read_baseline(file, policy->paths);
  if (!policy->set_aside) return std::nullopt;
  return policy;
}

}  // namespace gpulint
