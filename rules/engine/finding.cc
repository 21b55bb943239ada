#include "rules/engine/finding.h"

#include <algorithm>
#include <tuple>

namespace gpulint {
namespace {

/// From `begin` to the end of its line, but not past `end`; blanks at the end do not count.
Span first_line(const Source& source, Span span) {
  const std::string_view text = source.text(span);
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  return {span.begin, span.begin + static_cast<std::uint32_t>(line.size())};
}

Span shown_span(const Source& source, const Node& node) {
  const bool has_key = node.key_span.begin != node.key_span.end;
  if (node.is_scalar()) {
    if (node.span.begin == node.span.end && has_key) return node.key_span;
    // A block scalar is pointed at by its indicator: its text runs over many lines.
    const bool block = node.style == NodeStyle::literal || node.style == NodeStyle::folded;
    return block ? first_line(source, node.span) : node.span;
  }
  return has_key ? node.key_span : first_line(source, node.span);
}

}  // namespace

Range range_of(const Source& source, const Node& node) {
  const Span span = shown_span(source, node);
  return {source.position(span.begin), source.position(std::max(span.begin, span.end))};
}

bool in_output_order(const Finding& left, const Finding& right) {
  const auto key = [](const Finding& f) {
    const std::string_view rule = f.rule ? f.rule->id : std::string_view{};
    return std::make_tuple(std::string_view(f.file), f.document, f.range.start.line, f.range.start.column, rule, std::string_view(f.pointer.text()),
                           std::string_view(f.message));
  };
  return key(left) < key(right);
}

PatchOp add_op(JsonPointer path, std::string value) { return {PatchOp::Kind::add, std::move(path), std::move(value), {}}; }

PatchOp replace_op(JsonPointer path, std::string value) { return {PatchOp::Kind::replace, std::move(path), std::move(value), {}}; }

PatchOp remove_op(JsonPointer path) { return {PatchOp::Kind::remove, std::move(path), {}, {}}; }

PatchOp move_op(JsonPointer from, JsonPointer path) { return {PatchOp::Kind::move, std::move(path), {}, std::move(from)}; }

}  // namespace gpulint
