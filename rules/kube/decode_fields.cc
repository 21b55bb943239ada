#include <charconv>

#include "rules/kube/decode.h"
#include "rules/kube/placeholder.h"

namespace gpulint {
namespace {

/// The field with its node; its state is absent, null, or left for the caller to decide (then `true`).
template <class T>
bool locate(const Node& parent, std::string_view key, Field<T>& field) {
  field.node = parent.find(key);
  if (!field.node) {
    field.node = &parent;
    return false;
  }
  field.state = field.node->is_null() ? FieldState::null : FieldState::invalid;
  return !field.node->is_null();
}

}  // namespace

Field<std::string_view> text_field(const Node& parent, std::string_view key) {
  Field<std::string_view> field;
  if (!locate(parent, key, field) || !field.node->is_string()) return field;
  field.state = holds_placeholder(field.node->text) ? FieldState::unknown : FieldState::known;
  field.value = field.node->text;
  return field;
}

Field<bool> bool_field(const Node& parent, std::string_view key) {
  Field<bool> field;
  if (!locate(parent, key, field)) return field;
  if (field.node->kind == NodeKind::boolean) {
    field.state = FieldState::known;
    field.value = field.node->text == "true";
  } else if (field.node->is_string() && holds_placeholder(field.node->text)) {
    field.state = FieldState::unknown;
  }
  return field;
}

Field<std::int64_t> integer_field(const Node& parent, std::string_view key) {
  Field<std::int64_t> field;
  if (!locate(parent, key, field)) return field;
  const std::string_view text = field.node->text;
  if (field.node->kind == NodeKind::integer) {
    if (std::from_chars(text.data(), text.data() + text.size(), field.value).ec == std::errc()) field.state = FieldState::known;
  } else if (field.node->is_string() && is_number_placeholder(text)) {
    field.state = FieldState::unknown;
  }
  return field;
}

Field<std::string_view> integer_or_text_field(const Node& parent, std::string_view key) {
  Field<std::string_view> field = text_field(parent, key);
  if (field.invalid() && field.node->kind == NodeKind::integer) {
    field.state = FieldState::known;
    field.value = field.node->text;
  }
  return field;
}

namespace {

void decide_quantity(Field<Quantity>& field) {
  const Node& node = *field.node;
  if (!node.is_scalar() || node.kind == NodeKind::boolean) return;
  if (const auto quantity = Quantity::parse(node.text)) {
    field.state = FieldState::known;
    field.value = *quantity;
  } else if (node.is_string() && is_number_placeholder(node.text)) {
    field.state = FieldState::unknown;
  }
}

}  // namespace

Field<Quantity> quantity_field(const Node& parent, std::string_view key) {
  Field<Quantity> field;
  if (locate(parent, key, field)) decide_quantity(field);
  return field;
}

ResourceEntry resource_entry(std::string_view name, const Node& node) {
  ResourceEntry entry{name, &node, {}};
  entry.quantity.node = &node;
  entry.quantity.state = node.is_null() ? FieldState::null : FieldState::invalid;
  if (!node.is_null()) decide_quantity(entry.quantity);
  return entry;
}

}  // namespace gpulint
