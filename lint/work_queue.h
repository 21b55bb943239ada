// WorkQueue: the folders still to be listed and the files found in them, shared by the threads of a run. The newest work is done first, so that
// what waits is bounded by depth and not by the size of the tree.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lint/folder.h"
#include "lint/ignored_files.h"

namespace gpulint {

struct Work {
  std::shared_ptr<Folder> folder;   ///< null: `names` are paths from the command line
  std::vector<std::string> names;   ///< files in the open folder; empty: the folder itself is to be listed
  std::shared_ptr<IgnoredFiles> ignored = nullptr;  ///< of the work tree it lies in; null: in none
  bool in_doubt = false;            ///< with names: git had not answered when they were met
};

class WorkQueue {
 public:
  explicit WorkQueue(std::size_t threads) : threads_(threads) {}

  void add(Work work);
  /// Leaves the work to another thread when one is idle or will soon be, and says whether it did.
  bool offer(Work& work);
  /// Waits for work; nothing when all is done, or when stop() was called.
  std::optional<Work> next();
  void stop();

 private:
  std::size_t threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Work> waiting_;
  std::size_t batches_ = 0;  ///< of waiting_: with names
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

}  // namespace gpulint
