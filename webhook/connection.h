// Connection: one accepted socket, with TLS or without, as a state machine that never blocks. It is moved on by whichever thread holds
// it, and says what it waits for; deadlines are its owner's business, from phase() and the time of the last change.
#pragma once
#include <openssl/ssl.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "webhook/request_frame.h"

namespace gpulint {

using Clock = std::chrono::steady_clock;

class Connection {
 public:
  enum class Want : unsigned char { read, write, answer, close };
  enum class Phase : unsigned char { handshake, idle, receiving, sending, lingering };

  /// Takes over the descriptor, which must be non-blocking. Without a context: plain HTTP.
  Connection(int descriptor, SSL_CTX* context);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Goes as far as it can without blocking. `answer`: request() is complete, or refusal() says why it is none; answer() must follow.
  Want advance();
  std::string_view request() const { return std::string_view(received_).substr(0, frame_.size()); }
  const RequestFrame* refusal() const { return frame_.status() ? &frame_ : nullptr; }
  /// Queues the bytes of a response; advance() sends them. With `close` the connection ends after them, without cutting them off for a
  /// client that is still sending.
  void answer(std::string response, bool close);

  int descriptor() const { return descriptor_; }
  Phase phase() const { return phase_; }
  std::size_t buffered() const { return received_.capacity() + response_.capacity(); }
  Clock::time_point phase_since() const { return phase_since_; }
  Clock::time_point opened() const { return opened_; }

 private:
  Want handshake();
  Want receive();
  Want send();
  Want linger();
  Want waiting_for(int ssl_result);
  void enter(Phase phase);

  struct FreeSsl { void operator()(SSL* ssl) const { SSL_free(ssl); } };
  int descriptor_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  Phase phase_;
  Clock::time_point opened_ = Clock::now(), phase_since_ = opened_;
  RequestFrame frame_;
  std::string received_;
  std::string response_;
  std::size_t sent_ = 0;
  bool close_after_ = false;
};

}  // namespace gpulint
