#include "lint/chart.h"

#include <algorithm>
#include <filesystem>

#include "lint/file_reader.h"
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

// What `tell` makes of Chart.yaml; nothing where it cannot be read.
template <class Tell>
void read_description(const std::string& folder, Tell tell) {
  const std::string file = Folder(folder).path_of("Chart.yaml");
  std::optional<std::string> text = text_of_file(file, kMaxSize);
  if (!text) return;
  const Source source(file, std::move(*text));
  const Documents documents = read_manifest(source, {});
  if (!documents.list.empty() && documents.list[0].root) tell(*documents.list[0].root);
}

std::string text_at(const Node& mapping, std::string_view key) {
  const Node* node = mapping.find(key);
  return node && node->is_scalar() ? std::string(node->text) : std::string();
}

bool is_library(const std::string& folder) {
  bool library = false;
  read_description(folder, [&](const Node& root) { library = text_at(root, "type") == "library"; });
  return library;
}

// The folder of what helm calls `charts/<name>`: a dependency with an alias goes by that.
std::string subchart(const std::string& folder, const std::string& name) {
  std::string found = name;
  std::error_code error;
  if (fs::is_directory(Folder(folder).path_of("charts/" + name), error)) return Folder(folder).path_of("charts/" + name);
  read_description(folder, [&](const Node& root) {
    const Node* dependencies = root.find("dependencies");
    if (!dependencies || !dependencies->is_sequence()) return;
    for (const Node& one : *dependencies)
      if (text_at(one, "alias") == name) found = text_at(one, "name");
  });
  return Folder(folder).path_of("charts/" + found);
}

}  // namespace

std::string Chart::file_of(std::string_view source) const {
  constexpr std::string_view kCharts = "charts/";
  source.remove_prefix(std::min(source.find('/'), source.size() - 1) + 1);
  std::string at = folder;
  while (source.starts_with(kCharts) && source.find('/', kCharts.size()) != source.npos) {
    source.remove_prefix(kCharts.size());
    const std::size_t slash = source.find('/');
    at = subchart(at, std::string(source.substr(0, slash)));
    source.remove_prefix(slash + 1);
  }
  const std::string path = Folder(at).path_of(source);
  std::error_code error;
  return fs::is_regular_file(path, error) ? path : Folder(folder).path_of("Chart.yaml");
}

std::optional<std::string> Chart::shown(const std::string& file) const {
  if (within.empty()) return file;
  const std::string identity = identity_of(file);
  for (const std::string& place : within)
    if (const std::string inside = identity_of(place) + "/"; identity.starts_with(inside)) return Folder(place).path_of(identity.substr(inside.size()));
  return std::nullopt;
}

bool Chart::has_template(std::string_view path) const {
  if (!within.empty()) return shown(std::string(path)).has_value();
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
