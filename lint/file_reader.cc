#include "lint/file_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "lint/rendering_folders.h"

namespace gpulint {
namespace {

constexpr std::size_t kBatchSize = 32;  // files handed to another thread at once
constexpr std::array<std::string_view, 3> kExtensions{".yaml", ".yml", ".json"};

std::string reason_of(int error) { return std::strerror(error); }

std::string path_of(const RenderedFolder& rendered) { return Folder(rendered.folder).path_of(rendered.file); }

std::string_view no_file(EntryKind kind) {
  switch (kind) {
    case EntryKind::link_to_folder: return "symbolic link to a folder";
    case EntryKind::dangling_link: return "symbolic link to nothing";
    default: return "no regular file";
  }
}

}  // namespace

bool has_manifest_name(std::string_view name) {
  for (const std::string_view extension : kExtensions)
    if (name.size() > extension.size() && strncasecmp(name.data() + name.size() - extension.size(), extension.data(), extension.size()) == 0) return true;
  return false;
}

std::string identity_of(const std::string& path) {
  std::error_code ignored;
  std::string identity = std::filesystem::absolute(shown(path), ignored).lexically_normal().string();
  if (identity.size() > 1 && identity.back() == '/') identity.pop_back();
  return identity;
}

void FileReader::run() {
  while (std::optional<Work> work = queue_.next()) {
    if (!work->folder) read_named(*work);
    else if (work->names.empty()) list(work->folder, work->ignored);
    else read_batch(*work);
  }
}

void FileReader::finish(FilesRead& read) {
  FileReceiver::Names ignored;
  for (const Doubt& doubt : doubts_)
    if (doubt.ignored->covers(doubt.name)) ignored.insert(doubt.name);
  if (!ignored.empty()) receiver_.forget(ignored);
  for (RenderedFolder& one : rendered_)
    if (!ignored.contains(path_of(one))) read.rendered.push_back(std::move(one));
  for (PassedOver& one : passed_over_)
    if (!ignored.contains(tidy_path(one.path))) read.passed_over.push_back(std::move(one));
}

void FileReader::read_named(const Work& work) {
  const std::string& name = work.names.front();
  if (name == kStandardInput) {
    if (is_excluded(options_.standard_input_name, false)) return;
    return deliver(options_.standard_input_name, read_descriptor(STDIN_FILENO, kMaxFileSize, buffer_), false);
  }
  if (is_excluded(name, false)) return;
  const ReadResult result = read_file_at(AT_FDCWD, shown(name).c_str(), kMaxFileSize, buffer_, true);
  if (result.error == EISDIR) {
    if (is_excluded(name, true)) return;
    if (auto chart = chart_around(name)) rendered_.push_back(std::move(*chart));
    list(std::make_shared<Folder>(name), work.ignored);
    return;
  }
  if (!result.error)
    for (RenderedFolder& folder : folders_rendering(name)) rendered_.push_back(std::move(folder));
  deliver(shown(name), result, false);
}

void FileReader::read_batch(const Work& batch) {
  for (const std::string& entry : batch.names) {
    std::string name = batch.folder->path_of(entry);
    if (batch.in_doubt) doubts_.push_back({name, batch.ignored});
    deliver(std::move(name), read_file_at(batch.folder->descriptor(), entry.c_str(), kMaxFileSize, buffer_, false), batch.in_doubt);
  }
}

void FileReader::deliver(std::string name, const ReadResult& result, bool in_doubt) {
  if (result.error) receiver_.unreadable(std::move(name), reason_of(result.error));
  else if (result.too_large) receiver_.not_judged(std::move(name), fmt::format("larger than {} MiB", kMaxFileSize >> 20));
  else receiver_.text(std::move(name), std::string_view(buffer_).substr(0, result.size), buffer_, in_doubt);
}

void FileReader::list(const std::shared_ptr<Folder>& folder, std::shared_ptr<IgnoredFiles> ignored) {
  const int error = folder->open();
  const bool is_top = !error && is_top_of_another(*folder, ignored.get());
  // What a work tree ignores is decided before the rules of the one below it count.
  if (is_top && ignored) ignored->wait();
  // git may answer at any moment, so it is asked once. The folder may have been met before.
  bool in_doubt = ignored && !ignored->is_ready();
  if (ignored && !in_doubt && ignored->covers(folder->name())) return;
  if (is_top) {
    ignored = answered_work_tree(folder->name());
    in_doubt = false;
  }
  Listing listing{folder, ignored, ignored && !in_doubt ? ignored->names_in(folder->name()) : nullptr, in_doubt};
  if (error) {
    note_doubt(listing, shown(folder->name()));
    return receiver_.unreadable(shown(folder->name()), reason_of(error));
  }
  listing.batch = {folder, {}, ignored, listing.in_doubt};
  while (const dirent* entry = folder->next()) {
    if (!meet(listing, *entry)) continue;
    listing.batch.names.emplace_back(entry->d_name);
    if (listing.batch.names.size() == kBatchSize) hand_over(listing);
  }
  if (folder->error()) receiver_.unreadable(shown(folder->name()), reason_of(folder->error()));
  read_batch(listing.batch);
}

bool FileReader::is_top_of_another(const Folder& folder, const IgnoredFiles* ignored) const {
  return options_.ask_git && !(ignored && ignored->folder() == folder.name()) && is_work_tree_top(folder.descriptor());
}

// Repositories below a folder (submodules, clones beside each other) have rules of their own, which are waited for.
std::shared_ptr<IgnoredFiles> FileReader::answered_work_tree(const std::string& folder) {
  nested_.push_back(std::make_shared<IgnoredFiles>(folder));
  nested_.back()->wait();
  return nested_.back();
}

void FileReader::hand_over(Listing& listing) {
  if (!queue_.offer(listing.batch)) read_batch(listing.batch);
  listing.batch = {listing.folder, {}, listing.ignored, listing.in_doubt};
}

// Whether the entry is a file to read. Folders are put aside; what is neither, and looks like a manifest, is reported.
bool FileReader::meet(Listing& listing, const dirent& entry) {
  const std::string_view name = entry.d_name;
  if (listing.ignored_names && listing.ignored_names->contains(entry.d_name)) return false;
  const Folder& folder = *listing.folder;
  const EntryKind kind = folder.kind_of(entry);
  if (kind == EntryKind::folder) {
    meet_folder(listing, name);
    return false;
  }
  const bool is_file = kind == EntryKind::file || kind == EntryKind::link_to_file;
  if (is_file) note_rendered(listing, name);
  if (kind != EntryKind::link_to_folder && !has_manifest_name(name)) return false;
  if (is_named(folder, name) || is_excluded(listing, name, kind == EntryKind::link_to_folder)) return false;
  if (!is_file) {
    note_doubt(listing, folder.path_of(name));
    receiver_.not_judged(folder.path_of(name), std::string(no_file(kind)));
  }
  return is_file;
}

void FileReader::meet_folder(Listing& listing, std::string_view name) {
  if (name == ".git" || is_named(*listing.folder, name) || is_excluded(listing, name, true)) return;
  queue_.add({std::make_shared<Folder>(listing.folder->path_of(name)), {}, listing.ignored});
}

void FileReader::note_rendered(const Listing& listing, std::string_view name) {
  const auto kind = rendered_by(name);
  const std::string& folder = listing.folder->name();
  if (!kind || !options_.exclusions.reason(listing.folder->path_of(name), false).empty()) return;
  rendered_.push_back({*kind, folder, std::string(name)});
  note_doubt(listing, listing.folder->path_of(name));
}

void FileReader::note_doubt(const Listing& listing, std::string name) {
  if (listing.in_doubt) doubts_.push_back({std::move(name), listing.ignored});
}

bool FileReader::is_named(const Folder& folder, std::string_view name) const {
  return !named_.empty() && named_.contains(identity_of(folder.path_of(name)));
}

bool FileReader::is_excluded(const std::string& path, bool is_folder) {
  const std::string_view reason = options_.exclusions.reason(path, is_folder);
  if (!reason.empty()) passed_over_.push_back({is_folder ? path + "/" : path, std::string(reason)});
  return !reason.empty();
}

bool FileReader::is_excluded(const Listing& listing, std::string_view name, bool is_folder) {
  std::string path = listing.folder->path_of(name);
  if (!is_excluded(path, is_folder)) return false;
  note_doubt(listing, std::move(path));
  return true;
}

}  // namespace gpulint
