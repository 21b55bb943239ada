// TreeBuilder: the events of a reader become the nodes of a Document. What both readers owe to kubectl is here: the last of
// duplicate keys counts, merge keys and aliases are expanded, nesting and size have limits that hold while events arrive.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/document/node.h"

namespace gpulint {

/// The key of a merge, told from a string of that name by its address.
inline constexpr char kMergeKey[] = "<<";

/// What makes a document invalid: Document::problem, advice and problem_span.
struct Problem {
  Span span;
  std::string text;
  std::string advice;
};

inline Node make_node(NodeKind kind, NodeStyle style, Span span) {
  Node node;
  node.kind = kind;
  node.style = style;
  node.span = span;
  return node;
}

void set_problem(Document& document, Problem problem);

/// A member of a mapping that is being settled; `merged` when a `<<` brought it.
struct Member {
  Node* node = nullptr;
  bool merged = false;
};

class TreeBuilder {
 public:
  TreeBuilder(std::pmr::memory_resource& arena, Document& document, std::size_t max_nodes) : arena_(arena), document_(document), max_nodes_(max_nodes) {
    constexpr std::size_t usual_depth = 16;
    frames_.reserve(usual_depth);
  }

  /// Each takes a node that has everything but its place in the tree. False: the document is invalid and says why; stop.
  bool add_scalar(const Node& node) { return add(node) != nullptr; }
  bool open(const Node& node);
  bool add_copy(const Node& anchored, Span alias);
  /// Ends the innermost collection. `end` of 0: where its last element ends.
  bool close(std::uint32_t end);
  void set_key(std::string_view key, Span span);

  bool wants_key() const { return !frames_.empty() && frames_.back().node->is_mapping() && !frames_.back().has_key; }
  bool is_open(const Node* node) const;
  bool is_complete() const { return root_ && frames_.empty(); }
  const Node& innermost() const { return *frames_.back().node; }
  /// In the arena but in no collection: a key that an alias may repeat. Null when there are too many nodes.
  Node* detached(const Node& node) { return create(node); }
  /// The collection or scalar added last.
  Node* latest() const { return latest_; }
  Node* root() const { return root_; }
  /// Where the text of what was read so far in the innermost collection ends: its last key or element.
  std::uint32_t text_end() const { return frames_.empty() ? 0 : frames_.back().end; }
  std::string_view keep(std::string_view text);
  bool fail(Span span, std::string text, std::string advice = {});

 private:
  struct Frame {
    Node* node = nullptr;
    Node* last = nullptr;
    std::string_view key;
    Span key_span;
    std::uint32_t end = 0;
    bool has_key = false;
    bool has_merge = false;
    bool may_repeat = false;   ///< two keys share a bit of `seen`
    std::uint64_t seen = 0;
  };

  Node* create(const Node& node);
  Node* add(const Node& node);
  void link(Node& node);
  bool copy_children(const Node& from, Node& to, std::size_t depth);
  bool collect_merged(Node& mapping, const Node& merge_key, std::vector<Member>& members);
  bool settle_members(Node& mapping);

  std::pmr::memory_resource& arena_;
  Document& document_;
  std::size_t max_nodes_;
  std::size_t count_ = 0;
  std::vector<Frame> frames_;
  Node* latest_ = nullptr;
  Node* root_ = nullptr;
};

}  // namespace gpulint
