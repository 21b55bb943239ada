#include "rules/kube/visible_devices.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace gpulint {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> elements(std::string_view text) {
  std::vector<std::string_view> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    list.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return list;
}

/// The number an element starts with, as strtol reads it (`1gpu2` is 1, `0-3` is 0); nothing for a negative one and for no number.
std::optional<std::int64_t> leading_index(std::string_view element) {
  if (element.starts_with('+')) element.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(element.data(), element.data() + element.size(), index);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<std::int64_t>::max();
  if (error != std::errc() || index < 0) return std::nullopt;
  return index;
}

template <class T>
bool holds(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

CudaVisibleDevices CudaVisibleDevices::parse(std::string_view text) {
  CudaVisibleDevices result;
  const std::vector<std::string_view> list = elements(text);
  for (const std::string_view prefix : {"GPU-", "MIG-"}) {
    if (!text.starts_with(prefix)) continue;
    result.by_uuid = true;
    std::vector<std::string_view> seen;
    for (const std::string_view element : list) {
      if (holds(seen, element)) result.duplicates = true;
      if (!element.starts_with(prefix)) result.stopped = true;
      if (result.duplicates || result.stopped) return result;
      seen.push_back(element);
    }
    return result;
  }
  for (const std::string_view element : list) {
    const std::optional<std::int64_t> index = leading_index(element);
    if (!index) result.stopped = true;
    if (index && holds(result.indices, *index)) result.duplicates = true;
    if (result.stopped || result.duplicates) return result;
    result.indices.push_back(*index);
  }
  return result;
}

bool shows_nvidia_devices(std::string_view value) {
  const std::vector<std::string_view> list = elements(value);
  if (holds(list, std::string_view("void"))) return false;  // wins wherever it stands
  for (const std::string_view element : list) {
    if (element == "none") return false;  // of `all` and `none` the first one decides
    if (element == "all") return true;
  }
  return std::any_of(list.begin(), list.end(), [](std::string_view element) { return !element.empty(); });
}

bool names_devices_beyond(std::string_view value, std::int64_t count) {
  for (const std::string_view element : elements(value)) {
    if (element == "all") return true;
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(element.data(), element.data() + element.size(), index);
    if (error == std::errc() && end == element.data() + element.size() && index >= count) return true;
  }
  return false;
}

}  // namespace gpulint
