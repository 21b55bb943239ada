// The text is read two bytes at a time, at even places. A probe of three bytes p0 p1 p2 then stands in two such pairs, in one of two ways:
// (p0 p1)(p2 ?) or (? p0)(p1 p2). The low half of an entry of pairs_ says that a pair can be the left one, the high half that it can be the
// right one, a bit for each way; probes take turns with four sets of bits, so that halves of different words seldom seem to be one.
#include "rules/document/word_filter.h"

#include <algorithm>
#include <cstring>

namespace gpulint {
namespace {

constexpr char kCaseBit = 0x20;
constexpr std::uint32_t kCaseBits = 0x20202020;
constexpr unsigned kRight = 8;     ///< where the bits of a right pair begin
constexpr std::size_t kStep = 32;  ///< bytes looked at before a branch is taken

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | kCaseBit) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~kCaseBit) : c; }

/// How seldom a byte is met in manifests; the usual ones in their order there, measured over a few hundred published files.
std::size_t rarity(char c) {
  constexpr std::string_view common_first = " eaitorsncd:plm-uvghf.\"/byk01w2x";
  return std::min(common_first.find(c), common_first.size());
}

bool equal_lower(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

template <class Unsigned>
Unsigned load(const char* at) {
  Unsigned value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

WordFilter::WordFilter(std::vector<std::string> words) {
  for (std::string& word : words) std::transform(word.begin(), word.end(), word.begin(), lower);
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  for (std::string& word : words) {
    const auto inside = [&](const std::string& shorter) { return word.find(shorter) != std::string::npos; };
    if (word.size() >= 2 && std::none_of(words_.begin(), words_.end(), inside)) words_.push_back(std::move(word));
  }
  for (const std::string& word : words_) add_probe(word);
}

/// Every case of the two bytes.
void WordFilter::allow(char first, char second, unsigned bits) {
  for (const char a : {first, upper(first)})
    for (const char b : {second, upper(second)}) {
      const char both[] = {a, b};
      pairs_[load<std::uint16_t>(both)] |= static_cast<std::uint16_t>(bits);
    }
}

void WordFilter::add_probe(const std::string& word) {
  std::size_t best = 0;
  const auto value = [&](std::size_t at) { return rarity(word[at]) + rarity(word[at + 1]) + rarity(word[at + 2]); };
  for (std::size_t at = 1; at + 2 < word.size(); ++at)
    if (value(at) > value(best)) best = at;
  const bool three = word.size() > 2;
  const unsigned even = 1U << (probes_.size() % 4 * 2);
  const unsigned odd = even << 1U;
  allow(word[best], word[best + 1], even);
  if (three) allow(word[best + 1], word[best + 2], odd << kRight);
  for (int any = 0; any < 256; ++any) {
    const auto other = static_cast<char>(any);
    allow(other, word[best], odd);
    if (three) allow(word[best + 2], other, even << kRight);
    else allow(word[best + 1], other, odd << kRight);
  }
  if (!three)
    for (std::uint16_t& entry : pairs_) entry = static_cast<std::uint16_t>(entry | (even << kRight));
  const char bytes[] = {word[best], word[best + 1], three ? word[best + 2] : '\0', '\0'};
  const char mask[] = {'\xFF', '\xFF', three ? '\xFF' : '\0', '\0'};
  probes_.push_back({best, (load<std::uint32_t>(bytes) | kCaseBits) & load<std::uint32_t>(mask), load<std::uint32_t>(mask)});
}

/// Whether a word has its probe at one of the two places.
bool WordFilter::found_near(std::string_view text, std::size_t at) const {
  for (const std::size_t place : {at, at + 1}) {
    char bytes[4] = {};
    if (place < text.size()) text.copy(bytes, sizeof bytes, place);
    const std::uint32_t here = load<std::uint32_t>(bytes) | kCaseBits;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      const Probe& probe = probes_[i];
      if ((here & probe.mask) != probe.bytes || place < probe.offset) continue;
      if (equal_lower(text.substr(place - probe.offset, words_[i].size()), words_[i])) return true;
    }
  }
  return false;
}

bool WordFilter::found_in(std::string_view text) const {
  const std::uint16_t* const pairs = pairs_.data();
  const auto pair = [&](std::size_t at) -> unsigned { return pairs[load<std::uint16_t>(text.data() + at)]; };
  std::size_t at = 0;
  for (; at + kStep + 2 <= text.size(); at += kStep) {
    unsigned left = pair(at), hits = 0;
#pragma GCC unroll 16
    for (std::size_t i = 2; i <= kStep; i += 2) {
      const unsigned right = pair(at + i);
      hits |= left & (right >> kRight);
      left = right;
    }
    if (!hits) continue;
    for (std::size_t i = 0; i < kStep; i += 2)
      if ((pair(at + i) & (pair(at + i + 2) >> kRight)) && found_near(text, at + i)) return true;
  }
  for (; at < text.size(); at += 2)
    if (found_near(text, at)) return true;
  return false;
}

}  // namespace gpulint
