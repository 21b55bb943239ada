// YAML kept in a string of a manifest: Argo's podSpecPatch, chart values as text. Its nodes are read like any others,
// but everything that is said about them is said of the string.
#pragma once
#include <deque>
#include <memory>
#include <string_view>

#include "rules/document/document.h"

namespace gpulint {

class EmbeddedText {
 public:
  /// Null when the text is no YAML mapping.
  static std::shared_ptr<const EmbeddedText> read(const Node& string);
  EmbeddedText(const EmbeddedText&) = delete;
  EmbeddedText& operator=(const EmbeddedText&) = delete;

  const Node& string() const { return *string_; }
  /// The mapping. Its parent is the string node, and all spans are the string's; no text edit may touch a node of it.
  const Node& root() const { return nodes_.front(); }

 private:
  explicit EmbeddedText(const Node& string);
  void copy(const Node& root);

  const Node* string_;
  Source source_;
  Documents documents_;     ///< owns the texts
  std::deque<Node> nodes_;  ///< copies that know where they stand
};

/// The node that a finding about `node` points at: the outermost string it was read out of, or itself.
const Node& place_of(const Node& node);

}  // namespace gpulint
