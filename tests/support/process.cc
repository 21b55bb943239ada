#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <stdexcept>

extern char** environ;

namespace gpulint::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_one(read_end);
    close_one(write_end);
  }
  static void close_one(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!command.environment.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : command.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const Command& command, char** words, char** environment, int in, int out, int err) {
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  if (!command.output_to.empty()) out = open(command.output_to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (in < 0) in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) _exit(127);
  execvpe(words[0], words, environment);
  _exit(127);
}

class Running {
 public:
  explicit Running(const Command& command) : command_(command), started_(Clock::now()) {
    std::vector<std::string> words = command.words, environment = environment_of(command);
    const std::vector<char*> word_list = pointers(words), environment_list = pointers(environment);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ == 0)
      become(command, const_cast<char**>(word_list.data()), const_cast<char**>(environment_list.data()),
             command.input.empty() ? -1 : in_.read_end, out_.write_end, err_.write_end);
    Pipe::close_one(in_.read_end);
    Pipe::close_one(out_.write_end);
    Pipe::close_one(err_.write_end);
    if (command.input.empty()) Pipe::close_one(in_.write_end);
    else fcntl(in_.write_end, F_SETFL, O_NONBLOCK);
  }

  Outcome finish() {
    while (out_.read_end >= 0 || err_.read_end >= 0)
      if (!step()) break;
    wait_for_end();
    outcome_.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
    return std::move(outcome_);
  }

 private:
  std::chrono::milliseconds age() const { return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_); }

  void interrupt_when_due() {
    if (!command_.interrupt_after || interrupted_ || age() < *command_.interrupt_after) return;
    kill(child_, SIGINT);
    interrupted_ = true;
  }

  bool end_when_late() {
    if (age() < command_.timeout) return false;
    kill(-child_, SIGKILL);
    return outcome_.timed_out = true;
  }

  bool step() {
    std::array<pollfd, 3> ends{{{out_.read_end, POLLIN, 0}, {err_.read_end, POLLIN, 0}, {in_.write_end, POLLOUT, 0}}};
    poll(ends.data(), ends.size(), 10);
    interrupt_when_due();
    if (end_when_late()) return false;
    if (ends[0].revents) take(out_.read_end, outcome_.out, command_.read_at_most);
    if (ends[1].revents) take(err_.read_end, outcome_.err, {});
    if (ends[2].revents) feed();
    return true;
  }

  static void take(int& end, std::string& into, std::optional<std::size_t> limit) {
    std::array<char, 65536> buffer;
    const std::size_t wanted = limit ? std::min(buffer.size(), *limit - into.size()) : buffer.size();
    const ssize_t n = wanted ? read(end, buffer.data(), wanted) : 0;
    if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR)) Pipe::close_one(end);
  }

  void feed() {
    // A program that does not read its input closes the pipe: EPIPE, and no signal to the test.
    const auto old = signal(SIGPIPE, SIG_IGN);
    const ssize_t n = write(in_.write_end, command_.input.data() + fed_, command_.input.size() - fed_);
    signal(SIGPIPE, old);
    if (n > 0) fed_ += static_cast<std::size_t>(n);
    if (fed_ == command_.input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) Pipe::close_one(in_.write_end);
  }

  void wait_for_end() {
    int state = 0;
    rusage usage{};
    Pipe::close_one(in_.write_end);
    while (wait4(child_, &state, WNOHANG, &usage) == 0) {
      interrupt_when_due();
      if (!outcome_.timed_out) end_when_late();
      usleep(500);
    }
    outcome_.peak_kilobytes = usage.ru_maxrss;
    outcome_.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  }

  const Command& command_;
  Clock::time_point started_;
  Pipe in_, out_, err_;
  pid_t child_ = -1;
  std::size_t fed_ = 0;
  bool interrupted_ = false;
  Outcome outcome_;
};

}  // namespace

Outcome run(const Command& command) { return Running(command).finish(); }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gpulint-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gpulint::testing
