#include "rules/document/split.h"

#include <algorithm>
#include <cstddef>

#include "rules/document/byte_block.h"

namespace gpulint {
namespace {

constexpr std::size_t kMarkerSize = 3;

bool is_marker(std::string_view text, std::size_t at) {
  const std::string_view marker = text.substr(at, kMarkerSize);
  if (marker != "---" && marker != "...") return false;
  if (at + kMarkerSize == text.size()) return true;
  const char after = text[at + kMarkerSize];
  return after == ' ' || after == '\t' || after == '\n' || after == '\r' || (after == '#' && marker == "---");
}

/// The first marker that begins a line at or after `from`, itself the beginning of a line; the size of the text when there is none.
std::size_t find_marker(std::string_view text, std::size_t from) {
  if (is_marker(text, from)) return from;
  const auto search = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at)
      if (text[at] == '\n' && is_marker(text, at + 1)) return at + 1;
    return text.size();
  };
  std::size_t at = from;
  for (; at + ByteBlock::kSize + 1 < text.size(); at += ByteBlock::kSize) {
    const ByteBlock first = ByteBlock::load(text.data() + at + 1);
    const ByteBlock second = ByteBlock::load(text.data() + at + 2);
    const ByteBlock marks = ((first == '-') & (second == '-')) | ((first == '.') & (second == '.'));
    if (!((ByteBlock::load(text.data() + at) == '\n') & marks).any()) continue;
    if (const std::size_t found = search(at, at + ByteBlock::kSize); found != text.size()) return found;
  }
  return search(at, text.size());
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}

/// The first byte of [at, end) that is neither blank nor in a comment; `end` when there is none.
std::size_t skip_blank(std::string_view text, std::size_t at, std::size_t end) {
  while (at < end) {
    if (text[at] == '#') at = next_line(text, at);
    else if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') ++at;
    else return at;
  }
  return end;
}

/// The first of the directives that stand at the end of [begin, end), with nothing but blank lines and comments among them; `end` when there are none.
std::size_t find_directives(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t found = end;
  for (std::size_t line_end = end; line_end > begin;) {
    const std::size_t newline = line_end < 2 ? text.npos : text.rfind('\n', line_end - 2);
    const std::size_t line = newline == text.npos || newline < begin ? begin : newline + 1;
    if (text[line] == '%') found = line;
    else if (skip_blank(text, line, line_end) != line_end) break;
    line_end = line;
  }
  return found;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<DocumentText> run() {
    std::size_t from = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    open_ = {from, from};
    while (true) {
      const std::size_t marker = find_marker(text_, from);
      if (marker == text_.size()) break;
      const bool starts = text_[marker] == '-';
      const std::size_t directives = starts ? find_directives(text_, from, marker) : marker;
      finish(directives);
      const std::size_t after = marker + kMarkerSize;
      explicit_ = starts;
      open_ = {after, !starts ? after : directives < marker || has_text(after) ? directives : after};
      from = next_line(text_, marker);
    }
    finish(text_.size());
    return std::move(list_);
  }

 private:
  struct Open { std::size_t content, parsed; };

  /// Whether something stands on the line of the marker, which a parser must see together with it.
  bool has_text(std::size_t after) const {
    const std::size_t end = next_line(text_, after);
    return skip_blank(text_, after, end) != end;
  }

  void finish(std::size_t end) {
    end = std::max(end, open_.content);
    const bool empty = skip_blank(text_, open_.content, end) >= end;
    if (empty && !explicit_) return;
    const auto offset = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
    list_.push_back({{offset(open_.content), offset(end)}, {offset(open_.parsed), offset(end)}, empty});
  }

  std::string_view text_;
  std::vector<DocumentText> list_;
  Open open_{};
  bool explicit_ = false;  ///< a `---` opened it
};

}  // namespace

std::vector<DocumentText> split(std::string_view text) { return Splitter(text).run(); }

}  // namespace gpulint
