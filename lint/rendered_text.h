// What a program made of a chart or a kustomization, and how it is called.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The outcome of one rendering.
struct RenderedText {
  std::string command;  ///< as somebody would write it who wants to see the same: `helm template charts/app --values prod.yaml`
  std::string text;
  std::string trouble;  ///< why there is none: the program's own first words, or that it is not installed; empty: there is
};

/// `helm template` on the chart's folder. Values files are opened by these names.
RenderedText render_chart(const std::string& folder, const std::vector<std::string>& values, std::chrono::seconds timeout);

/// `kustomize build`, or `kubectl kustomize` where kustomize is not installed.
RenderedText render_kustomization(const std::string& folder, std::chrono::seconds timeout);

/// The manifests that helm made of one template.
struct TemplateOutput {
  std::string source;  ///< as helm names it: the chart's name, then the way below its folder
  std::string text;    ///< all of them, each behind a `---`
};

/// Splits the output of `helm template` at its `# Source:` comments; templates in the order in which they come first.
std::vector<TemplateOutput> split_by_template(std::string_view output);

}  // namespace gpulint
