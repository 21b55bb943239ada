#include "lint/folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string_view>

namespace gpulint {
namespace {

EntryKind kind_of_mode(mode_t mode) { return S_ISREG(mode) ? EntryKind::file : S_ISDIR(mode) ? EntryKind::folder : EntryKind::other; }

}  // namespace

Folder::~Folder() {
  if (stream_) closedir(stream_);
}

int Folder::open() {
  stream_ = opendir(name_.empty() ? "." : name_.c_str());
  return stream_ ? 0 : errno;
}

const dirent* Folder::next() {
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(stream_);
    if (!entry) {
      error_ = errno;
      return nullptr;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return entry;
  }
}

int Folder::descriptor() const { return dirfd(stream_); }

EntryKind Folder::kind_of(const dirent& entry) const {
  if (entry.d_type == DT_REG) return EntryKind::file;
  if (entry.d_type == DT_DIR) return EntryKind::folder;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return EntryKind::other;
  // Some file systems do not say what an entry is.
  struct stat status {};
  if (fstatat(descriptor(), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return EntryKind::file;  // reading it will say why
  if (!S_ISLNK(status.st_mode)) return kind_of_mode(status.st_mode);
  if (fstatat(descriptor(), entry.d_name, &status, 0) != 0) return EntryKind::dangling_link;
  switch (kind_of_mode(status.st_mode)) {
    case EntryKind::file: return EntryKind::link_to_file;
    case EntryKind::folder: return EntryKind::link_to_folder;
    default: return EntryKind::other;
  }
}

std::string Folder::path_of(std::string_view entry) const {
  std::string path = name_;
  if (!path.empty() && path.back() != '/') path += '/';
  return path += entry;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

}  // namespace gpulint
