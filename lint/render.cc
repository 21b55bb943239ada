#include "lint/render.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lint/read_file.h"

namespace gpulint {
namespace {

constexpr std::size_t kSearchedSize = std::size_t{16} << 20;

}  // namespace

bool may_be_rendered(std::string_view path) { return path.starts_with("templates/") || path.find("/templates/") != path.npos; }

bool mentions_gpu(const std::string& file, const Policy& policy) {
  static thread_local std::string bytes;  // a repository has thousands of these to ask about
  const ReadResult result = read_file_at(AT_FDCWD, file.c_str(), kSearchedSize, bytes, false);
  return result.too_large || (!result.error && policy.words().found_in(std::string_view(bytes).substr(0, result.size)));
}

bool Rendering::mentions_gpu(const std::string& file, const Policy& of_file) const {
  // With overrides a word here (a taint) may be none there.
  const bool known = policy.overrides.empty() && std::binary_search(wordless.begin(), wordless.end(), std::hash<std::string>()(file));
  return !known && gpulint::mentions_gpu(file, of_file);
}

void forget_no_object(FileReport& report) {
  std::erase_if(report.not_judged, [](const NotJudged& one) { return one.reason == "no Kubernetes object or chart values"; });
}

void mark_rendered(Finding& finding, const std::string& command) {
  finding.fix.reset();
  finding.rendered_by = command;
  finding.message += fmt::format(" (rendered by {})", command.substr(0, command.find(' ')));
}

void place_at_top(Finding& finding) {
  finding.excerpt.erase(0, std::min(finding.excerpt.find_first_not_of(' '), finding.excerpt.size()));
  finding.excerpt_column = 1;
  finding.excerpt_is_output = true;
  finding.range = {{1, 1}, {1, 2}};
}

void render(const std::vector<RenderedFolder>& folders, Rendering rendering) {
  if (!rendering.options.enabled) return;
  std::vector<RenderedFolder> charts, kustomizations;
  for (const RenderedFolder& one : folders) (one.kind == RenderedFolder::Kind::chart ? charts : kustomizations).push_back(one);
  render_charts(charts, rendering);
  render_kustomizations(kustomizations, rendering);
  std::stable_sort(rendering.reports.begin(), rendering.reports.end(), [](const NamedReport& a, const NamedReport& b) { return a.name < b.name; });
  std::sort(rendering.passed_over.begin(), rendering.passed_over.end());
}

}  // namespace gpulint
