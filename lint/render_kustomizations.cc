// Kustomizations: each that no other one builds on through `kustomize build`. What they print is what reaches the cluster, so a finding about a
// resource's file holds when a kustomization still shows it, and a patch is judged by what it makes of its target.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "lint/file_reader.h"
#include "lint/object_sources.h"
#include "lint/parallel.h"
#include "lint/render.h"
#include "lint/rendered_text.h"
#include "rules/engine/ignore_entries.h"

namespace gpulint {
namespace {

struct Top {
  Kustomization kustomization;
  KustomizationParts parts;
  bool rendered = false;
  NamedReport report = {};
  std::string trouble = {};
};

bool is_wanted(const Top& top, const Policy& policy, const Rendering& rendering) {
  const KustomizationParts& parts = top.parts;
  const auto mentions_gpu = [&](const std::set<std::string>& files) {
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) { return rendering.mentions_gpu(file, policy); });
  };
  return parts.reaches_out || mentions_gpu(parts.kustomizations) || mentions_gpu(parts.resources) || mentions_gpu(parts.patches) ||
         mentions_gpu(parts.other_files);
}

std::vector<Top> tops_of(const std::vector<RenderedFolder>& folders, unsigned threads, std::vector<PassedOver>& passed_over) {
  std::vector<std::optional<Top>> found(folders.size());
  for_each_in_parallel(folders.size(), threads, [&](std::size_t i) {
    const RenderedFolder& one = folders[i];
    if (auto read = read_kustomization(one.folder, Folder(one.folder).path_of(one.file))) found[i] = Top{*read, parts_of(*read)};
  });
  std::vector<Top> all;
  for (std::optional<Top>& top : found)
    if (top) all.push_back(std::move(*top));
  std::set<std::string> below;
  for (const Top& top : all)
    for (const std::string& folder : top.parts.folders) below.insert(identity_of(folder));
  std::erase_if(all, [&](const Top& top) {
    if (below.contains(identity_of(top.kustomization.folder))) return true;
    if (top.kustomization.is_component) passed_over.push_back({top.kustomization.file, "judged in the kustomizations that use them (component)"});
    return top.kustomization.is_component;
  });
  return all;
}

// Findings at the files that say so, where one does; the others stay at the kustomization's first line.
// What is placed in an excluded file is not said.
void place_all(const Top& top, const std::string& command, const Source& output, const Rendering& rendering, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const ObjectSources sources(top.parts);
  const Documents documents = read_manifest(output, {});
  for (Finding& finding : findings) {
    const Node* root = finding.document < documents.list.size() ? documents.list[finding.document].root : nullptr;
    mark_rendered(finding, command);
    if (!root || !sources.place(*root, finding)) place_at_top(finding);
  }
  std::erase_if(findings, [&](const Finding& finding) { return !rendering.exclusions.reason(finding.file, false).empty(); });
  const Policy& policy = rendering.policies.of(top.kustomization.file);
  if (policy.honour_suppressions) suppress_by_configuration(policy, findings, 0);
}

void render_top(Top& top, const Rendering& rendering) {
  const std::string& file = top.kustomization.file;
  const Policy& policy = rendering.policies.of(file);
  if (!is_wanted(top, policy, rendering)) return;
  RenderedText rendered = render_kustomization(top.kustomization.folder, std::chrono::seconds(policy.render.timeout));
  top.trouble = rendered.trouble;
  if (!top.trouble.empty()) return;
  const Source output(file, std::move(rendered.text));
  FileReport report = inspect(output, policy);
  place_all(top, rendered.command, output, rendering, report.findings);
  place_all(top, rendered.command, output, rendering, report.proposed);
  // Its files are counted as files; what has no GPU word in them was counted there.
  report.counts.files = 0;
  report.counts.documents -= report.counts.skipped_documents;
  report.counts.skipped_documents = 0;
  report.counts.renderings = 1;
  top.report = {file, std::move(report)};
  top.rendered = true;
}

