// ObjectSources: where in the files of a kustomization an object that kustomize printed, and a place in it, is written down.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lint/kustomization.h"
#include "rules/document/document.h"
#include "rules/engine/finding.h"

namespace gpulint {

class ObjectSources {
 public:
  /// Reads the files at once; those that cannot be read hold no objects.
  explicit ObjectSources(const KustomizationParts& parts);

  /// Sets file, document, pointer, range and excerpt of a finding about kustomize's output (whose document has this root) to where that is
  /// written: a patch when it says the same, else the resource, else a patch that has the place. A value is only found where it is the same.
  /// Elements of lists are found by their names, objects by kind and name, also when a prefix or suffix was added to it. False where no line
  /// has it: the finding's file alone is set when it stands in a patch within a kustomization, else nothing is changed.
  bool place(const Node& output, Finding& finding) const;

 private:
  struct File {
    File(PatchUse of, std::string bytes) : use(std::move(of)), source(use.file, std::move(bytes)), documents(read_manifest(source, {})) {}
    PatchUse use;
    Source source;
    Documents documents;
  };
  struct Place {
    const File* file = nullptr;
    const Document* document = nullptr;
    const Node* node = nullptr;
  };
  using Files = std::vector<std::unique_ptr<File>>;

  static void read(const PatchUse& use, Files& files);
  static std::optional<Place> find(const Files& files, const Node& output, const JsonPointer& pointer, bool equal);

  Files resources_, patches_;
};

}  // namespace gpulint
