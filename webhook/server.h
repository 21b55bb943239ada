// Server: connections in front of a few worker threads. Sockets never block, an epoll thread hands ready ones to the workers, and a worker
// holds a connection only while there is something to compute: 500 idle keep-alive connections (an API server keeps up to 25 for each
// hook, for 90 s) and slow clients cost memory, no thread. HTTP itself is the handler's business.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "webhook/connection.h"
#include "webhook/listener.h"

namespace gpulint {

struct ServerOptions {
  Address listen;
  SSL_CTX* tls = nullptr;                           ///< null: plain HTTP
  unsigned workers = 4;
  std::size_t max_connections = 2048;               ///< further ones are accepted and closed
  std::size_t max_buffered = 256 * 1024 * 1024;     ///< bytes of all requests and responses held; above it requests are answered 503
  std::chrono::milliseconds handshake_deadline{5'000};
  std::chrono::milliseconds request_deadline{10'000};   ///< from its first byte to its last, then again for the response
  std::chrono::milliseconds idle_deadline{120'000};     ///< longer than the API server's 90 s: whoever closes first can break a request
  std::chrono::milliseconds linger_deadline{2'000};
  std::chrono::milliseconds queue_deadline{2'000};      ///< a request that waited longer for a worker is answered 503
  std::chrono::milliseconds rotation{300'000};          ///< connections older than this close, so that new replicas get their share
};

struct Reply {
  std::string bytes;
  bool close = false;
};

/// What a server asks of the layer above it. Called from the workers, several at a time.
struct RequestHandler {
  /// The response to one complete request; `close` says that the connection ends after it.
  std::function<Reply(std::string_view request, bool close)> respond;
  /// The response to a request that is refused unread; it closes the connection. 503 is meant to be tried again.
  std::function<std::string(int status, std::string_view reason)> refuse;
};

class Server {
 public:
  Server(ServerOptions options, RequestHandler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Listens and starts the threads. False, and `error` set, when the address cannot be had.
  bool start(std::string& error);
  const std::string& address() const { return listener_.bound(); }
  std::size_t connections() const;

  /// From now on every response ends its connection; new ones are still taken.
  void drain() { draining_ = true; }
  /// Takes no more connections, closes idle ones, lets the others finish for at most `patience`, ends the threads. True when nothing was cut off.
  bool stop(std::chrono::milliseconds patience);

 private:
  struct Entry {
    std::unique_ptr<Connection> connection;
    bool busy = false;            ///< in the queue or with a worker
    Clock::time_point queued;
    std::size_t counted = 0;      ///< its share of buffered_
  };

  void watch();
  void accept_all();
  void enqueue(Connection* connection);
  void close_overdue();
  bool finished();
  void work();
  void serve(Entry& entry);
  void answer(Entry& entry);
  void rest(Entry& entry, Connection::Want want);
  void remove(Connection* connection);
  std::chrono::milliseconds deadline_of(const Connection& connection) const;
  void wake();

  ServerOptions options_;
  RequestHandler handler_;
  Listener listener_;
  int epoll_ = -1, wake_ = -1;
  mutable std::mutex mutex_;  ///< guards entries_, queue_, ended_
  std::unordered_map<Connection*, Entry> entries_;
  std::deque<Connection*> queue_;
  std::condition_variable queue_filled_;
  bool ended_ = false;
  std::atomic<bool> draining_ = false, stopping_ = false;
  std::atomic<std::size_t> buffered_ = 0;
  Clock::time_point give_up_{}, swept_{};
  std::vector<std::thread> workers_;
  std::thread watcher_;
};

}  // namespace gpulint
