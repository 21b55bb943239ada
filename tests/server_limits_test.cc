// The limits of the server: deadlines, caps, overload, and faults of a handler. In one process, over plain HTTP, with limits small enough
// to be reached at once.
#include "webhook/server.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <stdexcept>

#include "webhook/routes.h"

namespace gpulint {
namespace {

using std::chrono::milliseconds;

class Socket {
 public:
  explicit Socket(const std::string& address) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    timeval patience{60, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    REQUIRE(::connect(descriptor_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  void send(std::string_view bytes) const { (void)::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  /// What arrives until the server closes; `closed` is false when it does not within a minute.
  std::string receive(bool& closed) const {
    std::string text;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(descriptor_, buffer, sizeof buffer, 0)) > 0) text.append(buffer, static_cast<std::size_t>(count));
    closed = count == 0 || errno == ECONNRESET;
    return text;
  }
  /// At least one byte of an answer, without waiting for its end.
  std::string receive_some() const {
    char buffer[4096];
    ssize_t count = ::recv(descriptor_, buffer, sizeof buffer, 0);
    return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
  }

 private:
  int descriptor_;
};

struct Fixture {
  explicit Fixture(ServerOptions options) {
    routes.Get("/ok", [](const httplib::Request&, httplib::Response& response) { response.set_content("fine", "text/plain"); });
    routes.Get("/boom", [](const httplib::Request&, httplib::Response&) { throw std::runtime_error("a secret"); });
    options.listen = {"127.0.0.1", 0};
    server = std::make_unique<Server>(options, routes.handler());
    std::string error;
    REQUIRE_MESSAGE(server->start(error), error);
  }
  Routes routes;
  std::unique_ptr<Server> server;
};

constexpr std::string_view kGet = "GET /ok HTTP/1.1\r\n\r\n";

TEST_CASE("who says nothing, or not enough, is hung up on") {
  ServerOptions options;
  options.idle_deadline = options.request_deadline = milliseconds(50);
  Fixture fixture(options);
  for (std::string_view sent : {"", "GET /ok HT", "POST /ok HTTP/1.1\r\nContent-Length: 5\r\n\r\n12"}) {
    CAPTURE(sent);
    Socket socket(fixture.server->address());
    socket.send(sent);
    bool closed = false;
    CHECK(socket.receive(closed).empty());
    CHECK(closed);
  }
}

TEST_CASE("connections above the cap are closed, the others go on") {
  ServerOptions options;
  options.max_connections = 2;
  Fixture fixture(options);
  Socket first(fixture.server->address()), second(fixture.server->address());
  for (const Socket* socket : {&first, &second}) {
    socket->send(kGet);
    CHECK(socket->receive_some().starts_with("HTTP/1.1 200"));
  }
  Socket third(fixture.server->address());
  third.send(kGet);
  bool closed = false;
  CHECK(third.receive(closed).empty());
  CHECK(closed);
  first.send(kGet);
  CHECK(first.receive_some().starts_with("HTTP/1.1 200"));
}

TEST_CASE("overload is answered 503 and may be tried again") {
  ServerOptions options;
  options.max_buffered = 1;
  Fixture fixture(options);
  Socket socket(fixture.server->address());
  socket.send(kGet);
  bool closed = false;
  std::string response = socket.receive(closed);
  CHECK(response.starts_with("HTTP/1.1 503 "));
  CHECK(response.find("Retry-After: 1\r\n") != response.npos);
  CHECK(response.find("Connection: close\r\n") != response.npos);
}

TEST_CASE("an old connection is ended with its next response") {
  ServerOptions options;
  options.rotation = milliseconds(0);
  Fixture fixture(options);
  Socket socket(fixture.server->address());
  socket.send(kGet);
  bool closed = false;
  std::string response = socket.receive(closed);
  CHECK(response.starts_with("HTTP/1.1 200"));
  CHECK(response.find("Connection: close\r\n") != response.npos);
  CHECK(closed);
}

TEST_CASE("what a handler throws stays inside") {
  Fixture fixture({});
  Reply reply = fixture.routes.handler().respond("GET /boom HTTP/1.1\r\n\r\n", false);
  CHECK(reply.bytes.starts_with("HTTP/1.1 500 "));
  CHECK(reply.bytes.find("secret") == reply.bytes.npos);
  CHECK(reply.bytes.find("EXCEPTION_WHAT") == reply.bytes.npos);
  CHECK(reply.bytes.find("\"code\":500") != reply.bytes.npos);
}

TEST_CASE("stopping ends idle connections and finishes the request that is being sent") {
  Fixture fixture({});
  Socket idle(fixture.server->address()), busy(fixture.server->address());
  idle.send(kGet);
  CHECK(idle.receive_some().starts_with("HTTP/1.1 200"));
  busy.send(kGet.substr(0, 5));
  while (fixture.server->connections() < 2) std::this_thread::sleep_for(milliseconds(1));
  std::this_thread::sleep_for(milliseconds(100));  // the first bytes are there: that connection is no idle one
  std::thread late([&] {
    std::this_thread::sleep_for(milliseconds(100));
    busy.send(kGet.substr(5));
  });
  bool clean = fixture.server->stop(std::chrono::seconds(30));
  late.join();
  bool closed = false;
  CHECK(busy.receive(closed).starts_with("HTTP/1.1 200"));
  CHECK(idle.receive(closed).empty());
  CHECK(closed);
  CHECK(clean);
}

TEST_CASE("addresses") {
  struct Row { std::string text, host; int port; };
  const Row rows[] = {{"0.0.0.0:8443", "0.0.0.0", 8443}, {":80", "", 80}, {"[::1]:0", "::1", 0}, {"localhost:65535", "localhost", 65535}};
  for (const Row& row : rows) {
    auto address = Address::parse(row.text);
    REQUIRE(address);
    CHECK(address->host == row.host);
    CHECK(address->port == row.port);
    CHECK(address->text() == row.text);
  }
  for (const char* wrong : {"", "8443", "host", "host:", "host:x", "host:-1", "host:65536", "::1:80", "host:80 "}) CHECK_MESSAGE(!Address::parse(wrong), wrong);
}

}  // namespace
}  // namespace gpulint