/// One finding whether it was seen in a file or in what became of it.
using Key = std::tuple<const Rule*, std::string, std::size_t, std::string, std::string>;
Key key_of(const Finding& finding) {
  return {finding.rule, identity_of(finding.file), finding.document, finding.pointer.text(), finding.container};
}

// What is wrong with a text stays so, whatever is made of it.
bool is_about_text(const Finding& finding) {
  return finding.rule->check.scope == Scope::document || finding.rule->id == "invalid-manifest" || finding.rule->id == "unrendered-template";
}

struct Said {
  Severity severity;
  std::string message;
  std::optional<Suppression> suppressed;
};

/// What all renderings say, compared with what the files say by themselves.
class Comparison {
 public:
  void add(Top& top) {
    for (const std::string& file : top.parts.resources) resources_.insert(identity_of(file));
    for (const std::string& file : top.parts.patches) patches_.insert(identity_of(file));
    for (const std::string& file : top.parts.kustomizations) inputs_.insert(identity_of(file));
    for (const std::string& file : top.parts.other_files) inputs_.insert(identity_of(file));
    std::erase_if(top.report.report.findings, [&](const Finding& finding) {
      const Said said{finding.severity, finding.message, finding.suppressed};
      const auto [known, is_new] = rendered_.emplace(key_of(finding), said);
      if (!is_new && rank(said) > rank(known->second)) known->second = said;
      return !is_new;
    });
  }

  /// Leaves to a file what is true of it as rendered too. Patches are not judged by themselves.
  void judge(NamedReport& file) {
    const std::string identity = identity_of(file.name);
    const bool is_patch = patches_.contains(identity);
    if (is_patch || inputs_.contains(identity)) forget_no_object(file.report);
    if (!is_patch && !resources_.contains(identity)) return;
    FileReport& report = file.report;
    std::erase_if(report.findings, [&](Finding& finding) {
      if (is_about_text(finding)) return false;
      const auto rendered = rendered_.find(key_of(finding));
      if (is_patch || rendered == rendered_.end()) return true;
      const Said& said = rendered->second;
      if (said.severity > finding.severity) std::tie(finding.severity, finding.message) = std::tie(said.severity, said.message);
      if (!finding.suppressed) finding.suppressed = said.suppressed;
      said_by_files_.insert(rendered->first);
      return false;
    });
    report.proposed.clear();
    report.facts.clear();
    report.undecided.clear();
    const std::size_t files = report.counts.files;
    report.counts = {};
    report.counts.files = files;
  }

  /// What a file says already, at the same place, with its fix.
  void drop_said(FileReport& report) const {
    std::erase_if(report.findings, [&](const Finding& finding) { return said_by_files_.contains(key_of(finding)); });
  }

 private:
  static std::pair<bool, Severity> rank(const Said& said) { return {!said.suppressed, said.severity}; }

  std::set<std::string> resources_, patches_, inputs_;
  std::map<Key, Said> rendered_;
  std::set<Key> said_by_files_;
};

}  // namespace

void render_kustomizations(const std::vector<RenderedFolder>& folders, Rendering& rendering) {
  std::vector<Top> tops = tops_of(folders, rendering.threads, rendering.passed_over);
  for_each_in_parallel(tops.size(), rendering.threads, [&](std::size_t i) { render_top(tops[i], rendering); });
  Comparison comparison;
  std::set<std::string> unrendered;
  for (Top& top : tops) {
    if (top.rendered) comparison.add(top);
    if (top.trouble.empty()) continue;
    rendering.rest.not_judged.push_back({shown(top.kustomization.folder), 0, top.trouble});
    for (const std::string& file : top.parts.resources) unrendered.insert(identity_of(file));
  }
  for (NamedReport& file : rendering.reports) {
    comparison.judge(file);
    // A finding that only a rendering showed is not mended because there was none.
    if (!unrendered.empty() && unrendered.contains(identity_of(file.name))) file.report.read.clear();
  }
  for (Top& top : tops) {
    if (!top.rendered) continue;
    comparison.drop_said(top.report.report);
    rendering.reports.push_back(std::move(top.report));
  }
}

}  // namespace gpulint
