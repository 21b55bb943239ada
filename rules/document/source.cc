#include "rules/document/source.h"

#include <algorithm>
#include <cstring>

namespace gpulint {
namespace {

constexpr std::uint32_t kBlock = 4096;

/// Everything but UTF-8 continuation bytes.
bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::uint32_t code_points(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) count += begins_code_point(c);
  return count;
}

}  // namespace

void Source::index() const {
  if (!starts_.empty()) return;
  const std::string_view text = bytes();
  starts_.push_back(text.starts_with(kByteOrderMark) ? static_cast<std::uint32_t>(kByteOrderMark.size()) : 0U);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) starts_.push_back(static_cast<std::uint32_t>(at + 1));
  std::uint32_t count = 0;
  for (std::size_t at = 0; at <= text.size(); at += kBlock) {
    code_points_before_.push_back(count);
    count += code_points(text.substr(at, kBlock));
  }
}

std::uint32_t Source::code_points_before(std::uint32_t offset) const {
  const std::uint32_t block = offset / kBlock;
  return code_points_before_[block] + code_points(bytes().substr(std::size_t{block} * kBlock, offset % kBlock));
}

Position Source::position(std::uint32_t offset) const {
  index();
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  const auto line = static_cast<std::uint32_t>(after - starts_.begin());
  if (offset <= start) return {line, 1};
  return {line, code_points_before(offset) - code_points_before(start) + 1};
}

std::uint32_t Source::offset(Position position) const {
  const std::string_view text = line(position.line);
  if (text.empty()) return position.line == 0 || position.line > starts_.size() ? static_cast<std::uint32_t>(bytes_.size()) : starts_[position.line - 1];
  const auto begin = static_cast<std::uint32_t>(text.data() - bytes().data()), end = begin + static_cast<std::uint32_t>(text.size());
  const std::uint32_t wanted = code_points_before(begin) + std::max(position.column, 1U) - 1;
  const auto block = std::upper_bound(code_points_before_.begin(), code_points_before_.end(), wanted) - code_points_before_.begin() - 1;
  std::uint32_t at = std::max(begin, static_cast<std::uint32_t>(block) * kBlock);
  if (at >= end) return end;
  for (std::uint32_t before = code_points_before(at); at < end; ++at)
    if (begins_code_point(bytes_[at]) && before++ == wanted) return at;
  return end;
}

std::string_view Source::line(std::uint32_t number) const {
  index();
  if (number == 0 || number > starts_.size()) return {};
  const std::uint32_t begin = starts_[number - 1];
  std::string_view text = bytes().substr(begin, number < starts_.size() ? starts_[number] - 1 - begin : std::string_view::npos);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace gpulint
