// The webhook over TLS on loopback: what it answers, what it refuses unread, and that clients who wait or dawdle keep nobody else waiting.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "rules/engine/engine.h"
#include "tests/webhook/raw_tls.h"
#include "tests/webhook/review.h"
#include "tests/webhook/running_webhook.h"
#include "webhook/answer.h"

namespace gpulint {
namespace {

using testing::Json;
using testing::RawTls;
using testing::ReviewOf;
using testing::RunningWebhook;

constexpr const char* kJson = "application/json";

ReviewOf faulty_deployment() {
  Json variable = Json::array({{{"name", "NVIDIA_VISIBLE_DEVICES"}, {"value", "all"}}});
  return {.object = testing::deployment(Json::array({testing::container("main", testing::request_without_limit()),
                                                     testing::container("side", Json::object(), variable)}))};
}

/// What the linter shows for an object, as the lines of an answer.
std::vector<std::string> linted(const Json& object) {
  Source source("object.json", object.dump());
  Policy policy;
  std::vector<FileReport> reports;
  reports.push_back(inspect(source, policy));
  Report report = conclude(std::move(reports), policy);
  Decision decision = decide(report, policy);
  std::vector<std::string> lines;
  for (const auto* list : {&decision.errors, &decision.warnings})
    for (const Finding* finding : *list) lines.push_back(finding_line(*finding, kWarningBytes));
  return lines;
}

TEST_CASE("the webhook says what the linter says about the same object") {
  RunningWebhook webhook;
  auto client = webhook.client();
  ReviewOf sound{.object = testing::deployment(Json::array({testing::container("main", testing::one_gpu())}))};
  for (const ReviewOf& request : {faulty_deployment(), sound}) {
    auto result = client->Post("/validate?timeout=3s", request.text(), kJson);
    REQUIRE_MESSAGE(result, httplib::to_string(result.error()));
    CHECK(result->status == 200);
    CHECK(result->get_header_value("Content-Type") == kJson);
    CHECK_FALSE(result->has_header("Content-Encoding"));
    Json response = Json::parse(result->body)["response"];
    CHECK(response["uid"] == request.uid);
    CHECK(response["allowed"] == true);
    CHECK(response.value("warnings", std::vector<std::string>()) == linted(request.object));
  }
  CHECK(linted(faulty_deployment().object).size() >= 2);
}

TEST_CASE("probes and paths") {
  RunningWebhook webhook;
  auto client = webhook.client();
  auto plain = webhook.plain_client();
  auto status = [](auto&& result) { return result ? result->status : -1; };
  CHECK(status(plain.Get("/healthz")) == 200);
  CHECK(status(plain.Get("/readyz")) == 200);
  CHECK(status(plain.Get("/validate")) == 404);
  CHECK(status(plain.Post("/validate", "{}", kJson)) == 404);  // reviews come over TLS only
  CHECK(status(client->Get("/validate")) == 405);
  CHECK(status(client->Get("/healthz")) == 404);
  CHECK(status(client->Post("/validate/x", "{}", kJson)) == 404);
  CHECK(status(client->Put("/validate", "{}", kJson)) == 400);
  CHECK(status(client->Post("/mutate", faulty_deployment().text(), "application/json; charset=utf-8")) == 200);
}

TEST_CASE("requests that are refused") {
  RunningWebhook webhook;
  auto post = [](std::string headers, std::string body) { return "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers + "\r\n" + body; };
  struct Row { std::string what, request; int status; };
  const Row rows[] = {
      {"chunked", post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), 411},
      {"chunked and a length", post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "{}"), 411},
      {"gzip", post("Content-Length: 2\r\nContent-Encoding: gzip\r\n", "\x1f\x8b"), 415},
      {"8 MiB", post(fmt::format("Content-Length: {}\r\n", 8 << 20), std::string(8 << 20, ' ')), 413},
      {"8 MiB said, nothing sent", post(fmt::format("Content-Length: {}\r\n", 8 << 20), ""), 413},
      {"a length beyond all numbers", post("Content-Length: 99999999999999999999999\r\n", ""), 413},
      {"a negative length", post("Content-Length: -2\r\n", "{}"), 400},
      {"no length", post("", ""), 411},
      {"two lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400},
      {"a header line without colon", post("Content-Length\r\n", "{}"), 400},
      {"headers without end", "GET / HTTP/1.1\r\nX: " + std::string(70'000, 'x'), 431},
      {"Expect", post("Content-Length: 2\r\nExpect: 100-continue\r\n", ""), 417},
      {"GET with a body", "GET /validate HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400},
      {"no HTTP", "hello\r\n\r\n", 400},
      {"another content type", "POST /validate HTTP/1.1\r\nConnection: close\r\nContent-Type: text/yaml\r\nContent-Length: 2\r\n\r\n{}", 415},
      {"an empty body", post("Content-Length: 0\r\nConnection: close\r\n", ""), 400},
      {"a garbage body", post("Content-Length: 7\r\nConnection: close\r\n", "garbage"), 400},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    RawTls connection(webhook.port());
    REQUIRE(connection.connected());
    connection.send(row.request);
    std::string response = connection.receive();
    CHECK_MESSAGE(response.starts_with(fmt::format("HTTP/1.1 {} ", row.status)), response);
    CHECK(response.find("EXCEPTION_WHAT") == response.npos);
    std::size_t body = response.find("\r\n\r\n");
    REQUIRE(body != response.npos);
    CHECK(Json::parse(response.substr(body + 4))["code"] == row.status);
  }
  CHECK(webhook.client()->Post("/validate", faulty_deployment().text(), kJson)->status == 200);
}

TEST_CASE("requests in many pieces, and several in one, are answered in order") {
  RunningWebhook webhook;
  std::string body = faulty_deployment().text();
  std::string request = fmt::format("POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  RawTls connection(webhook.port());
  for (char c : request.substr(0, 300)) connection.send(std::string_view(&c, 1));
  connection.send(request.substr(300));
  connection.send(request + request + "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
  std::string responses = connection.receive();
  std::size_t count = 0;
  for (std::size_t at = 0; (at = responses.find("HTTP/1.1 200", at)) != responses.npos; ++at) ++count;
  CHECK(count == 3);
  CHECK(responses.find("HTTP/1.1 404") > responses.rfind("HTTP/1.1 200"));
}

TEST_CASE("neither idle connections nor slow clients keep others waiting") {
  RunningWebhook webhook;
  std::vector<std::unique_ptr<httplib::SSLClient>> idle;
  for (int i = 0; i < 64; ++i) {
    idle.push_back(webhook.client());
    REQUIRE(idle.back()->Post("/validate", faulty_deployment().text(), kJson)->status == 200);
  }
  std::vector<std::unique_ptr<RawTls>> slow;
  for (int i = 0; i < 64; ++i) {
    slow.push_back(std::make_unique<RawTls>(webhook.port()));
    slow.back()->send("POST /validate HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
  }
  // All of them together are far from their deadlines: whoever blocked a thread would still block it.
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) CHECK(webhook.client()->Post("/validate", faulty_deployment().text(), kJson)->status == 200);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(9));  // a slow client is given up after 10 s
  CHECK(webhook.plain_client().Get("/readyz")->status == 200);
  CHECK(idle.front()->Post("/validate", faulty_deployment().text(), kJson)->status == 200);
}

TEST_CASE("many clients at once all get their own answer") {
  RunningWebhook webhook;
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      auto client = webhook.client();
      for (int i = 0; i < 25; ++i) {
        ReviewOf request = faulty_deployment();
        request.uid = fmt::format("{}-{}", t, i);
        auto result = client->Post("/validate", request.text(), kJson);
        if (result && result->status == 200 && Json::parse(result->body)["response"]["uid"] == request.uid) ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 200);
}

TEST_CASE("TLS 1.2 and 1.3 are spoken, nothing older, nothing else") {
  RunningWebhook webhook;
  CHECK(RawTls(webhook.port(), TLS1_3_VERSION).connected());
  CHECK(RawTls(webhook.port(), TLS1_2_VERSION).connected());
  CHECK_FALSE(RawTls(webhook.port(), TLS1_1_VERSION).connected());
  httplib::Client plain("127.0.0.1", webhook.port());
  CHECK_FALSE(plain.Get("/validate"));
}

}  // namespace
}  // namespace gpulint
