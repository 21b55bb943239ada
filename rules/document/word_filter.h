// WordFilter: whether a text holds one of a few words, whatever their case. It decides, at about the speed of memory,
// which documents are worth parsing at all; nine in ten of a GitOps repository are not.
#pragma once
#include <cstddef>
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
  /// The rarest three neighbouring bytes of a word are what the search looks for; two where the word has no more.
  struct Probe {
    std::size_t offset = 0;   ///< of the three in the word
    std::uint32_t bytes = 0;  ///< the three, with the lower-case bit set
    std::uint32_t mask = 0;   ///< the bits of `bytes` that count
  };
  void add_probe(const std::string& word);
  void allow(char first, char second, unsigned bits);
  bool found_near(std::string_view text, std::size_t at) const;

  std::vector<std::string> words_;  ///< lower case, none contains another
  std::vector<Probe> probes_;       ///< one a word, in the same order
  /// By two neighbouring bytes: which places of a probe they can be (see word_filter.cc).
  std::vector<std::uint16_t> pairs_ = std::vector<std::uint16_t>(65536);
};

}  // namespace gpulint
