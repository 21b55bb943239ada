#include "lint/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "lint/child_groups.h"

extern char** environ;

namespace gpulint {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrorLimit = std::size_t{64} << 10;

class Pipe {
 public:
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) error = errno;
    else read_end = ends[0], write_end = ends[1];
  }
  ~Pipe() {
    close_one(read_end);
    close_one(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  static void close_one(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }

  int read_end = -1, write_end = -1, error = 0;
};

std::vector<std::string> environment_of(const ChildCommand& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (!command.environment.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment)
    if (value) all.push_back(name + "=" + *value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Where a child's descriptors and signals come from.
class Start {
 public:
  Start(const ChildCommand& command, int out, int err) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
    if (!command.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions_, command.directory.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t defaults, none;
    sigfillset(&defaults);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  int spawn(const ChildCommand& command, pid_t& child) const {
    std::vector<std::string> words = command.words, environment = environment_of(command);
    return posix_spawnp(&child, words[0].c_str(), &actions_, &attributes_, pointers(words).data(), pointers(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

class Child {
 public:
  explicit Child(const ChildCommand& command) : command_(command), deadline_(Clock::now() + command.timeout) {}

  ChildResult run() {
    if (const int error = out_.error ? out_.error : err_.error) return {.end = ChildEnd::not_started, .status = error, .out = {}, .err = {}};
    if (const int error = Start(command_, out_.write_end, err_.write_end).spawn(command_, child_))
      return {.end = error == ENOENT ? ChildEnd::not_found : ChildEnd::not_started, .status = error, .out = {}, .err = {}};
    follow();
    reap();
    return std::move(result_);
  }

 private:
  void follow() {
    const ChildGroup group(child_);
    Pipe::close_one(out_.write_end);
    Pipe::close_one(err_.write_end);
    bool more = true;
    while (more && result_.end == ChildEnd::exited && (out_.read_end >= 0 || err_.read_end >= 0)) more = read_some();
    while (result_.end == ChildEnd::exited && !has_ended()) wait_a_little();
    // Until the child is reaped its number cannot belong to anybody else.
    kill(-child_, SIGKILL);
  }

  int left() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
  }

  // Whether more may come. What the program has left running may hold the pipes open for ever: when it has ended and nothing comes, that is all.
  bool read_some() {
    constexpr int kPatience = 50;  // milliseconds
    std::array<pollfd, 2> ends{{{out_.read_end, POLLIN, 0}, {err_.read_end, POLLIN, 0}}};
    const int time = left();
    const int ready = time > 0 ? poll(ends.data(), ends.size(), std::min(time, kPatience)) : 0;
    if (ready < 0) return true;
    if (time == 0) result_.end = ChildEnd::timed_out;
    if (ready == 0) return !has_ended();
    if (ends[0].revents) take(out_.read_end, result_.out, command_.output_limit + 1);
    if (ends[1].revents) take(err_.read_end, result_.err, kErrorLimit);
    if (result_.out.size() > command_.output_limit) result_.end = ChildEnd::too_much_output;
    return true;
  }

  /// What is above the limit is read and forgotten: a full pipe would stop the program.
  static void take(int& end, std::string& into, std::size_t limit) {
    std::array<char, 65536> buffer;
    const ssize_t n = read(end, buffer.data(), buffer.size());
    if (n > 0) into.append(buffer.data(), std::min(static_cast<std::size_t>(n), limit - std::min(limit, into.size())));
    if (n == 0 || (n < 0 && errno != EINTR)) Pipe::close_one(end);
  }

  bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid == child_;
  }

  void wait_a_little() {
    if (left() == 0) result_.end = ChildEnd::timed_out;
    else std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  void reap() {
    int state = 0;
    while (waitpid(child_, &state, 0) < 0 && errno == EINTR) {
    }
    if (result_.end != ChildEnd::exited) return;
    result_.end = WIFEXITED(state) ? ChildEnd::exited : ChildEnd::killed;
    result_.status = WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state);
  }

  const ChildCommand& command_;
  Clock::time_point deadline_;
  Pipe out_, err_;
  pid_t child_ = -1;
  ChildResult result_;
};

}  // namespace

ChildResult run_child(const ChildCommand& command) { return Child(command).run(); }

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string file = std::string(rest.substr(0, colon)) + "/" + program;
    if (colon > 0 && access(file.c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

}  // namespace gpulint
