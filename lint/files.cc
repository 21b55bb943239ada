#include "lint/files.h"

#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "lint/file_reader.h"

namespace gpulint {
namespace {

bool is_folder(const std::string& path) {
  struct stat status {};
  return path != kStandardInput && stat(path.empty() ? "." : path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

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

void run_all(const std::vector<std::unique_ptr<FileReader>>& readers, WorkQueue& queue) {
  std::vector<std::exception_ptr> failures(readers.size());
  const auto work = [&](std::size_t i) {
    try {
      readers[i]->run();
    } catch (...) {
      failures[i] = std::current_exception();
      queue.stop();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < readers.size(); ++i) others.emplace_back(work, i);
    work(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// Of the ignored files only those count that would have been read.
void add_ignored(const IgnoredFiles& work_tree, FilesRead& read) {
  if (!work_tree.trouble().empty()) read.git_troubles.push_back(work_tree.trouble());
  for (std::string& place : work_tree.places())
    if (place.ends_with('/') || has_manifest_name(place)) read.passed_over.push_back({std::move(place), "ignored by git"});
}

template <class T>
void order(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

void put_in_order(FilesRead& read) {
  order(read.rendered);
  order(read.passed_over);
  order(read.git_troubles);
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

FilesRead read_files(const std::vector<std::string>& paths, const std::vector<std::unique_ptr<FileReceiver>>& receivers, const InputOptions& options) {
  NamedPlaces named;
  const std::vector<std::string> places = without_repetition(paths, named);
  const std::size_t threads = places.size() == 1 && !is_folder(places[0]) ? 1 : receivers.size();
  WorkQueue queue(threads);
  std::vector<std::shared_ptr<IgnoredFiles>> work_trees;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    std::shared_ptr<IgnoredFiles> ignored;
    // git works while the walk begins: what is met before it has answered is taken back if need be.
    if (options.ask_git && is_folder(*place) && is_in_work_tree(*place)) work_trees.push_back(ignored = std::make_shared<IgnoredFiles>(*place));
    queue.add({nullptr, {*place}, std::move(ignored)});
  }
  std::vector<std::unique_ptr<FileReader>> readers;
  for (std::size_t i = 0; i < threads; ++i) readers.push_back(std::make_unique<FileReader>(queue, named, options, *receivers[i]));
  run_all(readers, queue);

  FilesRead read;
  for (const auto& work_tree : work_trees) work_tree->wait();
  for (const auto& reader : readers) {
    reader->finish(read);
    work_trees.insert(work_trees.end(), reader->nested().begin(), reader->nested().end());
  }
  for (const auto& work_tree : work_trees) add_ignored(*work_tree, read);
  put_in_order(read);
  return read;
}

}  // namespace gpulint
