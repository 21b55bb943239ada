// The program from its start to its end: options, environment, faults at the start, files that change, the log, and termination.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "tests/webhook/review.h"
#include "tests/webhook/running_webhook.h"

namespace gpulint {
namespace {

using testing::eventually;
using testing::Json;
using testing::Outcome;
using testing::ReviewOf;
using testing::RunningWebhook;
using testing::TemporaryFolder;

constexpr const char* kJson = "application/json";
const std::string kProgram = GPULINT_BINARY_DIR "/gpulint-webhook";

std::string faulty_review() {
  return ReviewOf{.object = testing::deployment(Json::array({testing::container("main", testing::request_without_limit())}))}.text();
}

Json answer_of(const RunningWebhook& webhook) {
  auto result = webhook.client()->Post("/validate", faulty_review(), kJson);
  return result && result->status == 200 ? Json::parse(result->body)["response"] : Json();
}

TEST_CASE("a start that fails says why and ends with status 2") {
  TemporaryFolder folder;
  testing::make_certificate(folder / "tls.crt", folder / "tls.key");
  testing::make_certificate(folder / "other.crt", folder / "other.key");
  testing::write_file(folder / "broken.yaml", "rules:\n  missing-spred: off\n");
  testing::write_file(folder / "garbage.crt", "garbage");
  testing::write_file(folder / "empty.crt", "");
  RunningWebhook other;
  std::string busy = fmt::format("127.0.0.1:{}", other.port());
  auto with = [&](std::vector<std::string> more, std::string certificate = "tls.crt", std::string key = "tls.key") {
    std::vector<std::string> words{kProgram, "--tls-cert", folder / certificate, "--tls-key", folder / key, "--plain-listen", "127.0.0.1:0"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  struct Row { std::vector<std::string> words; std::string message; };
  const Row rows[] = {
      {{kProgram}, "--tls-cert"},
      {with({}, "missing.crt"), "missing.crt: No such file"},
      {with({}, "empty.crt"), "empty.crt"},
      {with({}, "garbage.crt"), "no certificate in PEM form"},
      {with({}, "tls.crt", "tls.crt"), "no usable private key"},
      {with({}, "tls.crt", "other.key"), "does not belong to the certificate"},
      {with({"--listen", busy}), "cannot listen on " + busy + ": Address already in use"},
      {with({"--listen", "127.0.0.1"}), "not HOST:PORT"},
      {with({"--listen", "127.0.0.1:70000"}), "not HOST:PORT"},
      {with({"--mode", "strict"}), "--mode"},
      {with({"--cluster", "gkee"}), "gkee"},
      {with({"--config", folder / "missing.yaml"}), "missing.yaml: No such file"},
      {with({"--config", folder / "broken.yaml"}), "broken.yaml:2:3: "},
      {with({"--unknown"}), "--unknown"},
  };
  for (const Row& row : rows) {
    Outcome outcome = testing::run({.words = row.words});
    std::string said = outcome.out + outcome.err;
    CAPTURE(fmt::format("{}", row.message));
    CHECK_FALSE(outcome.timed_out);
    CHECK(outcome.status == 2);
    CHECK_MESSAGE(said.find(row.message) != said.npos, said);
  }
  for (const char* option : {"--help", "--version"}) CHECK(testing::run({.words = {kProgram, option}}).status == 0);
}

TEST_CASE("options win over the environment, both over the configuration file") {
  TemporaryFolder folder;
  testing::write_file(folder / "config.yaml", "webhook: {mode: audit}\n");
  {
    RunningWebhook webhook({"--config", folder / "config.yaml"});
    CHECK_FALSE(answer_of(webhook).contains("warnings"));
  }
  ::setenv("GPULINT_WEBHOOK_MODE", "enforce", 1);
  ::setenv("GPULINT_WEBHOOK_CONFIG", (folder / "config.yaml").c_str(), 1);
  {
    RunningWebhook webhook;
    CHECK(answer_of(webhook)["allowed"] == false);
  }
  {
    RunningWebhook webhook({"--mode=warn"});
    CHECK(answer_of(webhook)["allowed"] == true);
    CHECK(answer_of(webhook).contains("warnings"));
  }
  ::unsetenv("GPULINT_WEBHOOK_MODE");
  ::unsetenv("GPULINT_WEBHOOK_CONFIG");
}

TEST_CASE("--cluster names the cluster") {
  RunningWebhook generic, k3s({"--cluster", "k3s"});
  auto says = [](const RunningWebhook& webhook) { return answer_of(webhook)["warnings"].dump().find("[missing-runtime-class]") != std::string::npos; };
  CHECK_FALSE(says(generic));
  CHECK(says(k3s));
}

TEST_CASE("a changed configuration is taken over, a broken one is not") {
  TemporaryFolder folder;
  testing::write_file(folder / "config.yaml", "webhook: {mode: warn}\n");
  RunningWebhook webhook({"--config", folder / "config.yaml"});
  CHECK(answer_of(webhook)["allowed"] == true);
  testing::write_file(folder / "config.yaml", "webhook: {mode: enforce}\n");
  CHECK(eventually([&] { return answer_of(webhook)["allowed"] == false; }));
  testing::write_file(folder / "config.yaml", "webhook: {mode: sometimes}\n");
  CHECK(eventually([&] { return webhook.log().find("configuration not taken") != std::string::npos; }));
  CHECK(answer_of(webhook)["allowed"] == false);
}

TEST_CASE("a changed certificate serves new connections, a broken one is not taken") {
  RunningWebhook webhook;
  // The client verifies against the file as it is now, so that it gets through only when the server serves that certificate.
  auto reachable = [&] { return static_cast<bool>(webhook.client()->Get("/validate")); };
  CHECK(reachable());
  auto open = webhook.client();
  REQUIRE(open->Post("/validate", faulty_review(), kJson)->status == 200);
  testing::make_certificate(webhook.certificate(), webhook.key(), 2);
  CHECK(eventually([&] { return webhook.log().find("certificate reloaded") != std::string::npos && reachable(); }));
  CHECK(open->Post("/validate", faulty_review(), kJson)->status == 200);
  testing::write_file(webhook.key(), "garbage");
  CHECK(eventually([&] { return webhook.log().find("certificate not taken") != std::string::npos; }));
  CHECK(reachable());
}

TEST_CASE("every decision is one line of JSON") {
  RunningWebhook webhook;
  answer_of(webhook);
  REQUIRE(eventually([&] { return webhook.log().find("\"decision\"") != std::string::npos; }));
  std::string log = webhook.log();
  std::size_t begin = log.rfind("{\"time\"");
  Json line = Json::parse(log.substr(begin, log.find('\n', begin) - begin));
  CHECK(line["uid"] == "u-1");
  CHECK(line["user"] == "alice");
  CHECK(line["operation"] == "CREATE");
  CHECK(line["object"] == "Deployment ml/infer");
  CHECK(line["decision"] == "warned");
  CHECK(line["rules"].dump().find("gpu-request-without-limit") != std::string::npos);
  CHECK(line["duration_ms"].is_number());
}

TEST_CASE("termination: not ready first, then gone, with status 0, whoever keeps a connection open") {
  for (int number : {SIGTERM, SIGINT}) {
    RunningWebhook webhook;
    std::vector<std::unique_ptr<httplib::SSLClient>> idle;
    for (int i = 0; i < 16; ++i) {
      idle.push_back(webhook.client());
      REQUIRE(idle.back()->Post("/validate", faulty_review(), kJson)->status == 200);
    }
    webhook.signal(number);
    bool became_unready = eventually([&] {
      auto result = webhook.plain_client().Get("/readyz");
      return !result || result->status == 503;
    });
    CHECK(became_unready);
    // Still listening: an API server that has not yet heard of it gets its answer, and is told to leave.
    if (auto result = idle.front()->Post("/validate", faulty_review(), kJson)) CHECK(result->get_header_value("Connection") == "close");
    CHECK(webhook.wait() == 0);
    std::string log = webhook.log();
    CHECK_MESSAGE(log.find("\"stopped\"") != log.npos, log);
  }
}

}  // namespace
}  // namespace gpulint
