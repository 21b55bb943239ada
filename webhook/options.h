// Options of gpulint-webhook: the command line, the same settings from the environment (GPULINT_WEBHOOK_<NAME>), and the policy they
// and the configuration file make together. An option wins over the environment, both over the file.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "rules/engine/policy.h"
#include "webhook/listener.h"

namespace gpulint {

struct WebhookOptions {
  std::string certificate_file, key_file;
  Address listen{"0.0.0.0", 8443};
  Address plain_listen{"0.0.0.0", 8080};
  std::optional<std::string> cluster, config_file;
  std::optional<Mode> mode;
};

/// Reads the options. Without a value the program has to end with `status` (0 after --help and --version, else 2); what there was to
/// say has been printed.
std::optional<WebhookOptions> read_options(int argc, const char* const* argv, int& status);

/// The policy of these options; null, and `error` set (a line for each fault of the file), when something in it is wrong.
std::shared_ptr<const Policy> load_policy(const WebhookOptions& options, std::string& error);

}  // namespace gpulint
