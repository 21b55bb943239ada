#include "webhook/listener.h"

#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

namespace gpulint {
namespace {

/// 200 connections at once, which an API server opens in a burst, must not overflow it: what overflows waits a second or more.
constexpr int kBacklog = 1024;

std::string text_of_bound(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  if (::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  return address.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

/// The descriptor, or -1 with errno set.
int listen_at(const addrinfo& address) {
  int descriptor = ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
  if (descriptor < 0) return -1;
  int on = 1, off = 0;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.ai_family == AF_INET6) ::setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (::bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 && ::listen(descriptor, kBacklog) == 0) return descriptor;
  int reason = errno;
  ::close(descriptor);
  errno = reason;
  return -1;
}

}  // namespace

std::optional<Address> Address::parse(std::string_view text) {
  std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::string_view host = text.substr(0, colon), port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  else if (host.find(':') != host.npos) return std::nullopt;
  Address address;
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc() || end != port.data() + port.size()) return std::nullopt;
  address.host = host;
  return address;
}

std::string Address::text() const {
  return host.find(':') == host.npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

bool Listener::open(const Address& address, std::string& error) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  int result = ::getaddrinfo(address.host.empty() ? nullptr : address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  if (result != 0) {
    error = fmt::format("cannot listen on {}: {}", address.text(), ::gai_strerror(result));
    return false;
  }
  // Every address of the machine: an IPv6 socket takes both families; IPv4 alone where the kernel knows no other.
  if (address.host.empty())
    for (const addrinfo* each = found; each && descriptor_ < 0; each = each->ai_next)
      if (each->ai_family == AF_INET6) descriptor_ = listen_at(*each);
  for (const addrinfo* each = found; each && descriptor_ < 0; each = each->ai_next) descriptor_ = listen_at(*each);
  if (descriptor_ < 0) {
    error = fmt::format("cannot listen on {}: {}", address.text(), std::strerror(errno));
    return false;
  }
  bound_ = text_of_bound(descriptor_);
  return true;
}

void Listener::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

int Listener::accept() const {
  int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) return -1;
  int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

}  // namespace gpulint
