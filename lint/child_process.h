// Running another program (git, helm, kustomize) to its end, with bounds on everything: its time, its output and its children.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpulint {

struct ChildCommand {
  std::vector<std::string> words;  ///< program and arguments; a program without `/` is looked up in PATH
  std::map<std::string, std::optional<std::string>> environment = {};  ///< changes to this process's own; nothing: taken away
  std::string directory = {};                                         ///< where it runs; empty: here
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::size_t output_limit = 0;  ///< bytes of standard output
};

enum class ChildEnd : std::uint8_t {
  exited,
  killed,         ///< by a signal that was not ours
  timed_out,
  too_much_output,
  not_found,      ///< no such program
  not_started,    ///< the system refused: `error`
};

struct ChildResult {
  ChildEnd end = ChildEnd::exited;
  int status = 0;  ///< exited: its exit status; killed: the signal; not_started: errno
  std::string out;
  std::string err;  ///< its first 64 KiB
  bool succeeded() const { return end == ChildEnd::exited && status == 0; }
};

/// Standard input is empty. The program gets a process group of its own, which is ended as a whole when the time is up, when it writes too
/// much, when it has ended itself (what it left behind), and when this process is interrupted. Any number of threads may call this.
ChildResult run_child(const ChildCommand& command);

/// Whether PATH has an executable file of that name.
bool is_installed(const std::string& program);

}  // namespace gpulint
