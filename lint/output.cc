#include "lint/output.h"

#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <utility>

namespace gpulint {
namespace {

constexpr std::size_t kPieceSize = 1 << 16;

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

std::mutex status_mutex;
bool status_shown = false;

// What takes the status line away, for in front of other text.
std::string_view without_status() {
  constexpr std::string_view kEraseLine = "\r\x1b[K";
  return std::exchange(status_shown, false) ? kEraseLine : std::string_view();
}

}  // namespace

void Output::write(std::string_view text) {
  pending_ += text;
  if (pending_.size() >= kPieceSize) flush();
}

int Output::flush() {
  if (!pending_.empty() && error_ == 0 && !reader_gone_) {
    const int error = write_all(descriptor_, pending_);
    if (error == EPIPE) reader_gone_ = true;
    else error_ = error;
  }
  pending_.clear();
  return error_;
}

void complain(std::string_view line) {
  const std::lock_guard lock(status_mutex);
  std::string text(without_status());
  text += line;
  text += '\n';
  write_all(STDERR_FILENO, text);
}

void show_status(std::string_view line) {
  const std::lock_guard lock(status_mutex);
  std::string text(without_status());
  text += line;
  status_shown = !line.empty();
  write_all(STDERR_FILENO, text);
}

}  // namespace gpulint
