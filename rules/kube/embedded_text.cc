#include "rules/kube/embedded_text.h"

#include <unordered_map>

namespace gpulint {
namespace {

constexpr std::size_t kMaxEmbeddedNodes = 200'000;

}  // namespace

EmbeddedText::EmbeddedText(const Node& string) : string_(&string), source_("", std::string(string.text)) {
  ReadOptions options;
  options.max_nodes = kMaxEmbeddedNodes;
  documents_ = read_manifest(source_, options);
}

std::shared_ptr<const EmbeddedText> EmbeddedText::read(const Node& string) {
  if (!string.is_string() || string.text.empty()) return nullptr;
  const std::shared_ptr<EmbeddedText> text(new EmbeddedText(string));
  for (const Document& document : text->documents_.list) {
    if (document.state == DocumentState::empty) continue;
    if (document.state != DocumentState::parsed || !document.root->is_mapping()) return nullptr;
    text->copy(*document.root);
    return text;
  }
  return nullptr;
}

void EmbeddedText::copy(const Node& root) {
  std::unordered_map<const Node*, Node*> copies;
  for_each_node(root, [&](const Node& original) {
    Node& node = nodes_.emplace_back(original);
    copies[&original] = &node;
    node.span = node.key_span = string_->span;
    node.via_alias = true;
  });
  for (auto& [original, node] : copies) {
    node->parent = original == &root ? const_cast<Node*>(string_) : copies.at(original->parent);
    node->first = original->first ? copies.at(original->first) : nullptr;
    node->next = original != &root && original->next ? copies.at(original->next) : nullptr;
  }
}

const Node& place_of(const Node& node) {
  const Node* place = &node;
  for (const Node* ancestor = node.parent; ancestor; ancestor = ancestor->parent)
    if (ancestor->is_string()) place = ancestor;
  return *place;
}

}  // namespace gpulint
