#include "lint/object_sources.h"

#include <fcntl.h>

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

// How well a document declares an object: 0 not at all, more for more of its name.
std::size_t likeness(const Node& declared, const Node& output) {
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

}  // namespace

ObjectSources::ObjectSources(const KustomizationParts& parts) : resources_(read(parts.resources)), patches_(read(parts.patches)) {}

ObjectSources::Files ObjectSources::read(const std::set<std::string>& names) {
  Files files;
  for (const std::string& name : names) {
    std::string bytes;
    const ReadResult result = read_file_at(AT_FDCWD, name.c_str(), kMaxFileSize, bytes, false);
    if (result.error || result.too_large) continue;
    bytes.resize(result.size);
    files.push_back(std::make_unique<File>(name, std::move(bytes)));
  }
  return files;
}

std::optional<ObjectSources::Place> ObjectSources::find(const Files& files, const Node& output, const JsonPointer& pointer, bool equal) {
  std::optional<Place> best;
  std::size_t best_likeness = 0;
  const Node* wanted = pointer.resolve(output);
  for (const auto& file : files)
    for (const Document& document : file->documents.list) {
      if (!document.root) continue;
      const std::size_t like = likeness(*document.root, output);
      if (like <= best_likeness) continue;
      const Node* node = same_place(output, *document.root, pointer);
      if (!node || (equal && (!wanted || to_json(*node) != to_json(*wanted)))) continue;
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
  finding.document = place->document->index;
  finding.pointer = JsonPointer::to(*place->node, *place->document->root);
  finding.range = range_of(source, *place->node);
  finding.excerpt = std::string(source.line(finding.range.start.line));
  finding.excerpt_column = 1;
  finding.excerpt_goes_on = false;
  return true;
}

}  // namespace gpulint
