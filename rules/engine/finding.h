// Finding and Fix: what a rule says about one place, owning all its data (trees are freed file by file).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rules/document/json_pointer.h"
#include "rules/document/source.h"
#include "rules/engine/rule.h"

namespace gpulint {

/// An RFC 6902 operation; paths start at the document (at admission: at the object).
struct PatchOp {
  enum class Kind : std::uint8_t { add, remove, replace, move, test };
  Kind kind = Kind::add;
  JsonPointer path;
  std::string value;   ///< JSON text; of add, replace, test
  JsonPointer from;    ///< of move
};
std::string_view name_of(PatchOp::Kind);
PatchOp add_op(JsonPointer path, std::string value);
PatchOp replace_op(JsonPointer path, std::string value);
PatchOp remove_op(JsonPointer path);
PatchOp move_op(JsonPointer from, JsonPointer path);

struct Fix {
  std::string title;  ///< what it does, imperative: `Add limits "nvidia.com/gpu": 1`
  Safety safety = Safety::unsafe;
  std::vector<PatchOp> ops;
};

struct Range {
  Position start, end;  ///< end is exclusive
};

struct ObjectRef {
  std::string api_version, kind, name_space, name;
};

struct Suppression {
  std::string by;      ///< "annotation", "configuration" or "baseline"
  std::string reason;
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::warning;
  std::string message;
  std::string file;
  std::size_t document = 0;
  JsonPointer pointer;
  Range range;
  std::string excerpt;     ///< the source line of range.start, without its line end; of a very long one what stands around the place
  std::uint32_t excerpt_column = 1;   ///< of the excerpt's first character
  bool excerpt_goes_on = false;       ///< whether the line has more behind the excerpt
  bool excerpt_is_output = false;     ///< of a rendering: a line that the program printed and no line of the file shows
  ObjectRef object;
  std::string container;   ///< name of the container; empty when it is about none
  std::optional<Fix> fix;
  std::optional<Suppression> suppressed;
  std::string rendered_by; ///< `helm template charts/app`: that output was judged, and `file` is what it was made from; empty: the file was
  std::string join_key;    ///< of a finding that a run rule proposes: what confirm is asked about; empty on all others
  std::string fingerprint; ///< survives moved lines and renamed files; set by inspect
};

/// The range a finding about this node gets: a mapping or list is pointed at by its key, a scalar by its value (an empty one by its key),
/// an element or a document by its first line.
Range range_of(const Source& source, const Node& node);

/// Order of all output: file, document, position, rule, pointer, message.
bool in_output_order(const Finding& left, const Finding& right);

}  // namespace gpulint
