// Texts that are printed whole: help, catalogue, version.
#pragma once
#include <string_view>

namespace gpulint {

/// To standard output; the exit status.
int print(std::string_view text);

}  // namespace gpulint
