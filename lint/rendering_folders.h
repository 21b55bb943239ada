// RenderingFolders: the charts and kustomizations that a named file is a part of. Hooks name files one by one; a template or a patch by itself
// is no manifest, so what it belongs to is rendered.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/files.h"

namespace gpulint {

/// What a file of this name makes of its folder: Chart.yaml a chart, kustomization.yaml and its other names a kustomization.
std::optional<RenderedFolder::Kind> rendered_by(std::string_view file_name);

/// The folder itself when the file is one of these; the chart whose template or values it is (of a chart in a `charts` folder: the outermost);
/// the kustomization beside it that lists it.
std::vector<RenderedFolder> folders_rendering(const std::string& file);

/// The chart whose templates lie in this folder or around it.
std::optional<RenderedFolder> chart_around(const std::string& folder);

}  // namespace gpulint
