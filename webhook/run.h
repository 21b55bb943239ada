// The life of the process: start, answer, take over changed files, and go without losing a request.
#pragma once
#include "webhook/options.h"

namespace gpulint {

/// Serves until SIGTERM or SIGINT; the exit status: 0, or 2 when it could not start (with a message on standard error).
int run_webhook(const WebhookOptions& options);

}  // namespace gpulint
