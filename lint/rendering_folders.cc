#include "lint/rendering_folders.h"

#include <unistd.h>

#include <algorithm>

#include "lint/file_reader.h"
#include "lint/folder.h"
#include "lint/kustomization.h"

namespace gpulint {
namespace {

constexpr std::string_view kChartFile = "Chart.yaml";

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, std::max<std::size_t>(slash, 1));
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_chart(const std::string& folder) { return access(Folder(folder).path_of(kChartFile).c_str(), F_OK) == 0; }

std::string outermost_chart(std::string chart) {
  while (name_of(folder_of(chart)) == "charts" && is_chart(folder_of(folder_of(chart)))) chart = folder_of(folder_of(chart));
  return chart;
}

std::optional<std::string> chart_of(const std::string& file) {
  const std::string beside = folder_of(file);
  if (name_of(file).starts_with("values") && is_chart(beside)) return outermost_chart(beside);
  for (std::string at = beside; !at.empty() && at != "/"; at = folder_of(at))
    if (name_of(at) == "templates" && is_chart(folder_of(at))) return outermost_chart(folder_of(at));
  return std::nullopt;
}

// The name of a folder some levels up, as reports show it.
std::string levels_up(const std::string& folder, std::size_t levels) {
  std::string name = folder;
  for (; levels > 0 && !name.empty() && name_of(name) != ".."; --levels) name = folder_of(name);
  for (; levels > 0; --levels) name += name.empty() ? ".." : "/..";
  return name;
}

bool lists(const Kustomization& kustomization, const std::string& file) {
  const auto has = [&](const std::vector<std::string>& files) { return std::find(files.begin(), files.end(), file) != files.end(); };
  return has(kustomization.resources) || has(kustomization.patches);
}

}  // namespace

std::optional<RenderedFolder::Kind> rendered_by(std::string_view file_name) {
  if (file_name == kChartFile) return RenderedFolder::Kind::chart;
  for (const std::string_view name : kKustomizationNames)
    if (file_name == name) return RenderedFolder::Kind::kustomization;
  return std::nullopt;
}

std::optional<RenderedFolder> chart_around(const std::string& folder) {
  std::size_t levels = 1;
  for (std::string at = identity_of(folder); at.size() > 1; at = folder_of(at), ++levels)
    if (name_of(at) == "templates" && is_chart(folder_of(at))) {
      const std::string own = folder_of(at), chart = outermost_chart(own);
      levels += static_cast<std::size_t>(std::count(own.begin() + static_cast<std::ptrdiff_t>(chart.size()), own.end(), '/'));
      return RenderedFolder{RenderedFolder::Kind::chart, levels_up(folder, levels), std::string(kChartFile), folder};
    }
  return std::nullopt;
}

std::vector<RenderedFolder> folders_rendering(const std::string& file) {
  const std::string folder = folder_of(file);
  if (const auto kind = rendered_by(name_of(file))) return {{*kind, folder, std::string(name_of(file))}};
  std::vector<RenderedFolder> folders;
  if (const auto chart = chart_of(file)) folders.push_back({RenderedFolder::Kind::chart, *chart, std::string(kChartFile)});
  else if (auto around = chart_around(folder)) folders.push_back(std::move(*around));  // its name does not show it: the working directory is in there
  for (const std::string_view name : kKustomizationNames)
    if (const auto read = read_kustomization(folder, Folder(folder).path_of(name)); read && lists(*read, file))
      folders.push_back({RenderedFolder::Kind::kustomization, folder, std::string(name)});
  return folders;
}

}  // namespace gpulint
