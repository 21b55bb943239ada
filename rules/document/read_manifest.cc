#include <algorithm>
#include <string_view>

#include "rules/document/document.h"
#include "rules/document/refusal.h"
#include "rules/document/tree_builder.h"

namespace gpulint {
namespace {

using namespace std::string_view_literals;

std::string_view foreign_encoding(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return "UTF-16";
  if (bytes.size() < 4) return {};
  const auto zero = [&](std::size_t i) { return bytes[i] == '\0'; };
  if (zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3)) return "UTF-16";
  return {};
}

bool holds_escape(std::string_view text) {
  for (std::size_t at = text.find('\\'); at != text.npos && at + 1 < text.size(); at = text.find('\\', at + 2)) {
    const char c = text[at + 1];
    if (c == 'x' || c == 'u' || c == 'U') return true;
  }
  return false;
}

/// `{` or `[`, then nothing that only YAML has in front of the first key: its error is the one to show.
bool is_meant_as_json(std::string_view text) {
  const std::size_t second = text.find_first_not_of(" \t\r\n", 1);
  return second == text.npos || text[second] == '"' || (text[0] == '[' && text[second] == '{');
}

}  // namespace

Documents make_documents(const Source& source) {
  constexpr std::size_t least = 1U << 12U, most = 1U << 20U;
  Documents documents;
  documents.arena = std::make_unique<std::pmr::monotonic_buffer_resource>(std::clamp(source.bytes().size() * 2, least, most));
  return documents;
}

bool refuse(const Source& source, Documents& documents) {
  const std::string_view bytes = source.bytes();
  const std::string_view encoding = foreign_encoding(bytes);
  const std::size_t zero = bytes.find('\0');
  if (encoding.empty() && zero == bytes.npos) return false;
  Document& document = documents.list.emplace_back();
  document.span = {0, static_cast<std::uint32_t>(bytes.size())};
  const auto place = static_cast<std::uint32_t>(encoding.empty() ? zero : 0);
  const std::string problem = encoding.empty() ? "a NUL byte: this is not text" : "the text is " + std::string(encoding) + ", not UTF-8";
  set_problem(document, {{place, place + 1}, problem, encoding.empty() ? "" : "save it as UTF-8"});
  return true;
}

bool may_matter(std::string_view text, const WordFilter* words) { return !words || words->found_in(text) || holds_escape(text); }

Documents read_manifest(const Source& source, const ReadOptions& options) {
  std::string_view text = source.bytes();
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const bool bracket = text.starts_with('{') || text.starts_with('[');
  if (!bracket || text.starts_with("{{") || !may_matter(text, options.words)) return read_yaml(source, options);
  Documents json = read_json(source, options);
  if (json.list.front().state != DocumentState::invalid) return json;
  Documents yaml = read_yaml(source, options);
  const bool all_invalid = std::all_of(yaml.list.begin(), yaml.list.end(), [](const Document& document) { return document.state == DocumentState::invalid; });
  return all_invalid && is_meant_as_json(text) ? std::move(json) : std::move(yaml);
}

}  // namespace gpulint
