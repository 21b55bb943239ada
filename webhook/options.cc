#include "webhook/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>

#include "gpulint_version.h"
#include "webhook/tls.h"

namespace gpulint {
namespace {

constexpr int kUsageStatus = 2;

const std::map<std::string, Mode> kModes = {{"enforce", Mode::enforce}, {"warn", Mode::warn}, {"audit", Mode::audit}};

bool read_address(const std::string& name, const std::string& text, Address& address) {
  std::optional<Address> parsed = Address::parse(text);
  if (!parsed) {
    fmt::print(stderr, "gpulint-webhook: {}: \"{}\" is not HOST:PORT\n", name, text);
    return false;
  }
  address = *parsed;
  return true;
}

}  // namespace

std::optional<WebhookOptions> read_options(int argc, const char* const* argv, int& status) {
  WebhookOptions options;
  std::string listen = "0.0.0.0:8443", plain_listen = "0.0.0.0:8080", mode, cluster, config;
  CLI::App app("Answers the admission reviews of a Kubernetes API server about the use of GPUs.", "gpulint-webhook");
  app.set_version_flag("--version", std::string("gpulint-webhook ") + kVersion);
  app.add_option("--tls-cert", options.certificate_file, "certificate chain in PEM form")->required()->envname("GPULINT_WEBHOOK_TLS_CERT");
  app.add_option("--tls-key", options.key_file, "private key in PEM form")->required()->envname("GPULINT_WEBHOOK_TLS_KEY");
  app.add_option("--listen", listen, "HOST:PORT of /validate and /mutate (TLS)")->envname("GPULINT_WEBHOOK_LISTEN")->capture_default_str();
  app.add_option("--plain-listen", plain_listen, "HOST:PORT of /healthz and /readyz (plain HTTP)")
      ->envname("GPULINT_WEBHOOK_PLAIN_LISTEN")->capture_default_str();
  app.add_option("--cluster", cluster, "preset and add-ons of this cluster, for example gke+dra")->envname("GPULINT_WEBHOOK_CLUSTER");
  app.add_option("--mode", mode, "enforce, warn (default) or audit")->envname("GPULINT_WEBHOOK_MODE")
      ->check(CLI::IsMember({"enforce", "warn", "audit"}));
  app.add_option("--config", config, "configuration file (.gpulint.yaml)")->envname("GPULINT_WEBHOOK_CONFIG");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error) == 0 ? 0 : kUsageStatus;
    return std::nullopt;
  }
  status = kUsageStatus;
  if (!read_address("--listen", listen, options.listen)) return std::nullopt;
  if (!read_address("--plain-listen", plain_listen, options.plain_listen)) return std::nullopt;
  if (!mode.empty()) options.mode = kModes.at(mode);
  if (!cluster.empty()) options.cluster = cluster;
  if (!config.empty()) options.config_file = config;
  status = 0;
  return options;
}

std::shared_ptr<const Policy> load_policy(const WebhookOptions& options, std::string& error) {
  auto policy = std::make_shared<Policy>();
  policy->lint = false;
  if (options.config_file) {
    std::string bytes;
    if (!read_file(*options.config_file, bytes, error)) return nullptr;
    Source source(*options.config_file, std::move(bytes));
    std::vector<PolicyProblem> problems = read_policy(source, *policy);
    error.clear();
    for (const PolicyProblem& problem : problems)
      error += fmt::format("{}{}:{}:{}: {}", error.empty() ? "" : "\n", source.name(), problem.position.line, problem.position.column,
                           problem.message);
    if (!problems.empty()) return nullptr;
  }
  if (options.cluster) {
    std::optional<Cluster> cluster = Cluster::parse(*options.cluster, error);
    if (!cluster) return error = "--cluster: " + error, nullptr;
    policy->cluster = *cluster;
  }
  if (options.mode) policy->webhook.mode = *options.mode;
  policy->rebuild_words();
  return policy;
}

}  // namespace gpulint
