#include "rules/document/tree_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpulint {
namespace {

/// One of 64 bits for a key; cheap, and different for most keys that stand in one mapping.
std::uint64_t bit_of(std::string_view key) {
  if (key.empty()) return 1;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(key[i]); };
  const std::size_t hash = byte(0) * 7U + byte(key.size() / 2) * 5U + byte(key.size() - 1) * 3U + key.size();
  return std::uint64_t{1} << (hash % 64);
}

bool is_merge(const Node& member) { return member.key.data() == kMergeKey; }

void relink(Node& mapping, const std::vector<Member>& members) {
  mapping.first = members.empty() ? nullptr : members.front().node;
  mapping.size = static_cast<std::uint32_t>(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i].node->next = i + 1 < members.size() ? members[i + 1].node : nullptr;
}

constexpr std::uint32_t kFewMembers = 24;

/// The usual answer is no, found without memory.
bool has_repeated(const Node& mapping) {
  if (mapping.size > kFewMembers) return true;
  for (const Node* later = mapping.first; later; later = later->next)
    for (const Node* earlier = mapping.first; earlier != later; earlier = earlier->next)
      if (earlier->key == later->key) return true;
  return false;
}

/// For each member whether a later one has its key, and which is the last of those.
std::unordered_map<const Node*, Member> find_replaced(const std::vector<Member>& members) {
  std::unordered_map<std::string_view, Member> last;
  std::unordered_map<const Node*, Member> replaced;
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    const auto [place, is_last] = last.try_emplace(member->node->key, *member);
    if (!is_last) replaced.emplace(member->node, place->second);
  }
  return replaced;
}

}  // namespace

void set_problem(Document& document, Problem problem) {
  document.state = DocumentState::invalid;
  document.root = nullptr;
  document.duplicates.clear();
  document.problem_span = problem.span;
  document.problem = std::move(problem.text);
  document.advice = std::move(problem.advice);
}

bool TreeBuilder::fail(Span span, std::string text, std::string advice) {
  set_problem(document_, {span, std::move(text), std::move(advice)});
  return false;
}

std::string_view TreeBuilder::keep(std::string_view text) {
  if (text.empty()) return {};
  char* copy = static_cast<char*>(arena_.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

Node* TreeBuilder::create(const Node& node) {
  if (++count_ > max_nodes_) {
    fail(node.span, fmt::format("the document has more than {} values, expanded aliases included", max_nodes_), "split the document");
    return nullptr;
  }
  return new (arena_.allocate(sizeof(Node), alignof(Node))) Node(node);
}

void TreeBuilder::link(Node& node) {
  Frame& frame = frames_.back();
  node.parent = frame.node;
  (frame.last ? frame.last->next : frame.node->first) = &node;
  frame.last = &node;
  ++frame.node->size;
  if (!frame.node->is_mapping()) return;
  node.key = frame.key;
  node.key_span = frame.key_span;
  frame.has_key = false;
  frame.has_merge |= is_merge(node);
  const std::uint64_t bit = bit_of(node.key);
  frame.may_repeat |= (frame.seen & bit) != 0;
  frame.seen |= bit;
}

Node* TreeBuilder::add(const Node& node) {
  Node* added = create(node);
  if (!added) return nullptr;
  if (frames_.empty()) {
    root_ = added;
  } else {
    link(*added);
    frames_.back().end = added->span.end;
  }
  return latest_ = added;
}

void TreeBuilder::set_key(std::string_view key, Span span) {
  Frame& frame = frames_.back();
  frame.key = key;
  frame.key_span = span;
  frame.has_key = true;
  frame.end = span.end;
}

bool TreeBuilder::open(const Node& node) {
  if (frames_.size() >= static_cast<std::size_t>(kMaxDepth))
    return fail({node.span.begin, node.span.begin + 1}, fmt::format("mappings and lists are nested more than {} deep", kMaxDepth));
  Node* added = add(node);
  if (!added) return false;
  frames_.push_back({.node = added, .last = nullptr, .key = {}, .key_span = {}, .end = node.span.begin});
  return true;
}

bool TreeBuilder::close(std::uint32_t end) {
  const Frame frame = frames_.back();
  frame.node->span.end = end ? end : frame.end;
  const bool settled = !frame.has_merge && !(frame.may_repeat && has_repeated(*frame.node));
  if (!settled && !settle_members(*frame.node)) return false;
  frames_.pop_back();
  if (!frames_.empty()) frames_.back().end = frame.node->span.end;
  latest_ = frame.node;
  return true;
}

bool TreeBuilder::is_open(const Node* node) const {
  return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.node == node; });
}

