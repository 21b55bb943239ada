#include "lint/output.h"

#include <unistd.h>

#include <cerrno>

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
  std::string text(line);
  text += '\n';
  write_all(STDERR_FILENO, text);
}

}  // namespace gpulint
