// Files: from the words of a command line to the bytes of every manifest they name, read by several threads at once.
// Nothing is passed over silently: what cannot be read or is no file is told to the receiver, what settings and git keep from being read is
// in the answer.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lint/exclusions.h"

namespace gpulint {

/// Larger files are not judged. The largest manifests in use (bundles of CRDs, dumps of a cluster) have some ten MiB; a tree takes up to
/// ten times its text in memory, for each thread.
inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

inline constexpr std::string_view kStandardInput = "-";               ///< on the command line
inline constexpr std::string_view kStandardInputName = "<standard input>";  ///< in reports

/// What one thread does with what it meets. No two threads share one.
class FileReceiver {
 public:
  using Names = std::unordered_set<std::string>;

  virtual ~FileReceiver() = default;
  /// The text of a file. `bytes` views into `buffer`, which the receiver may move away; else it is read into again.
  /// In doubt: git had not yet said whether it ignores the file; if it does, forget() follows.
  virtual void text(std::string name, std::string_view bytes, std::string& buffer, bool in_doubt) = 0;
  /// Something that is there and is no text to judge: a FIFO met in a folder, a file that is too large.
  virtual void not_judged(std::string name, std::string reason) = 0;
  /// Something that was asked for and cannot be read; `reason` is the system's.
  virtual void unreadable(std::string name, std::string reason) = 0;
  /// Everything told under these names was not to be read. Called once, at the end.
  virtual void forget(const Names& names) = 0;
};

struct InputOptions {
  Exclusions exclusions = {};
  bool ask_git = true;  ///< about .gitignore, for folders inside a work tree
  std::string standard_input_name = std::string(kStandardInputName);
};

/// A folder that a program makes manifests of.
struct RenderedFolder {
  enum class Kind : std::uint8_t { chart, kustomization };
  Kind kind = Kind::chart;
  std::string folder;  ///< as reports show it; empty: the working directory
  std::string file;    ///< name of the file in it that says so
  std::optional<std::string> within = {};  ///< the folder, a part of this one, that is asked about; without it: all that is in this one
  auto operator<=>(const RenderedFolder&) const = default;
};

struct PassedOver {
  std::string path, reason;
  auto operator<=>(const PassedOver&) const = default;
};

struct FilesRead {
  std::vector<RenderedFolder> rendered;   ///< ordered
  std::vector<PassedOver> passed_over;    ///< excluded, or ignored by git; ordered. A folder stands for all that is in it
  std::vector<std::string> git_troubles;  ///< why .gitignore was not respected, each once
};

/// Reads every path: `-` is standard input; a file is read whatever its name and kind; a folder is read with all folders below it, but of these
/// only files named .yaml, .yml or .json, never `.git`, nothing that git ignores, and no folder by a symbolic link (so there are no loops).
/// A named file that is a part of a chart or kustomization makes that one be rendered. What is excluded is never read. What is named twice, or named and also met in a named folder, is read once. One thread for each receiver,
/// the calling one among them; a single file starts none. What a receiver throws ends the run and comes out here.
FilesRead read_files(const std::vector<std::string>& paths, const std::vector<std::unique_ptr<FileReceiver>>& receivers,
                     const InputOptions& options = {});

/// A path as reports show it: without `./` in front, doubled slashes and `/./`. `..` stays: behind a symbolic link it means something else.
std::string tidy_path(std::string_view path);

}  // namespace gpulint
