// Node: the located tree that both readers (YAML, JSON) build and everything else reads.
// A Node is what kubectl would send: scalars resolved, aliases and merge keys expanded, the last of duplicate keys kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "rules/document/source.h"

namespace gpulint {

enum class NodeKind : std::uint8_t { null, boolean, integer, real, string, sequence, mapping };
enum class NodeStyle : std::uint8_t { plain, single_quoted, double_quoted, literal, folded, block, flow };

/// Lives in the arena of its Documents. Views point into the Source, or into the arena where unescaping or resolving changed the text.
struct Node {
  NodeKind kind = NodeKind::null;
  NodeStyle style = NodeStyle::plain;
  bool via_alias = false;   ///< copied from an anchor by `*alias` or `<<`: no text edit may touch it
  bool has_anchor = false;  ///< `&name` stands in front
  bool has_tag = false;     ///< an explicit tag stands in front
  Span span;                ///< the value, without anchor and tag; where the text stands (an aliased value: at its anchor)
  Span key_span;            ///< the key of a member, quotes included; empty for elements and the root
  std::string_view key;     ///< the key of a member, unescaped
  std::string_view text;    ///< scalars: the value as JSON would hold it (`0644` is 420, `yes` is true, null is empty); else empty
  Node* parent = nullptr;
  Node* first = nullptr;
  Node* next = nullptr;
  std::uint32_t size = 0;  ///< number of members or elements

  bool is_mapping() const { return kind == NodeKind::mapping; }
  bool is_sequence() const { return kind == NodeKind::sequence; }
  bool is_scalar() const { return !is_mapping() && !is_sequence(); }
  bool is_string() const { return kind == NodeKind::string; }
  bool is_null() const { return kind == NodeKind::null; }

  /// The member of that key (exact case), or null; null too when this is no mapping.
  const Node* find(std::string_view wanted) const {
    if (!is_mapping()) return nullptr;
    for (const Node* n = first; n; n = n->next)
      if (n->key == wanted) return n;
    return nullptr;
  }
  /// find(a), then find(b) in it ...; null as soon as one is missing.
  template <class... Keys>
  const Node* at(std::string_view wanted, Keys... rest) const {
    const Node* n = find(wanted);
    if constexpr (sizeof...(rest) == 0) return n;
    else return n ? n->at(rest...) : nullptr;
  }
  /// The element of that index, or null.
  const Node* element(std::size_t index) const {
    if (!is_sequence()) return nullptr;
    const Node* n = first;
    while (n && index--) n = n->next;
    return n;
  }

  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = const Node;
    using difference_type = std::ptrdiff_t;
    using pointer = const Node*;
    using reference = const Node&;
    iterator() = default;
    explicit iterator(const Node* n) : n_(n) {}
    reference operator*() const { return *n_; }
    pointer operator->() const { return n_; }
    iterator& operator++() { n_ = n_->next; return *this; }
    iterator operator++(int) { iterator old = *this; n_ = n_->next; return old; }
    bool operator==(const iterator&) const = default;
   private:
    const Node* n_ = nullptr;
  };
  iterator begin() const { return iterator(first); }
  iterator end() const { return iterator(); }
};

/// Visits the node and everything below it, parents first. Iterative: depth costs no stack.
template <class Visit>
void for_each_node(const Node& root, Visit visit) {
  const Node* n = &root;
  while (n) {
    visit(*n);
    if (n->first) { n = n->first; continue; }
    while (n != &root && !n->next) n = n->parent;
    if (n == &root) return;
    n = n->next;
  }
}

}  // namespace gpulint
