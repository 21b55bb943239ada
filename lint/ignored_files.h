// IgnoredFiles: what git ignores below a folder of a work tree. git itself is asked (.gitignore, .git/info/exclude and core.excludesFile, tracked
// files never), so that a manifest is passed over exactly when git would not see it.
#pragma once
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gpulint {

/// Whether the folder itself is the top of a work tree: holds a `.git` that is a repository, or the file that names one.
bool is_work_tree_top(int folder);
/// Whether the folder or one above it is such a top. `folder` may be relative; empty is the working directory.
bool is_in_work_tree(const std::string& folder);

class IgnoredFiles {
 public:
  using Names = std::unordered_set<std::string>;

  /// `folder` as reports name it: names are compared with paths below it. Starts git and does not wait for it.
  explicit IgnoredFiles(std::string folder);
  /// For tests and for a folder whose answer is known: git is not asked. The text is that of `git ls-files -z`.
  IgnoredFiles(std::string folder, std::string_view answer);

  /// Whether git has answered. It may at any moment: who acts on it asks once.
  bool is_ready() const { return ready_; }
  /// Until git has answered, or 60 seconds. Any thread may.
  void wait() const { ready_.wait(false); }

  // The rest is to be asked when all is ready.

  /// What is ignored directly in this folder; null: nothing.
  const Names* names_in(const std::string& folder) const;
  /// Whether a path below the folder, or a folder it lies in, is ignored.
  bool covers(std::string_view path) const;
  /// The outermost ignored places, folders with a slash at their end: what lies in an ignored folder is not listed again.
  std::vector<std::string> places() const;
  const std::string& folder() const { return folder_; }
  /// Why git could not say anything; empty when it could. Then nothing is ignored.
  const std::string& trouble() const { return trouble_; }

 private:
  void ask();
  void take(std::string_view answer);
  std::string below(std::string_view path) const;

  std::string folder_, trouble_;
  std::unordered_map<std::string, Names> by_folder_;
  std::vector<std::string> all_;
  std::atomic<bool> ready_ = false;
  std::jthread asking_;  // the last member: ends before what it writes to
};

}  // namespace gpulint
