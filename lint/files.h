// Files: from the words of a command line to the bytes of every manifest they name, read by several threads at once.
// Nothing is passed over silently: what cannot be read or is no file is told to the receiver.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// Larger files are not judged. The largest manifests in use (bundles of CRDs, dumps of a cluster) have some ten MiB; a tree takes up to
/// ten times its text in memory, for each thread.
inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

inline constexpr std::string_view kStandardInput = "-";               ///< on the command line
inline constexpr std::string_view kStandardInputName = "<standard input>";  ///< in reports

/// What one thread does with what it meets. No two threads share one.
class FileReceiver {
 public:
  virtual ~FileReceiver() = default;
  /// The text of a file. `bytes` views into `buffer`, which the receiver may move away; else it is read into again.
  virtual void text(std::string name, std::string_view bytes, std::string& buffer) = 0;
  /// Something that is there and is no text to judge: a FIFO met in a folder, a file that is too large.
  virtual void not_judged(std::string name, std::string reason) = 0;
  /// Something that was asked for and cannot be read; `reason` is the system's.
  virtual void unreadable(std::string name, std::string reason) = 0;
};

/// Reads every path: `-` is standard input; a file is read whatever its name and kind; a folder is read with all folders below it, but of these
/// only files named .yaml, .yml or .json, never `.git`, and no folder by a symbolic link (so there are no loops). What is named twice, or
/// named and also met in a named folder, is read once. One thread for each receiver, the calling one among them; a single file starts none.
/// What a receiver throws ends the run and comes out here.
void read_files(const std::vector<std::string>& paths, const std::vector<std::unique_ptr<FileReceiver>>& receivers);

/// A path as reports show it: without `./` in front, doubled slashes and `/./`. `..` stays: behind a symbolic link it means something else.
std::string tidy_path(std::string_view path);

}  // namespace gpulint
