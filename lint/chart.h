// Chart: a folder that helm makes manifests of, as far as its files tell without helm.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/policy.h"

namespace gpulint {

struct Chart {
  std::string folder;       ///< as reports show it; empty: the working directory
  bool is_library = false;  ///< only used by other charts; helm does not render it by itself
  /// The folders of templates that it renders: its own and those of the charts in its `charts` folder, with a slash at the end.
  std::vector<std::string> templates = {};
  /// Where it was asked about these parts of it alone.
  std::vector<std::string> within = {};

  /// The file that helm calls `app/charts/sub/templates/x.yaml`; Chart.yaml where there is none (in an archive, or under another name).
  std::string file_of(std::string_view source) const;
  /// A file of the chart as its name begins with the folder that was asked about; nothing where it lies in none of those.
  std::optional<std::string> shown(const std::string& file) const;
  /// Whether `path` is Chart.yaml, values.yaml or values.schema.json of one of these charts.
  bool has_description(std::string_view path) const;
  /// Whether `path` lies in one of the folders of templates.
  bool has_template(std::string_view path) const;
};

/// The charts among these folders that are not part of another one.
std::vector<Chart> charts_of(const std::set<std::string>& folders);

/// Whether a GPU word stands in the chart (crds aside, which are no templates), or may: in an archive of a dependency.
bool mentions_gpu(const Chart& chart, const Policy& policy);

}  // namespace gpulint
