// FileReader: one thread's part of a walk: takes folders and files off the queue, lists and reads them, and hands texts to its receiver.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/files.h"
#include "lint/read_file.h"
#include "lint/work_queue.h"

namespace gpulint {

/// The named places that a walk might meet. Empty when there is only one: then nothing can be met twice and nothing needs to be compared.
using NamedPlaces = std::set<std::string, std::less<>>;

/// One name for a place however it was written, for "named twice". Symbolic links are not resolved: two names of one file are two files.
std::string identity_of(const std::string& path);

/// Whether a walk reads a file of this name.
bool has_manifest_name(std::string_view name);

class FileReader {
 public:
  FileReader(WorkQueue& queue, const NamedPlaces& named, const InputOptions& options, FileReceiver& receiver)
      : queue_(queue), named_(named), options_(options), receiver_(receiver) {}

  void run();
  /// Once all threads are done: takes back what was not to be read, and adds what was met.
  void finish(FilesRead& read);
  /// Of repositories met below other folders.
  const std::vector<std::shared_ptr<IgnoredFiles>>& nested() const { return nested_; }

 private:
  /// A folder while it is listed.
  struct Listing {
    std::shared_ptr<Folder> folder;
    std::shared_ptr<IgnoredFiles> ignored;
    const IgnoredFiles::Names* ignored_names = nullptr;
    bool in_doubt = false;  ///< git has not answered yet
    Work batch = {};
  };
  /// What is remembered until git has answered.
  struct Doubt {
    std::string name;
    std::shared_ptr<const IgnoredFiles> ignored;
  };

  void read_named(const Work& work);
  void read_batch(const Work& batch);
  void deliver(std::string name, const ReadResult& result, bool in_doubt);
  void list(const std::shared_ptr<Folder>& folder, std::shared_ptr<IgnoredFiles> ignored);
  bool is_top_of_another(const Folder& folder, const IgnoredFiles* ignored) const;
  std::shared_ptr<IgnoredFiles> answered_work_tree(const std::string& folder);
  void hand_over(Listing& listing);
  bool meet(Listing& listing, const dirent& entry);
  void meet_folder(Listing& listing, std::string_view name);
  void note_rendered(const Listing& listing, std::string_view name);
  void note_doubt(const Listing& listing, std::string name);
  bool is_named(const Folder& folder, std::string_view name) const;
  bool is_excluded(const std::string& path, bool is_folder);
  bool is_excluded(const Listing& listing, std::string_view name, bool is_folder);

  WorkQueue& queue_;
  const NamedPlaces& named_;
  const InputOptions& options_;
  FileReceiver& receiver_;
  std::string buffer_;
  std::vector<Doubt> doubts_;
  std::vector<RenderedFolder> rendered_;
  std::vector<PassedOver> passed_over_;
  std::vector<std::shared_ptr<IgnoredFiles>> nested_;
};

}  // namespace gpulint
