// What a key of a label or annotation says of the platform, from the table behind narrowed_by_evidence. For nodes of a cluster, which are seen
// as they are and not as a manifest asks for them.
#pragma once
#include <optional>
#include <string_view>

namespace gpulint {

/// The name of a preset.
std::optional<std::string_view> platform_of_key(std::string_view key);

}  // namespace gpulint
