#include "webhook/run.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "gpulint_version.h"
#include "webhook/log.h"
#include "webhook/routes.h"
#include "webhook/server.h"
#include "webhook/tls.h"

namespace gpulint {
namespace {

constexpr int kCannotStart = 2;
/// How often files are looked at; a Secret takes up to a minute to reach the volume anyway.
constexpr timespec kLook{2, 0};
/// Between not ready and no longer listening. Endpoints forget a terminating pod at once; the chart's preStop covers the way there.
constexpr timespec kGrace{1, 0};
constexpr std::chrono::seconds kPatience{20};

int cannot_start(std::string_view error) {
  fmt::print(stderr, "gpulint-webhook: {}\n", error);
  return kCannotStart;
}

/// The policy in force, and the configuration file it came from.
class PolicyInForce {
 public:
  explicit PolicyInForce(const WebhookOptions& options) : options_(options) {}
  bool load(std::string& error) {
    seen_ = bytes();
    std::shared_ptr<const Policy> loaded = load_policy(options_, error);
    if (!loaded) return false;
    std::lock_guard lock(mutex_);
    policy_ = std::move(loaded);
    return true;
  }
  std::shared_ptr<const Policy> get() const {
    std::lock_guard lock(mutex_);
    return policy_;
  }
  /// A broken configuration is refused, the old one stays.
  void reload_if_changed() {
    if (!options_.config_file || bytes() == seen_) return;
    std::string error;
    if (load(error)) log_event("info", "configuration reloaded", {{"file", *options_.config_file}});
    else log_event("error", "configuration not taken, the old one stays", {{"error", error}});
  }

 private:
  std::string bytes() const {
    std::string text, error;
    if (options_.config_file && !read_file(*options_.config_file, text, error)) return error;
    return text;
  }
  const WebhookOptions& options_;
  std::string seen_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Policy> policy_;
};

void reload_certificate(Tls& tls) {
  std::string error;
  switch (tls.reload_if_changed(error)) {
    case Tls::Reload::unchanged: break;
    case Tls::Reload::reloaded: log_event("info", "certificate reloaded"); break;
    case Tls::Reload::failed: log_event("error", "certificate not taken, the old one stays", {{"error", error}}); break;
  }
}

sigset_t termination_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

std::string_view text_of(Mode mode) {
  switch (mode) {
    case Mode::enforce: return "enforce";
    case Mode::warn: return "warn";
    case Mode::audit: return "audit";
  }
  return "warn";
}

}  // namespace

int run_webhook(const WebhookOptions& options) {
  sigset_t signals = termination_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread, so that only this one receives them
  ::signal(SIGPIPE, SIG_IGN);
  std::string error;
  PolicyInForce policy(options);
  if (!policy.load(error)) return cannot_start(error);
  std::unique_ptr<Tls> tls = Tls::open(options.certificate_file, options.key_file, error);
  if (!tls) return cannot_start(error);

  std::atomic<bool> ready = false;
  Routes routes, probes;
  add_admission_routes(routes, [&] { return policy.get(); }, log_decision);
  add_probe_routes(probes, [&] { return ready.load(); });
  unsigned workers = std::clamp(2 * std::thread::hardware_concurrency(), 4u, 32u);
  Server plain_server({.listen = options.plain_listen, .workers = 2, .max_connections = 256}, probes.handler());
  Server server({.listen = options.listen, .tls = tls->context(), .workers = workers}, routes.handler());
  if (!plain_server.start(error) || !server.start(error)) return cannot_start(error);
  ready = true;
  log_event("info", "listening",
            {{"listen", server.address()}, {"plain_listen", plain_server.address()}, {"version", kVersion},
             {"mode", text_of(policy.get()->webhook.mode)}, {"cluster", policy.get()->cluster.name()}});

  while (sigtimedwait(&signals, nullptr, &kLook) < 0) {
    policy.reload_if_changed();
    reload_certificate(*tls);
  }
  log_event("info", "stopping");
  ready = false;
  server.drain();
  sigtimedwait(&signals, nullptr, &kGrace);  // a second signal shortens the wait
  bool clean = server.stop(kPatience);
  plain_server.stop(std::chrono::milliseconds(0));
  log_event(clean ? "info" : "warning", clean ? "stopped" : "stopped with requests unanswered");
  return 0;
}

}  // namespace gpulint
