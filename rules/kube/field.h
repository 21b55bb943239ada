// Field<T>: one typed, located value of a manifest. Rules read these and cannot forget whether a value is there, known and where it stands.
#pragma once
#include <cstdint>

#include "rules/document/node.h"

namespace gpulint {

enum class FieldState : std::uint8_t {
  absent,   ///< no such key; node is the nearest existing ancestor
  null,     ///< the key is there without a value
  unknown,  ///< cannot be known from the text: valueFrom, $(VAR), ${VAR}, {{ }}, <x>, a placeholder word
  invalid,  ///< a value of the wrong type
  known,
};

template <class T>
struct Field {
  FieldState state = FieldState::absent;
  T value{};
  const Node* node = nullptr;  ///< the value's node; for an absent field the nearest existing ancestor

  bool absent() const { return state == FieldState::absent; }
  bool present() const { return state != FieldState::absent; }
  bool known() const { return state == FieldState::known; }
  bool unknown() const { return state == FieldState::unknown; }
  bool invalid() const { return state == FieldState::invalid; }
  bool null() const { return state == FieldState::null; }
  /// The value where known, else `fallback`.
  T value_or(T fallback) const { return known() ? value : fallback; }
};

}  // namespace gpulint
