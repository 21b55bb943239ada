// WordFilter: whether a text holds one of a few words, whatever their case. It decides, at about the speed of memory,
// which documents are worth parsing at all; nine in ten of a GitOps repository are not.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

class WordFilter {
 public:
  /// ASCII words of at least two bytes. A word that contains another one of the list is dropped: the shorter one finds it.
  /// Without words nothing matches.
  explicit WordFilter(std::vector<std::string> words);
  bool found_in(std::string_view text) const;
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::string> words_;                         ///< lower case, none contains another
  std::array<std::uint64_t, 1024> pairs_{};                ///< 65,536 bits: the first two bytes of each word, in every case
  std::array<std::vector<std::uint16_t>, 256> by_first_;   ///< words by their lower-case first byte
};

}  // namespace gpulint
