// Reading one file completely, with as few system calls as that takes: two for a small one besides opening and closing it.
#pragma once
#include <optional>
#include <string>

namespace gpulint {

struct ReadResult {
  int error = 0;           ///< errno
  bool too_large = false;  ///< above the limit; not read to its end
  std::size_t size = 0;    ///< bytes now at the front of the buffer
};

/// Reads all that is left of an open file into `buffer`, which only ever grows (its tail is left over from before).
ReadResult read_descriptor(int descriptor, std::size_t limit, std::string& buffer);

/// As above, for a path below an open folder (AT_FDCWD: the working directory). A folder gives EISDIR.
ReadResult read_file_at(int folder, const char* name, std::size_t limit, std::string& buffer, bool wait_for_writer);

/// The whole text of a file that is only looked at: nothing when it cannot be read, is larger than the limit, or is no file.
std::optional<std::string> text_of_file(const std::string& path, std::size_t limit);

}  // namespace gpulint
