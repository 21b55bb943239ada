// Rendering: charts and kustomizations are judged as helm and kustomize make manifests of them, each finding at the file it comes from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/files.h"
#include "rules/engine/effective_policies.h"
#include "rules/engine/engine.h"

namespace gpulint {

struct RenderOptions {
  bool enabled = false;
  std::vector<std::string> values = {};  ///< values files for every chart, behind those of the configuration
};

struct NamedReport {
  std::string name;
  FileReport report;
};

/// Whether a rendering may take the place of what was read here, so that its counts must be kept apart.
bool may_be_rendered(std::string_view path);

/// What a run knows before it renders, and what the renderings change.
struct Rendering {
  const EffectivePolicies& policies;
  const Policy& policy;
  const RenderOptions& options;
  const Exclusions& exclusions;
  unsigned threads = 1;
  std::vector<NamedReport>& reports;  ///< of the files as they stand
  FileReport& rest;                   ///< folders that could not be rendered are added to its not_judged
  std::vector<PassedOver>& passed_over;
  std::vector<NotJudged>& unreadable;  ///< values files that are not there are added
  const std::vector<std::size_t>& wordless;  ///< hashes of the names of files that were read and hold no GPU word, ordered

  /// Whether the file holds a GPU word of these settings, or is too large to tell.
  bool mentions_gpu(const std::string& file, const Policy& of_file) const;
};

/// Renders the folders that hold a GPU word and judges what comes out. Reports of files change where a rendering knows better: templates of a
/// chart and patches of a kustomization are judged by what they become, resources of a kustomization by what is left of them. Where a folder
/// cannot be rendered its files stay judged as they stand.
void render(const std::vector<RenderedFolder>& folders, Rendering rendering);

/// Its two halves. Folders are those of their kind.
void render_charts(const std::vector<RenderedFolder>& folders, Rendering& rendering);
void render_kustomizations(const std::vector<RenderedFolder>& folders, Rendering& rendering);

/// As in Rendering, of a file that nothing is known of.
bool mentions_gpu(const std::string& file, const Policy& policy);

/// A file that went into a rendering was judged in it: that it holds no object by itself is nothing to tell.
void forget_no_object(FileReport& report);

/// Marks a finding as one about a program's output: no fix, for it would mend the output, and a message that says where to look.
void mark_rendered(Finding& finding, const std::string& command);
/// Where a finding goes that no line of its file shows: to the first line. Its excerpt stays what the program printed.
void place_at_top(Finding& finding);

}  // namespace gpulint
