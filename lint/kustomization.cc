#include "lint/kustomization.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "lint/files.h"
#include "lint/folder.h"
#include "lint/read_file.h"
#include "rules/document/document.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSize = std::size_t{16} << 20;

std::string text_of(const Node* node) { return node && node->is_string() ? std::string(node->text) : std::string(); }

class Reader {
 public:
  explicit Reader(Kustomization& into) : into_(into) {}

  void read(const Node& root) {
    into_.is_component = text_of(root.find("kind")) == "Component";
    for (const char* field : {"resources", "bases", "components"}) each(root, field, [&](const Node& entry) { add(text_of(&entry), into_.resources); });
    each(root, "patchesStrategicMerge", [&](const Node& entry) {
      const bool is_inline = text_of(&entry).find('\n') != std::string::npos;
      add_patch(is_inline ? nullptr : &entry, is_inline ? &entry : nullptr, nullptr);
    });
    for (const char* field : {"patches", "patchesJson6902"})
      each(root, field, [&](const Node& entry) { add_patch(entry.find("path"), entry.find("patch"), entry.find("target")); });
    for (const char* field : {"generators", "transformers", "validators", "crds", "configurations"})
      each(root, field, [&](const Node& entry) { add_unless_inline(entry, into_.other_files); });
    each(root, "replacements", [&](const Node& entry) { add(text_of(entry.find("path")), into_.other_files); });
    for (const char* field : {"configMapGenerator", "secretGenerator"})
      each(root, field, [&](const Node& entry) {
        for (const char* files : {"files", "envs"}) each(entry, files, [&](const Node& file) { add_generated(text_of(&file)); });
      });
    into_.reaches_out |= root.find("helmCharts") || root.find("helmChartInflationGenerator");
  }

 private:
  template <class Visit>
  static void each(const Node& mapping, const char* field, Visit visit) {
    const Node* list = mapping.find(field);
    if (!list || !list->is_sequence()) return;
    for (const Node& entry : *list) visit(entry);
  }

  void add_unless_inline(const Node& entry, std::vector<std::string>& files) {
    if (const std::string text = text_of(&entry); text.find('\n') == text.npos) add(text, files);
  }

  void add_patch(const Node* path, const Node* text, const Node* target) {
    PatchUse use{into_.file, text_of(text), true, target && target->is_mapping(), {}, {}};
    if (target) std::tie(use.kind, use.name) = std::pair(text_of(target->find("kind")), text_of(target->find("name")));
    if (!use.text.empty()) into_.patch_uses.push_back(use);
    const std::size_t known = into_.patches.size();
    add(text_of(path), into_.patches);
    if (into_.patches.size() == known) return;
    use.file = into_.patches.back();
    use.text.clear();
    use.is_inline = false;
    into_.patch_uses.push_back(std::move(use));
  }

  // `name=path` or `path`
  void add_generated(const std::string& text) {
    const std::size_t equals = text.find('=');
    add(equals == text.npos ? text : text.substr(equals + 1), into_.other_files);
  }

  void add(const std::string& entry, std::vector<std::string>& files) {
    if (entry.empty()) return;
    const std::string path = fs::path(Folder(into_.folder).path_of(entry)).lexically_normal().generic_string();
    const std::string name = path == "." ? "" : path.ends_with('/') && path.size() > 1 ? path.substr(0, path.size() - 1) : path;
    std::error_code error;
    const fs::file_status status = fs::status(name.empty() ? "." : name, error);
    if (fs::is_directory(status)) into_.folders.push_back(name);
    else if (fs::is_regular_file(status)) files.push_back(name);
    else into_.reaches_out = true;
  }

  Kustomization& into_;
};

std::optional<Kustomization> kustomization_in(const std::string& folder) {
  for (const std::string_view name : kKustomizationNames)
    if (auto found = read_kustomization(folder, Folder(folder).path_of(name))) return found;
  return std::nullopt;
}

void add_parts(const Kustomization& one, KustomizationParts& parts) {
  if (!parts.kustomizations.insert(one.file).second) return;
  parts.resources.insert(one.resources.begin(), one.resources.end());
  parts.patches.insert(one.patches.begin(), one.patches.end());
  parts.patch_uses.insert(parts.patch_uses.end(), one.patch_uses.begin(), one.patch_uses.end());
  parts.other_files.insert(one.other_files.begin(), one.other_files.end());
  parts.reaches_out |= one.reaches_out;
  for (const std::string& folder : one.folders) {
    parts.folders.insert(folder);
    if (const auto below = kustomization_in(folder)) add_parts(*below, parts);
  }
}

}  // namespace

std::optional<Kustomization> read_kustomization(const std::string& folder, const std::string& file) {
  std::optional<std::string> text = text_of_file(file, kMaxSize);
  if (!text) return std::nullopt;
  const Source source(file, std::move(*text));
  const Documents documents = read_manifest(source, {});
  const auto first = std::find_if(documents.list.begin(), documents.list.end(), [](const Document& d) { return d.state != DocumentState::empty; });
  if (first == documents.list.end() || !first->root || !first->root->is_mapping()) return std::nullopt;
  const std::string version = text_of(first->root->find("apiVersion"));
  if (!version.empty() && !version.starts_with("kustomize.config.k8s.io/")) return std::nullopt;
  Kustomization read;
  read.folder = folder;
  read.file = file;
  Reader(read).read(*first->root);
  return read;
}

KustomizationParts parts_of(const Kustomization& top) {
  KustomizationParts parts;
  add_parts(top, parts);
  return parts;
}

}  // namespace gpulint
