#include "webhook/routes.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>

namespace gpulint {
namespace {

constexpr const char* kJson = "application/json";

/// One request in memory, and the response that the library writes.
class MemoryStream : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view request) : rest_(request) {}
  bool is_readable() const override { return !rest_.empty(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* target, std::size_t size) override {
    std::size_t count = std::min(size, rest_.size());
    std::copy_n(rest_.data(), count, target);
    rest_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    response_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return INVALID_SOCKET; }
  std::string take_response() { return std::move(response_); }

 private:
  std::string_view rest_;
  std::string response_;
};

std::string_view reason_of(int status) {
  switch (status) {
    case 404: return "NotFound";
    case 405: return "MethodNotAllowed";
    case 411: return "LengthRequired";
    case 413: return "RequestEntityTooLarge";
    case 415: return "UnsupportedMediaType";
    case 417: return "ExpectationFailed";
    case 431: return "RequestHeaderFieldsTooLarge";
    case 503: return "ServiceUnavailable";
    default: return status >= 500 ? "InternalError" : "BadRequest";
  }
}

void set_status(httplib::Response& response, int status, std::string_view message) {
  response.status = status;
  response.set_content(status_body(status, reason_of(status), message), kJson);
}

bool is_json(const httplib::Request& request) {
  std::string type = request.get_header_value("Content-Type");
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return ::strcasecmp(type.c_str(), kJson) == 0;
}

}  // namespace

Routes::Routes() {
  set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) set_status(response, response.status, response.status == 404 ? "no such path" : "the request is not valid");
  });
  // The library's own answer would tell the client what was thrown.
  set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
    set_status(response, 500, "the request could not be answered");
  });
}

RequestHandler Routes::handler() {
  return {.respond = [this](std::string_view request, bool close) { return respond(request, close); }, .refuse = refusal_response};
}

Reply Routes::respond(std::string_view request, bool close) {
  MemoryStream stream(request);
  bool closed = close;
  auto set_up = [](httplib::Request& parsed) {
    parsed.headers.erase("Accept-Encoding");  // a response of 200 bytes is not worth compressing
    parsed.ranges.clear();
  };
  bool answered = process_request(stream, close, closed, set_up);
  Reply reply{stream.take_response(), closed || !answered};
  if (reply.bytes.empty()) reply = {refusal_response(400, "the request is not HTTP/1.1"), true};
  return reply;
}

void add_admission_routes(Routes& routes, std::function<std::shared_ptr<const Policy>()> policy,
                          std::function<void(Endpoint, const AdmissionAnswer&, std::chrono::nanoseconds)> decided) {
  auto route = [&](const char* path, Endpoint endpoint) {
    routes.Post(path, [=](const httplib::Request& request, httplib::Response& response) {
      if (!is_json(request)) return set_status(response, 415, "the Content-Type is not application/json");
      Clock::time_point start = Clock::now();
      AdmissionAnswer answer = review(endpoint, request.body, *policy());
      response.status = answer.http_status;
      response.set_content(answer.body, kJson);
      decided(endpoint, answer, Clock::now() - start);
    });
    routes.Get(path, [](const httplib::Request&, httplib::Response& response) {
      response.set_header("Allow", "POST");
      set_status(response, 405, "admission reviews are posted");
    });
  };
  route("/validate", Endpoint::validate);
  route("/mutate", Endpoint::mutate);
}

void add_probe_routes(Routes& routes, std::function<bool()> ready) {
  routes.Get("/healthz", [](const httplib::Request&, httplib::Response& response) { response.set_content("ok", "text/plain"); });
  routes.Get("/readyz", [ready = std::move(ready)](const httplib::Request&, httplib::Response& response) {
    bool is_ready = ready();
    response.status = is_ready ? 200 : 503;
    response.set_content(is_ready ? "ok" : "not ready", "text/plain");
  });
}

std::string refusal_response(int status, std::string_view reason) {
  std::string body = status_body(status, reason_of(status), reason);
  return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n{}", status,
                     reason_of(status), kJson, body.size(), status == 503 ? "Retry-After: 1\r\n" : "", body);
}

}  // namespace gpulint
