// A gpulint-webhook process on free loopback ports, and clients of it. It is ended at the end of the scope.
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <httplib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/process.h"
#include "tests/webhook/certificate.h"

namespace gpulint::testing {

/// Far more than anything here needs: a test that reaches it has failed, on however slow a machine.
constexpr std::chrono::seconds kPatience{60};

/// Whether `done` becomes true before the patience ends.
template <class Done>
bool eventually(Done done) {
  for (auto end = std::chrono::steady_clock::now() + kPatience; std::chrono::steady_clock::now() < end;) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

class RunningWebhook {
 public:
  explicit RunningWebhook(std::vector<std::string> options = {}) {
    make_certificate(certificate(), key());
    std::vector<std::string> words{GPULINT_BINARY_DIR "/gpulint-webhook", "--tls-cert", certificate(), "--tls-key", key(),
                                   "--listen", "127.0.0.1:0", "--plain-listen", "127.0.0.1:0"};
    words.insert(words.end(), options.begin(), options.end());
    start(words);
    REQUIRE_MESSAGE(eventually([this] { return find_addresses(); }), log());
  }
  ~RunningWebhook() {
    if (process_ > 0) ::kill(process_, SIGKILL), ::waitpid(process_, nullptr, 0);
  }
  RunningWebhook(const RunningWebhook&) = delete;
  RunningWebhook& operator=(const RunningWebhook&) = delete;

  std::string certificate() const { return folder_ / "tls.crt"; }
  std::string key() const { return folder_ / "tls.key"; }
  std::string log() const { return read_file(folder_ / "log"); }
  int port() const { return port_; }

  std::unique_ptr<httplib::SSLClient> client() const {
    auto client = std::make_unique<httplib::SSLClient>("127.0.0.1", port_);
    client->set_ca_cert_path(certificate().c_str());
    client->enable_server_certificate_verification(true);
    client->set_keep_alive(true);
    client->set_tcp_nodelay(true);
    client->set_read_timeout(kPatience);
    return client;
  }
  httplib::Client plain_client() const { return httplib::Client("127.0.0.1", plain_port_); }

  void signal(int number) const { ::kill(process_, number); }
  /// The exit status once the process has ended by itself; -1 when it does not.
  int wait() {
    int status = 0;
    bool ended = eventually([&] { return ::waitpid(process_, &status, WNOHANG) == process_; });
    if (!ended) return -1;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  void start(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    int log = ::open((folder_ / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      ::dup2(log, STDOUT_FILENO);
      ::dup2(log, STDERR_FILENO);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(log);
  }
  bool find_addresses() {
    std::string text = log();
    std::size_t at = text.find("\"listening\"");
    if (at == text.npos || text.find('\n', at) == text.npos) return false;
    auto line = nlohmann::json::parse(text.substr(0, text.find('\n')));
    auto port_of = [](const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); };
    port_ = port_of(line["listen"]);
    plain_port_ = port_of(line["plain_listen"]);
    return true;
  }

  TemporaryFolder folder_;
  pid_t process_ = -1;
  int port_ = 0, plain_port_ = 0;
};

}  // namespace gpulint::testing
