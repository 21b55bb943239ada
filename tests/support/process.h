// Running a program the way a person or a script does: arguments, environment, standard input, and everything it leaves behind.
// Never leaves a process running: the time limit ends the program and its children.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpulint::testing {

struct Command {
  std::vector<std::string> words = {};            ///< program and arguments; a program without `/` is looked up in PATH
  std::string input = {};                         ///< standard input; empty: /dev/null
  std::map<std::string, std::string> environment = {};  ///< added to this process's own
  std::string directory = {};                     ///< working directory; empty: this process's own
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  std::string output_to = {};                     ///< standard output goes to this file (`/dev/full`) instead of Outcome::out
  std::optional<std::size_t> read_at_most = {};   ///< closes the reading end of standard output after so many bytes, as `head` does
  std::optional<std::chrono::milliseconds> interrupt_after = {};  ///< sends SIGINT then
};

struct Outcome {
  int status = -1;     ///< exit status; 128 + signal when a signal ended it; 127 when it could not be started
  bool timed_out = false;
  std::string out, err;
  std::chrono::milliseconds duration{};
  long peak_kilobytes = 0;  ///< greatest resident size
};

Outcome run(const Command& command);

/// A folder under the system's temporary one, gone with its contents at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace gpulint::testing
