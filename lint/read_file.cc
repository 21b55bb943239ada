#include "lint/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gpulint {
namespace {

// Nearly every manifest fits, with a byte to spare that shows its end.
constexpr std::size_t kFirstSize = 1 << 16;

// Where the size is known, room for all of it at once; else twice as much as before.
void make_room(int descriptor, std::size_t limit, std::string& buffer) {
  std::size_t wanted = buffer.size() * 2;
  struct stat status {};
  if (buffer.size() == kFirstSize && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    wanted = std::max(wanted, static_cast<std::size_t>(status.st_size) + 1);
  buffer.resize(std::min(wanted, limit + 1));
}

}  // namespace

ReadResult read_descriptor(int descriptor, std::size_t limit, std::string& buffer) {
  if (buffer.size() < kFirstSize) buffer.resize(kFirstSize);
  ReadResult result;
  for (;;) {
    if (result.size > limit) {
      result.too_large = true;
      return result;
    }
    if (result.size == buffer.size()) make_room(descriptor, limit, buffer);
    const ssize_t n = read(descriptor, buffer.data() + result.size, buffer.size() - result.size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) result.error = errno;
    if (n <= 0) return result;
    result.size += static_cast<std::size_t>(n);
  }
}

ReadResult read_file_at(int folder, const char* name, std::size_t limit, std::string& buffer, bool wait_for_writer) {
  const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (wait_for_writer ? 0 : O_NONBLOCK);
  const int descriptor = openat(folder, name, flags);
  if (descriptor < 0) return {.error = errno};
  const ReadResult result = read_descriptor(descriptor, limit, buffer);
  close(descriptor);
  return result;
}

std::optional<std::string> text_of_file(const std::string& path, std::size_t limit) {
  std::string text;
  const ReadResult result = read_file_at(AT_FDCWD, path.c_str(), limit, text, false);
  if (result.error || result.too_large) return std::nullopt;
  text.resize(result.size);
  return text;
}

}  // namespace gpulint
