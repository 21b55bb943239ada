// meant_resource: which accelerator a resource name that nobody knows was meant to be. Strict, because device plugins may be told to offer
// names of their own: a slip of the fingers, a plural, a wrong domain; another word is another name.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// For a name that the table of accelerators does not know; nothing when it is close to none.
std::optional<std::string> meant_resource(std::string_view name);

/// Whether the name is meant for a MIG slice of NVIDIA's device plugin, and is none that the plugin can offer.
bool is_wrong_mig_name(std::string_view name);

}  // namespace gpulint
