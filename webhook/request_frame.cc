#include "webhook/request_frame.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gpulint {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view name, std::string_view wanted) {
  return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(), [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Digits only: no sign, no blank, no list.
std::optional<std::size_t> length_of(std::string_view text) {
  std::size_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return static_cast<std::size_t>(-1);
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

RequestFrame::State RequestFrame::refuse(int status, std::string_view reason) {
  status_ = status;
  reason_ = reason;
  return State::refused;
}

RequestFrame::State RequestFrame::advance(std::string_view bytes) {
  if (status_) return State::refused;
  if (size_ == 0) {
    std::size_t from = searched_ < kHeadEnd.size() ? 0 : searched_ - kHeadEnd.size() + 1;
    std::size_t end = bytes.substr(0, kMaxHead).find(kHeadEnd, from);
    searched_ = std::min(bytes.size(), kMaxHead);
    if (end == bytes.npos)
      return bytes.size() >= kMaxHead ? refuse(431, "the request's headers are larger than 64 KiB") : State::incomplete;
    size_ = end + kHeadEnd.size();
    if (read_head(bytes.substr(0, size_)) == State::refused) return State::refused;
  }
  return bytes.size() >= size_ ? State::complete : State::incomplete;
}

RequestFrame::State RequestFrame::read_head(std::string_view head) {
  std::optional<std::size_t> length;
  bool post = head.starts_with("POST ");
  head.remove_prefix(head.find("\r\n") + 2);
  while (!head.starts_with("\r\n")) {
    std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    std::size_t colon = line.find(':');
    if (colon == line.npos || colon == 0 || line.front() == ' ' || line.front() == '\t' || line[colon - 1] == ' ')
      return refuse(400, "a header line is malformed");
    std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (same_name(name, "transfer-encoding")) return refuse(411, "chunked bodies are not taken: send a Content-Length");
    if (same_name(name, "content-encoding") && value != "identity") return refuse(415, "compressed bodies are not taken");
    if (same_name(name, "expect")) return refuse(417, "the Expect header is not supported");
    if (!same_name(name, "content-length")) continue;
    if (length) return refuse(400, "more than one Content-Length");
    length = length_of(value);
    if (!length) return refuse(400, "the Content-Length is not a number");
  }
  if (post && !length) return refuse(411, "the request has no Content-Length");
  if (!post && length.value_or(0) > 0) return refuse(400, "only POST requests have a body here");
  if (length.value_or(0) > kMaxBody) return refuse(413, "the request is larger than 7 MiB");
  size_ += length.value_or(0);
  return State::incomplete;
}

}  // namespace gpulint
