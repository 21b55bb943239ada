// Replacing a file: readers see the old text or the new one, whatever happens in between.
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

/// Writes beside the file, then takes its place; its mode stays, a symbolic link goes on pointing at it. What is no regular file (a pipe,
/// /dev/stdout) is written to as it is. Gives errno, 0 when all is well; then nothing is left behind.
int replace_file(const std::string& path, std::string_view text);

}  // namespace gpulint
