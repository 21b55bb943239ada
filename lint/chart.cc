#include "lint/chart.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>

#include "lint/folder.h"
#include "lint/read_file.h"
#include "lint/render.h"
#include "rules/document/document.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSize = std::size_t{16} << 20;

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash);
}

// The chart whose `charts` folder this one lies in, if it is among `folders`; itself when there is none.
std::string owner_of(const std::string& folder, const std::set<std::string>& folders) {
  const std::string parent = parent_of(folder);
  const bool in_charts = parent == "charts" || parent.ends_with("/charts");
  if (!in_charts || !folders.contains(parent_of(parent))) return folder;
  return owner_of(parent_of(parent), folders);
}

bool is_library(const std::string& folder) {
  std::string bytes;
  const std::string file = Folder(folder).path_of("Chart.yaml");
  const ReadResult result = read_file_at(AT_FDCWD, file.c_str(), kMaxSize, bytes, false);
  if (result.error || result.too_large) return false;
  bytes.resize(result.size);
  const Source source(file, std::move(bytes));
  const Documents documents = read_manifest(source, {});
  const Node* type = documents.list.empty() || !documents.list[0].root ? nullptr : documents.list[0].root->find("type");
  return type && type->text == "library";
}

}  // namespace

std::string Chart::file_of(std::string_view source) const {
  const std::string path = Folder(folder).path_of(source.substr(std::min(source.find('/'), source.size() - 1) + 1));
  std::error_code error;
  return fs::is_regular_file(path, error) ? path : Folder(folder).path_of("Chart.yaml");
}

bool Chart::has_template(std::string_view path) const {
  return std::any_of(templates.begin(), templates.end(), [&](const std::string& place) { return path.starts_with(place); });
}

bool Chart::has_description(std::string_view path) const {
  return std::any_of(templates.begin(), templates.end(), [&](std::string_view place) {
    place.remove_suffix(std::string_view("templates/").size());
    if (!path.starts_with(place)) return false;
    const std::string_view name = path.substr(place.size());
    return name == "Chart.yaml" || name == "values.yaml" || name == "values.schema.json";
  });
}

std::vector<Chart> charts_of(const std::set<std::string>& folders) {
  std::vector<Chart> charts;
  for (const std::string& folder : folders)
    if (owner_of(folder, folders) == folder) charts.push_back({folder, is_library(folder)});
  for (const std::string& folder : folders) {
    const std::string owner = owner_of(folder, folders);
    const auto chart = std::find_if(charts.begin(), charts.end(), [&](const Chart& one) { return one.folder == owner; });
    chart->templates.push_back(Folder(folder).path_of("templates/"));
  }
  return charts;
}

bool mentions_gpu(const Chart& chart, const Policy& policy) {
  std::error_code error;
  const fs::path top = chart.folder.empty() ? "." : chart.folder;
  for (fs::recursive_directory_iterator at(top, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && at.depth() == 0 && at->path().filename() == "crds") at.disable_recursion_pending();
    if (!at->is_regular_file(ignored)) continue;
    if (at->path().extension() == ".tgz" || mentions_gpu(at->path().string(), policy)) return true;
  }
  return static_cast<bool>(error);
}

}  // namespace gpulint
