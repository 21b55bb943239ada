// A TLS connection that sends exactly the given bytes: for requests that no HTTP library would write.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>

namespace gpulint::testing {

class RawTls {
 public:
  explicit RawTls(int port, int newest_version = 0) : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free), ssl_(nullptr, SSL_free) {
    SSL_CTX_set_security_level(context_.get(), 0);  // TLS 1.1 can be offered at no other level
    if (newest_version) SSL_CTX_set_max_proto_version(context_.get(), newest_version);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    timeval patience{60, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_fd(ssl_.get(), socket_);
    connected_ = SSL_connect(ssl_.get()) == 1;
  }
  ~RawTls() { ::close(socket_); }
  RawTls(const RawTls&) = delete;
  RawTls& operator=(const RawTls&) = delete;

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) { return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) == static_cast<int>(bytes.size()); }
  /// Everything until the server closes.
  std::string receive() {
    std::string text;
    char buffer[4096];
    for (int count; (count = SSL_read(ssl_.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(count));
    return text;
  }

 private:
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  int socket_ = -1;
  bool connected_ = false;
};

}  // namespace gpulint::testing
