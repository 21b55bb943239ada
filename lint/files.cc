#include "lint/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <set>
#include <thread>

#include "lint/read_file.h"
#include "lint/work_queue.h"

namespace gpulint {
namespace {

constexpr std::size_t kBatchSize = 32;  // files handed to another thread at once
constexpr std::array<std::string_view, 3> kExtensions{".yaml", ".yml", ".json"};

bool has_manifest_name(std::string_view name) {
  for (const std::string_view extension : kExtensions)
    if (name.size() > extension.size() && strncasecmp(name.data() + name.size() - extension.size(), extension.data(), extension.size()) == 0) return true;
  return false;
}

std::string reason_of(int error) { return std::strerror(error); }

// One name for a place however it was written, for "named twice". Symbolic links are not resolved: two names of one file are two files.
std::string identity_of(const std::string& path) {
  std::error_code ignored;
  std::string identity = std::filesystem::absolute(path.empty() ? "." : path, ignored).lexically_normal().string();
  if (identity.size() > 1 && identity.back() == '/') identity.pop_back();
  return identity;
}

// The named places that a walk might meet. Empty when there is only one: then nothing can be met twice and nothing needs to be compared.
using NamedPlaces = std::set<std::string, std::less<>>;

class Reader {
 public:
  Reader(WorkQueue& queue, const NamedPlaces& named, FileReceiver& receiver) : queue_(queue), named_(named), receiver_(receiver) {}

  void run() {
    while (std::optional<Work> work = queue_.next()) {
      if (!work->folder) read_named(work->names.front());
      else if (work->names.empty()) list(work->folder);
      else read_batch(*work);
    }
  }

 private:
  void read_named(const std::string& name) {
    if (name == kStandardInput) return deliver(std::string(kStandardInputName), read_descriptor(STDIN_FILENO, kMaxFileSize, buffer_));
    const ReadResult result = read_file_at(AT_FDCWD, name.empty() ? "." : name.c_str(), kMaxFileSize, buffer_, true);
    if (result.error == EISDIR) list(std::make_shared<Folder>(name));
    else deliver(name, result);
  }

  void read_batch(const Work& batch) {
    for (const std::string& name : batch.names)
      deliver(batch.folder->path_of(name), read_file_at(batch.folder->descriptor(), name.c_str(), kMaxFileSize, buffer_, false));
  }

  void deliver(std::string name, const ReadResult& result) {
    if (result.error) receiver_.unreadable(std::move(name), reason_of(result.error));
    else if (result.too_large) receiver_.not_judged(std::move(name), fmt::format("larger than {} MiB", kMaxFileSize >> 20));
    else receiver_.text(std::move(name), std::string_view(buffer_).substr(0, result.size), buffer_);
  }

  void list(const std::shared_ptr<Folder>& folder) {
    if (const int error = folder->open()) return receiver_.unreadable(folder->name().empty() ? "." : folder->name(), reason_of(error));
    Work batch{folder, {}};
    while (const dirent* entry = folder->next()) {
      if (!meet(*folder, *entry)) continue;
      batch.names.emplace_back(entry->d_name);
      if (batch.names.size() == kBatchSize) hand_over(batch);
    }
    if (folder->error()) receiver_.unreadable(folder->name().empty() ? "." : folder->name(), reason_of(folder->error()));
    read_batch(batch);
  }

  void hand_over(Work& batch) {
    std::shared_ptr<Folder> folder = batch.folder;
    if (!queue_.offer(batch)) read_batch(batch);
    batch = {std::move(folder), {}};
  }

  // Whether the entry is a file to read. Folders are put aside; what is neither, and looks like a manifest, is reported.
  bool meet(const Folder& folder, const dirent& entry) {
    const std::string_view name = entry.d_name;
    const EntryKind kind = folder.kind_of(entry);
    if (kind == EntryKind::folder) {
      if (name != ".git" && !is_named(folder, name)) queue_.add({std::make_shared<Folder>(folder.path_of(name)), {}});
      return false;
    }
    if (kind == EntryKind::link_to_folder) receiver_.not_judged(folder.path_of(name), "symbolic link to a folder");
    if (kind == EntryKind::link_to_folder || !has_manifest_name(name) || is_named(folder, name)) return false;
    if (kind == EntryKind::dangling_link) receiver_.not_judged(folder.path_of(name), "symbolic link to nothing");
    if (kind == EntryKind::other) receiver_.not_judged(folder.path_of(name), "no regular file");
    return kind == EntryKind::file || kind == EntryKind::link_to_file;
  }

  bool is_named(const Folder& folder, std::string_view name) const { return !named_.empty() && named_.contains(identity_of(folder.path_of(name))); }

  WorkQueue& queue_;
  const NamedPlaces& named_;
  FileReceiver& receiver_;
  std::string buffer_;
};

// Each named place once, in the order given.
std::vector<std::string> without_repetition(const std::vector<std::string>& paths, NamedPlaces& named) {
  std::vector<std::string> kept;
  for (const std::string& path : paths) {
    const std::string tidy = path == kStandardInput ? path : tidy_path(path);
    if (named.insert(path == kStandardInput ? path : identity_of(tidy)).second) kept.push_back(tidy);
  }
  if (kept.size() == 1) named.clear();
  return kept;
}

}  // namespace

std::string tidy_path(std::string_view path) {
  std::string tidy;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    const bool root = slash == 0 && tidy.empty();
    if (root) tidy.push_back('/');
    else if (!part.empty() && part != ".") tidy.append(tidy.empty() || tidy.back() == '/' ? "" : "/").append(part);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return tidy;
}

void read_files(const std::vector<std::string>& paths, const std::vector<std::unique_ptr<FileReceiver>>& receivers) {
  NamedPlaces named;
  const std::vector<std::string> places = without_repetition(paths, named);
  struct stat status {};
  const bool alone = places.size() == 1 && !(stat(places[0].empty() ? "." : places[0].c_str(), &status) == 0 && S_ISDIR(status.st_mode));
  const std::size_t threads = alone ? 1 : receivers.size();
  WorkQueue queue(threads);
  for (auto place = places.rbegin(); place != places.rend(); ++place) queue.add({nullptr, {*place}});

  std::vector<std::exception_ptr> failures(threads);
  const auto work = [&](std::size_t i) {
    try {
      Reader(queue, named, *receivers[i]).run();
    } catch (...) {
      failures[i] = std::current_exception();
      queue.stop();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::jthread& thread : others) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gpulint
