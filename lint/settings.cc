#include "lint/settings.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lint/files.h"
#include "lint/output.h"
#include "lint/read_file.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

// A configuration is written by hand; a larger file is another file named by mistake.
constexpr std::size_t kMaxConfigurationSize = std::size_t{1} << 20;

bool read_configuration(const std::string& path, Policy& policy) {
  std::string text;
  const ReadResult result = read_file_at(AT_FDCWD, path.c_str(), kMaxConfigurationSize, text, true);
  if (result.error || result.too_large) {
    complain(fmt::format("gpulint: cannot read the configuration {}: {}", visible(path),
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
bool set_cluster(const std::string& text, Policy& policy) {
  std::string error;
  std::optional<Cluster> cluster = Cluster::parse(text, error);
  if (!cluster) {
    complain(fmt::format("gpulint: --cluster {}: {}", visible(text), visible(error)));
    return false;
  }
  for (const Taint& taint : policy.cluster.taints())
    if (std::none_of(cluster->taints().begin(), cluster->taints().end(), [&](const Taint& t) { return same(t, taint); })) cluster->add(taint);
  policy.cluster = *cluster;
  policy.rebuild_words();
  return true;
}

}  // namespace

std::optional<Policy> settings_of(const LintOptions& options) {
  Policy policy;
  if (!options.config.empty() && !read_configuration(options.config, policy)) return std::nullopt;
  if (!options.cluster.empty() && !set_cluster(options.cluster, policy)) return std::nullopt;
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error})
    if (options.fail_on == name_of(severity)) policy.fail_on = severity;
  policy.honour_suppressions = !options.no_ignore;
  return policy;
}

}  // namespace gpulint
