// JsonPointer (RFC 6901): where in a document a finding or a patch operation sits.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/node.h"

namespace gpulint {

class JsonPointer {
 public:
  JsonPointer() = default;  ///< the whole document, ""
  explicit JsonPointer(std::string text) : text_(std::move(text)) {}

  /// The way from `root` down to `node`; a node of another tree gives its way from that tree's root.
  static JsonPointer to(const Node& node, const Node& root);

  /// This pointer with one more token; `/` and `~` are escaped here. append("-") names the place behind a sequence's last element.
  JsonPointer append(std::string_view token) const;
  JsonPointer append(std::size_t index) const;
  JsonPointer parent() const;

  const std::string& text() const { return text_; }
  std::vector<std::string> tokens() const;  ///< unescaped
  /// `spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"]`; the whole document is `(document)`.
  std::string readable() const;
  /// Null when the place does not exist.
  const Node* resolve(const Node& root) const;
  /// Whether `other` is this place or lies below it.
  bool contains(const JsonPointer& other) const;

  auto operator<=>(const JsonPointer&) const = default;

 private:
  std::string text_;
};

}  // namespace gpulint
