// Document and read_manifest: bytes to located trees, one a document, with everything that is wrong in them as data.
// Knows YAML, JSON and what an unrendered template looks like; knows no Kubernetes.
#pragma once
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "rules/document/node.h"
#include "rules/document/source.h"
#include "rules/document/word_filter.h"

namespace gpulint {

inline constexpr int kMaxDepth = 512;  ///< nesting of collections, both readers; enforced while events arrive

enum class DocumentState : std::uint8_t {
  parsed,      ///< root is set
  empty,       ///< nothing or only comments after a `---`; root is null
  skipped,     ///< holds no word of the filter: not parsed
  unrendered,  ///< Go-template text that YAML cannot read, or reads as a mapping: not judged
  invalid,     ///< kubectl rejects the text
};

/// Both members are of the same mapping; kubectl, Helm and the API server keep the last one.
struct DuplicateKey {
  const Node* kept = nullptr;
  const Node* lost = nullptr;
};

struct Document {
  std::size_t index = 0;  ///< as a YAML parser counts documents, from 0
  Span span;              ///< its text, markers excluded
  DocumentState state = DocumentState::empty;
  const Node* root = nullptr;
  std::vector<DuplicateKey> duplicates;
  Span problem_span;    ///< of invalid and unrendered: the place
  std::string problem;  ///< of invalid: what is wrong, as a person understands it (no position in it); of unrendered: the template text found
  std::string advice;   ///< of invalid: what to do, where that is known ("use spaces", "quote the value")
};

/// The documents of one input. Owns their trees; nodes also view into the Source, which must outlive it.
struct Documents {
  std::vector<Document> list;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> arena;
};

struct ReadOptions {
  const WordFilter* words = nullptr;      ///< null: every document is parsed
  std::size_t max_nodes = 4'000'000;      ///< per document, expanded aliases included; above it the document is invalid ("aliases expand to ...")
};

/// First non-blank byte `{` or `[`: JSON, and YAML where that fails (flow YAML starts so too); anything else YAML.
/// UTF-16/32, binary and invalid UTF-8 text give one invalid document that says so. Never throws on input.
Documents read_manifest(const Source& source, const ReadOptions& options);

/// Each document on its own: a broken one spoils no other. Documents are separated at `---` and `...` in column 0 by a line scan;
/// those without a word of the filter are only counted, unless they hold a `\x`, `\u` or `\U` escape that could spell one.
Documents read_yaml(const Source& source, const ReadOptions& options);

/// One document. Duplicate keys, spans and the depth cap as for YAML; rejects what JSON rejects (comments, trailing commas).
Documents read_json(const Source& source, const ReadOptions& options);

/// The JSON of a node, compact, keys in document order; numbers as they stand in Node::text.
std::string to_json(const Node& node);

}  // namespace gpulint
