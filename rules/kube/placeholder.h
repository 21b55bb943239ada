// Which texts stand for a value that somebody fills in later. Unknown is not wrong: rules stay silent about such values.
#pragma once
#include <string_view>

namespace gpulint {

/// `$X`, `${X:-1}`, `$(X)`, `{{ }}`, `<x>`, `{x}`, `__X__` anywhere in the text.
bool holds_placeholder(std::string_view text);
/// holds_placeholder, or an ALL_CAPS word standing where a number belongs (`GPU_COUNT`, `NUM_GPUS`); not `""`.
bool is_number_placeholder(std::string_view text);

}  // namespace gpulint
