#include "lint/object_sources.h"

#include "lint/files.h"
#include "lint/read_file.h"

namespace gpulint {
namespace {

std::string_view text_at(const Node& object, std::string_view key) {
  const Node* node = object.find(key);
  return node && node->is_scalar() ? node->text : std::string_view();
}

std::string_view name_of_object(const Node& object) {
  const Node* name = object.at("metadata", "name");
  return name && name->is_scalar() ? name->text : std::string_view();
}

std::string_view group_of(const Node& object) {
  const std::string_view version = text_at(object, "apiVersion");
  const std::size_t slash = version.find('/');
  return slash == version.npos ? std::string_view() : version.substr(0, slash);
}

// Names of targets are regular expressions; one that is no plain name is taken to match.
bool is_target(const PatchUse& use, const Node& output) {
  const bool plain = use.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  return (use.kind.empty() || use.kind == text_at(output, "kind")) && (!plain || name_of_object(output).find(use.name) != std::string_view::npos);
}

// How well a document declares an object: 0 not at all, more for more of its name.
std::size_t likeness(const PatchUse& use, const Node& declared, const Node& output) {
  if (use.has_target) return is_target(use, output) ? 1 + use.name.size() : 0;
  if (text_at(declared, "kind") != text_at(output, "kind") || group_of(declared) != group_of(output)) return 0;
  const std::string_view name = name_of_object(declared), whole = name_of_object(output);
  return !name.empty() && whole.find(name) != whole.npos ? name.size() : 0;
}

const Node* element_named(const Node& list, std::string_view name) {
  for (const Node& element : list)
    if (text_at(element, "name") == name) return &element;
  return nullptr;
}

// The place in `declared` that `pointer` is in `output`.
const Node* same_place(const Node& output, const Node& declared, const JsonPointer& pointer) {
  const Node *from = &output, *to = &declared;
  for (const std::string& token : pointer.tokens()) {
    const Node* next = JsonPointer().append(token).resolve(*from);
    if (!next) return nullptr;
    const std::string_view name = from->is_sequence() ? text_at(*next, "name") : std::string_view();
    if (from->is_sequence() != to->is_sequence()) return nullptr;
    to = name.empty() ? JsonPointer().append(token).resolve(*to) : element_named(*to, name);
    if (!to) return nullptr;
    from = next;
  }
  return to;
}

// What an operation of a JSON patch puts at the place.
const Node* put_by(const Node& operation, const JsonPointer& pointer) {
  const std::string_view verb = text_at(operation, "op");
  const Node* value = operation.find("value");
  if (!value || (verb != "add" && verb != "replace")) return nullptr;
  const std::vector<std::string> above = JsonPointer(std::string(text_at(operation, "path"))).tokens(), whole = pointer.tokens();
  if (above.size() > whole.size()) return nullptr;
  // `-` is behind the last element: whichever that came to be.
  for (std::size_t i = 0; i < above.size(); ++i)
    if (above[i] != whole[i] && (above[i] != "-" || i + 1 < above.size())) return nullptr;
  JsonPointer below;
  for (std::size_t i = above.size(); i < whole.size(); ++i) below = below.append(std::string_view(whole[i]));
  return below.resolve(*value);
}

// The last operation counts.
const Node* put_by_all(const Node& operations, const JsonPointer& pointer) {
  const Node* found = nullptr;
  for (const Node& operation : operations)
    if (const Node* node = put_by(operation, pointer)) found = node;
  return found;
}

}  // namespace

ObjectSources::ObjectSources(const KustomizationParts& parts) {
  for (const std::string& name : parts.resources) read({name, {}, false, false, {}, {}}, resources_);
  for (const PatchUse& use : parts.patch_uses) read(use, patches_);
}

void ObjectSources::read(const PatchUse& use, Files& files) {
  std::optional<std::string> text = use.is_inline ? use.text : text_of_file(use.file, kMaxFileSize);
  if (text) files.push_back(std::make_unique<File>(use, std::move(*text)));
}

std::optional<ObjectSources::Place> ObjectSources::find(const Files& files, const Node& output, const JsonPointer& pointer, bool equal) {
  std::optional<Place> best;
  std::size_t best_likeness = 0;
  const Node* wanted = pointer.resolve(output);
  for (const auto& file : files)
    for (const Document& document : file->documents.list) {
      if (!document.root) continue;
      const std::size_t like = likeness(file->use, *document.root, output);
      if (like <= best_likeness) continue;
      const bool operations = document.root->is_sequence();
      const Node* node = operations ? put_by_all(*document.root, pointer) : same_place(output, *document.root, pointer);
      const bool same_only = equal || operations || (node && node->is_scalar());
      if (!node || (same_only && (!wanted || to_json(*node) != to_json(*wanted)))) continue;
      best = {file.get(), &document, node};
      best_likeness = like;
    }
  return best;
}

bool ObjectSources::place(const Node& output, Finding& finding) const {
  std::optional<Place> place = find(patches_, output, finding.pointer, true);
  if (!place) place = find(resources_, output, finding.pointer, false);
  if (!place) place = find(patches_, output, finding.pointer, false);
  if (!place) return false;
  const Source& source = place->file->source;
  finding.file = std::string(source.name());
  if (place->file->use.is_inline) return false;
  finding.document = place->document->index;
  finding.pointer = JsonPointer::to(*place->node, *place->document->root);
  finding.range = range_of(source, *place->node);
  finding.excerpt = std::string(source.line(finding.range.start.line));
  finding.excerpt_column = 1;
  finding.excerpt_goes_on = false;
  return true;
}

}  // namespace gpulint
