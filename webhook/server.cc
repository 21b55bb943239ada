#include "webhook/server.h"

#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gpulint {
namespace {

constexpr std::chrono::milliseconds kSweep{250};

/// A container's soft limit of descriptors is often 1024, its hard one far higher.
void raise_descriptor_limit(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

bool watch_descriptor(int epoll, int operation, int descriptor, std::uint32_t events, void* data) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = data;
  return ::epoll_ctl(epoll, operation, descriptor, &event) == 0;
}

}  // namespace

Server::Server(ServerOptions options, RequestHandler handler) : options_(std::move(options)), handler_(std::move(handler)) {}

Server::~Server() {
  stop(std::chrono::milliseconds(0));
  if (epoll_ >= 0) ::close(epoll_);
  if (wake_ >= 0) ::close(wake_);
}

bool Server::start(std::string& error) {
  raise_descriptor_limit(options_.max_connections + 64);
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (epoll_ < 0 || wake_ < 0) {
    error = fmt::format("cannot watch sockets: {}", std::strerror(errno));
    return false;
  }
  if (!listener_.open(options_.listen, error)) return false;
  watch_descriptor(epoll_, EPOLL_CTL_ADD, listener_.descriptor(), EPOLLIN, &listener_);
  watch_descriptor(epoll_, EPOLL_CTL_ADD, wake_, EPOLLIN, this);
  for (unsigned i = 0; i < options_.workers; ++i) workers_.emplace_back([this] { work(); });
  watcher_ = std::thread([this] { watch(); });
  return true;
}

std::size_t Server::connections() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

void Server::wake() {
  std::uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(wake_, &one, sizeof one);  // a full counter wakes as well
}

bool Server::stop(std::chrono::milliseconds patience) {
  if (!watcher_.joinable()) return true;
  draining_ = true;
  give_up_ = Clock::now() + patience;
  stopping_ = true;
  wake();
  watcher_.join();
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  queue_filled_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  bool clean = entries_.empty();
  entries_.clear();
  return clean;
}

void Server::watch() {
  std::array<epoll_event, 128> events;
  while (!finished()) {
    int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), static_cast<int>(kSweep.count()));
    for (int i = 0; i < count; ++i) {
      void* subject = events[static_cast<std::size_t>(i)].data.ptr;
      if (subject == this) {
        std::uint64_t ignored;
        [[maybe_unused]] ssize_t read = ::read(wake_, &ignored, sizeof ignored);
      } else if (subject == &listener_) {
        accept_all();
      } else {
        enqueue(static_cast<Connection*>(subject));
      }
    }
    close_overdue();
  }
}

void Server::accept_all() {
  for (int descriptor; (descriptor = listener_.accept()) >= 0;) {
    auto connection = std::make_unique<Connection>(descriptor, options_.tls);
    Connection* key = connection.get();
    std::lock_guard lock(mutex_);
    if (entries_.size() >= options_.max_connections) continue;
    if (!watch_descriptor(epoll_, EPOLL_CTL_ADD, descriptor, EPOLLIN | EPOLLONESHOT, key)) continue;
    entries_[key].connection = std::move(connection);
  }
  // Without descriptors the waiting connection would wake this loop again and again.
  if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void Server::enqueue(Connection* connection) {
  {
    std::lock_guard lock(mutex_);
    auto found = entries_.find(connection);
    if (found == entries_.end()) return;
    found->second.busy = true;
    found->second.queued = Clock::now();
    queue_.push_back(connection);
  }
  queue_filled_.notify_one();
}

std::chrono::milliseconds Server::deadline_of(const Connection& connection) const {
  switch (connection.phase()) {
    case Connection::Phase::handshake: return options_.handshake_deadline;
    case Connection::Phase::idle: return stopping_ ? std::chrono::milliseconds(0) : options_.idle_deadline;
    case Connection::Phase::receiving:
    case Connection::Phase::sending: return options_.request_deadline;
    case Connection::Phase::lingering: return options_.linger_deadline;
  }
  return options_.request_deadline;
}

void Server::close_overdue() {
  Clock::time_point now = Clock::now();
  if (now - swept_ < kSweep && !stopping_) return;
  swept_ = now;
  std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const Connection& connection = *entry->second.connection;
    if (!entry->second.busy && now - connection.phase_since() >= deadline_of(connection)) {
      buffered_ -= entry->second.counted;
      entry = entries_.erase(entry);
    } else {
      ++entry;
    }
  }
}

bool Server::finished() {
  if (!stopping_) return false;
  listener_.close();
  close_overdue();
  std::lock_guard lock(mutex_);
  // Whoever only waits for a client to hang up has had its response.
  bool served = std::all_of(entries_.begin(), entries_.end(), [](const auto& entry) {
    return !entry.second.busy && entry.second.connection->phase() == Connection::Phase::lingering;
  });
  if (served) entries_.clear();
  return served || Clock::now() >= give_up_;
}

void Server::work() {
  for (;;) {
    Entry* entry = nullptr;
    {
      std::unique_lock lock(mutex_);
      queue_filled_.wait(lock, [this] { return ended_ || !queue_.empty(); });
      if (ended_) return;
      entry = &entries_.at(queue_.front());  // references stay valid: only its holder removes a busy entry
      queue_.pop_front();
    }
    serve(*entry);
  }
}

void Server::serve(Entry& entry) {
  Connection& connection = *entry.connection;
  for (;;) {
    Connection::Want want = connection.advance();
    std::size_t now = connection.buffered();
    buffered_ += now - entry.counted;  // wraps around to a subtraction
    entry.counted = now;
    if (want == Connection::Want::close) return remove(&connection);
    if (want != Connection::Want::answer) return rest(entry, want);
    answer(entry);
    entry.queued = Clock::now();
  }
}

void Server::answer(Entry& entry) {
  Connection& connection = *entry.connection;
  if (const RequestFrame* refusal = connection.refusal())
    return connection.answer(handler_.refuse(refusal->status(), refusal->reason()), true);
  if (Clock::now() - entry.queued > options_.queue_deadline || buffered_ > options_.max_buffered)
    return connection.answer(handler_.refuse(503, "overloaded"), true);
  bool close = draining_ || Clock::now() - connection.opened() > options_.rotation;
  Reply reply = handler_.respond(connection.request(), close);
  connection.answer(std::move(reply.bytes), reply.close || close);
}

void Server::rest(Entry& entry, Connection::Want want) {
  std::lock_guard lock(mutex_);
  entry.busy = false;
  std::uint32_t events = (want == Connection::Want::write ? EPOLLOUT : EPOLLIN) | EPOLLONESHOT;
  watch_descriptor(epoll_, EPOLL_CTL_MOD, entry.connection->descriptor(), events, entry.connection.get());
  if (stopping_) wake();
}

void Server::remove(Connection* connection) {
  std::lock_guard lock(mutex_);
  auto found = entries_.find(connection);
  buffered_ -= found->second.counted;
  entries_.erase(found);
  if (stopping_) wake();
}

}  // namespace gpulint
