// Golden files: texts a test produces, kept beside the test data and compared line by line.
// GPULINT_UPDATE=1 in the environment rewrites them instead; CI never sets it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace gpulint::testing {

/// The bytes of a file; fails the running test case when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes a file and the folders it needs; throws where that fails.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Empty when both are equal; else the lines that differ, `-` expected, `+` actual, with three equal lines around and line numbers.
std::string difference(std::string_view expected, std::string_view actual);

/// Empty when `actual` is what the file holds (a missing file holds nothing), or when it was rewritten; else the path and the difference.
std::string golden_difference(const std::filesystem::path& path, std::string_view actual);

/// Fails the running test case (and goes on) with the difference, when there is one.
void check_golden(const std::filesystem::path& path, std::string_view actual);

bool updating_goldens();

}  // namespace gpulint::testing
