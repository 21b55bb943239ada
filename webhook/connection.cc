#include "webhook/connection.h"

#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gpulint {
namespace {

constexpr std::size_t kReadSize = 16 * 1024;       ///< a TLS record
constexpr std::size_t kKeptCapacity = 64 * 1024;   ///< of a buffer between two requests
constexpr int kLingerReads = 64;                   ///< in one go, so that a fast sender does not hold a thread

}  // namespace

Connection::Connection(int descriptor, SSL_CTX* context)
    : descriptor_(descriptor), ssl_(context ? SSL_new(context) : nullptr), phase_(context ? Phase::handshake : Phase::idle) {
  if (!ssl_) return;
  SSL_set_fd(ssl_.get(), descriptor_);
  SSL_set_accept_state(ssl_.get());
}

Connection::~Connection() { ::close(descriptor_); }

void Connection::enter(Phase phase) {
  if (phase == phase_) return;
  phase_ = phase;
  phase_since_ = Clock::now();
}

Connection::Want Connection::advance() {
  switch (phase_) {
    case Phase::handshake: return handshake();
    case Phase::idle:
    case Phase::receiving: return receive();
    case Phase::sending: return send();
    case Phase::lingering: return linger();
  }
  return Want::close;
}

Connection::Want Connection::waiting_for(int ssl_result) {
  int error = SSL_get_error(ssl_.get(), ssl_result);
  ERR_clear_error();
  if (error == SSL_ERROR_WANT_READ) return Want::read;
  if (error == SSL_ERROR_WANT_WRITE) return Want::write;
  return Want::close;
}

Connection::Want Connection::handshake() {
  ERR_clear_error();
  int result = SSL_do_handshake(ssl_.get());
  if (result != 1) return waiting_for(result);
  enter(Phase::idle);
  return receive();
}

Connection::Want Connection::receive() {
  std::array<char, kReadSize> buffer;
  for (;;) {
    if (!received_.empty()) {
      enter(Phase::receiving);
      RequestFrame::State state = frame_.advance(received_);
      if (state != RequestFrame::State::incomplete) return Want::answer;
    }
    if (ssl_) {
      ERR_clear_error();
      int count = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
      if (count <= 0) return waiting_for(count);
      received_.append(buffer.data(), static_cast<std::size_t>(count));
    } else {
      ssize_t count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Want::read;
      if (count <= 0) return Want::close;
      received_.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

void Connection::answer(std::string response, bool close) {
  response_ = std::move(response);
  sent_ = 0;
  close_after_ = close || refusal();
  if (close_after_) received_.clear();
  else received_.erase(0, frame_.size());
  if (received_.empty() && received_.capacity() > kKeptCapacity) received_.shrink_to_fit();
  frame_ = RequestFrame();
  enter(Phase::sending);
}

Connection::Want Connection::send() {
  while (sent_ < response_.size()) {
    const char* rest = response_.data() + sent_;
    std::size_t size = response_.size() - sent_;
    if (ssl_) {
      ERR_clear_error();
      int count = SSL_write(ssl_.get(), rest, static_cast<int>(size));
      if (count <= 0) return waiting_for(count);
      sent_ += static_cast<std::size_t>(count);
    } else {
      ssize_t count = ::send(descriptor_, rest, size, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Want::write;
      if (count <= 0) return Want::close;
      sent_ += static_cast<std::size_t>(count);
    }
  }
  response_ = std::string();
  if (close_after_) {
    if (ssl_) SSL_shutdown(ssl_.get());
    ERR_clear_error();
    ::shutdown(descriptor_, SHUT_WR);
    enter(Phase::lingering);
    return linger();
  }
  enter(Phase::idle);
  return receive();
}

/// Closing a socket with unread bytes resets it, and the client may lose the response it was just sent: its bytes are read away until it
/// closes or its time is up.
Connection::Want Connection::linger() {
  std::array<char, kReadSize> buffer;
  for (int turn = 0; turn < kLingerReads; ++turn) {
    ssize_t count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (count > 0 || (count < 0 && errno == EINTR)) continue;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? Want::read : Want::close;
  }
  return Want::read;
}

}  // namespace gpulint
