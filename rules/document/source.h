// Source: the bytes of one input and the way from a byte to a line and a column.
// Everything else in this folder speaks of byte spans; a Position is computed only when a finding is written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Bytes of a Source, half open.
struct Span {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// 1-based; columns count code points, as compilers and editors do. A byte order mark has no column.
struct Position {
  std::uint32_t line = 1, column = 1;
  bool operator==(const Position&) const = default;
};

class Source {
 public:
  /// Inputs are at most 4 GiB - 1 (Span is 32 bits); callers refuse larger ones before reading them.
  Source(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {}
  Source(const Source&) = delete;  // nodes hold views into bytes()
  Source& operator=(const Source&) = delete;

  std::string_view name() const { return name_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view text(Span span) const { return bytes().substr(span.begin, span.end - span.begin); }

  /// Any offset up to and including the size. Builds the line index at the first call (not thread-safe, as one Source belongs to one thread).
  Position position(std::uint32_t offset) const;
  /// Where a place of the text begins, the reverse of position(); columns behind the end of their line give that end.
  std::uint32_t offset(Position position) const;
  /// The line without its line end (LF or CRLF); empty for a number that does not exist.
  std::string_view line(std::uint32_t number) const;

 private:
  void index() const;
  std::uint32_t code_points_before(std::uint32_t offset) const;

  std::string name_, bytes_;
  mutable std::vector<std::uint32_t> starts_;              ///< of the lines
  mutable std::vector<std::uint32_t> code_points_before_;  ///< of each block of 4 KiB, so that a long line costs no more than a short one
};

}  // namespace gpulint