/// Iterative, parents first; `depth`: how many collections `to` stands in.
bool TreeBuilder::copy_children(const Node& from, Node& to, std::size_t depth) {
  const Node* original = &from;
  Node* copy = &to;
  while (true) {
    if (original->first) {
      if (++depth > static_cast<std::size_t>(kMaxDepth)) return fail(to.span, fmt::format("expanded aliases are nested more than {} deep", kMaxDepth));
      original = original->first;
      Node* parent = copy;
      copy = create(*original);
      if (!copy) return false;
      parent->first = copy;
      copy->parent = parent;
    } else {
      while (original != &from && !original->next) {
        original = original->parent;
        copy->next = nullptr;
        copy = copy->parent;
        --depth;
      }
      if (original == &from) return true;
      original = original->next;
      Node* before = copy;
      copy = create(*original);
      if (!copy) return false;
      before->next = copy;
      copy->parent = before->parent;
    }
    copy->via_alias = true;
  }
}

bool TreeBuilder::add_copy(const Node& anchored, Span alias) {
  Node root = anchored;
  root.key = {};
  root.key_span = {};
  root.parent = root.next = nullptr;
  root.via_alias = true;
  Node* copy = add(root);
  if (!copy) {
    document_.problem_span = alias;
    return false;
  }
  if (!frames_.empty()) frames_.back().end = alias.end;
  if (copy_children(anchored, *copy, frames_.size())) return true;
  document_.problem_span = alias;
  return false;
}

/// The members that `<<` brings in, copied; the earlier mapping of a list wins, so it comes last.
bool TreeBuilder::collect_merged(Node& mapping, const Node& merge_key, std::vector<Member>& members) {
  std::vector<const Node*> sources;
  if (merge_key.is_mapping()) sources.push_back(&merge_key);
  // kubectl takes a list that stands here, not one that an alias brings.
  const bool list = merge_key.is_sequence() && !merge_key.via_alias;
  for (const Node* n = list ? merge_key.first : nullptr; n; n = n->next) sources.push_back(n);
  const bool mappings = std::all_of(sources.begin(), sources.end(), [](const Node* n) { return n->is_mapping(); });
  if ((!list && sources.empty()) || !mappings) return fail(merge_key.key_span, "`<<` needs a mapping or a list of mappings");
  for (auto source = sources.rbegin(); source != sources.rend(); ++source)
    for (const Node* n = (*source)->first; n; n = n->next) {
      Node* copy = create(*n);
      if (!copy) return false;
      copy->via_alias = true;
      copy->parent = &mapping;
      if (!copy_children(*n, *copy, frames_.size())) return false;
      members.push_back({copy, true});
    }
  return true;
}

/// As kubectl does it, the last one counts, be it written here or merged: a `<<` below a member of the same key replaces it.
/// Only two that are written here are duplicates.
bool TreeBuilder::settle_members(Node& mapping) {
  std::vector<Member> members;
  members.reserve(mapping.size);
  for (Node* n = mapping.first; n; n = n->next) {
    if (!is_merge(*n)) members.push_back({n, false});
    else if (!collect_merged(mapping, *n, members)) return false;
  }
  const auto replaced = find_replaced(members);
  for (const Member& lost : members) {
    const auto kept = replaced.find(lost.node);
    if (kept != replaced.end() && !lost.merged && !kept->second.merged) document_.duplicates.push_back({kept->second.node, lost.node});
  }
  std::erase_if(members, [&](const Member& member) { return replaced.contains(member.node); });
  relink(mapping, members);
  return true;
}

}  // namespace gpulint
