// Listening sockets: `HOST:PORT` to a bound, non-blocking descriptor and back to text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

struct Address {
  std::string host;  ///< name or number; empty: every address of the machine
  std::uint16_t port = 0;
  /// `0.0.0.0:8443`, `[::]:8443`, `:8443`; nothing for any other text.
  static std::optional<Address> parse(std::string_view text);
  std::string text() const;
};

class Listener {
 public:
  Listener() = default;
  ~Listener() { close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Binds and listens; port 0 takes a free one. False, and `error` set, when that fails.
  bool open(const Address& address, std::string& error);
  void close();
  /// The next connection, non-blocking, without Nagle's delay (a keep-alive response would wait 40 ms for the client's acknowledgement);
  /// -1 when there is none.
  int accept() const;

  int descriptor() const { return descriptor_; }
  const std::string& bound() const { return bound_; }  ///< `127.0.0.1:40123`

 private:
  int descriptor_ = -1;
  std::string bound_;
};

}  // namespace gpulint
