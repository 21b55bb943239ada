// Folder: one folder while it is listed, and its entries as far as listing tells what they are.
#pragma once
#include <dirent.h>

#include <cstdint>
#include <string>

namespace gpulint {

enum class EntryKind : std::uint8_t { file, folder, link_to_file, link_to_folder, dangling_link, other };

class Folder {
 public:
  /// `name` as reports show it; empty is the working directory.
  explicit Folder(std::string name) : name_(std::move(name)) {}
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  int open();                ///< 0, or errno
  const dirent* next();      ///< without `.` and `..`; null at the end or on a failure (error())
  int error() const { return error_; }
  int descriptor() const;    ///< of the open folder
  EntryKind kind_of(const dirent& entry) const;

  const std::string& name() const { return name_; }
  std::string path_of(std::string_view entry) const;

 private:
  std::string name_;
  DIR* stream_ = nullptr;
  int error_ = 0;
};

/// The name of a folder where one must stand: `.` for the working directory.
inline std::string shown(const std::string& folder) { return folder.empty() ? "." : folder; }

/// Whether something has that name; a symbolic link to nothing too, for nothing else can be made there.
bool is_there(const std::string& path);

}  // namespace gpulint
