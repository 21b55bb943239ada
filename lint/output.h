// Output: bytes on their way to a descriptor, written in large pieces. Remembers the first failure, so that a full disk is an exit
// status and not a silently shortened report.
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  /// The first failure as errno has it, 0 when all was written. A reader that went away (EPIPE) is no failure: it has seen enough.
  int flush();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  int error_ = 0;
  bool reader_gone_ = false;
  std::string pending_;
};

/// Writes one line to standard error, at once; lines of several threads do not mix, and one that show_status() wrote makes room.
void complain(std::string_view line);

/// Shows a line on standard error, a terminal, in place of the one shown before. Empty: takes that one away.
void show_status(std::string_view line);

}  // namespace gpulint
