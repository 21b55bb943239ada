// Kustomization: what a kustomization is made of, as far as it lies on this disk. Read here to know which files it stands for; kustomize itself
// does the building.
#pragma once
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// In the order in which kustomize looks for them.
inline constexpr std::array<std::string_view, 3> kKustomizationNames{"kustomization.yaml", "kustomization.yml", "Kustomization"};

/// A patch and the objects it is for.
struct PatchUse {
  std::string file;              ///< of the patch, or of the kustomization that it stands in
  std::string text;              ///< of one that stands in the kustomization
  bool is_inline = false, has_target = false;
  std::string kind, name;        ///< of the target; empty: any
};

struct Kustomization {
  std::string folder, file;              ///< as reports show them; an empty folder is the working directory
  bool is_component = false;             ///< built only as part of others
  std::vector<std::string> resources;    ///< files of whole objects
  std::vector<std::string> patches;      ///< files of parts of objects, or of operations on them
  std::vector<PatchUse> patch_uses;      ///< of these files, and those without a file
  std::vector<std::string> other_files;  ///< of generators, transformers, configurations
  std::vector<std::string> folders;      ///< of kustomizations it builds on
  bool reaches_out = false;              ///< names what is not on this disk: a URL, a chart
};

/// Nothing when the file cannot be read or is no kustomization of kustomize (Flux has a kind of that name).
std::optional<Kustomization> read_kustomization(const std::string& folder, const std::string& file);

/// A kustomization with all that it builds on. Names are as in Kustomization.
struct KustomizationParts {
  std::set<std::string> kustomizations;  ///< their files, its own included
  std::set<std::string> folders;         ///< without its own
  std::set<std::string> resources, patches, other_files;
  std::vector<PatchUse> patch_uses;
  bool reaches_out = false;
};
KustomizationParts parts_of(const Kustomization& top);

}  // namespace gpulint
