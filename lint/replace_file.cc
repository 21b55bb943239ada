#include "lint/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "lint/output.h"

namespace gpulint {
namespace {

constexpr mode_t kNewMode = 0666;

int write_text(int descriptor, std::string_view text) {
  Output out(descriptor);
  out.write(text);
  return out.flush();
}

int write_in_place(const std::string& path, std::string_view text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = write_text(descriptor, text);
  return close(descriptor) != 0 && !error ? errno : error;
}

mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return kNewMode & ~mask;
}

/// Where the path leads; the path itself where nothing is there yet.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

int replace_file(const std::string& path, std::string_view text) {
  const std::string target = behind_links(path);
  struct stat old {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return EISDIR;
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(target, text);
  std::string beside = target + ".XXXXXX";
  const int descriptor = mkostemp(beside.data(), O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = write_text(descriptor, text);
  if (!error && fchmod(descriptor, exists ? old.st_mode & 07777 : mode_of_new_files()) != 0) error = errno;
  if (!error && fsync(descriptor) != 0) error = errno;
  if (close(descriptor) != 0 && !error) error = errno;
  if (!error && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error) unlink(beside.c_str());
  return error;
}

}  // namespace gpulint
