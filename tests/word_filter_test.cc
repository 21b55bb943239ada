// WordFilter: finds a word wherever it stands and however it is written, and nothing else.
#include "rules/document/word_filter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace gpulint;

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool found_naively(std::string text, const std::vector<std::string>& words) {
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

}  // namespace

TEST_CASE("words are held in lower case, and none contains another") {
  const WordFilter filter({"nvidia.com/gpu", "GPU", "amd.com", "gpu", "x", ""});
  CHECK(filter.words() == std::vector<std::string>{"gpu", "amd.com"});
}

TEST_CASE("a filter without words finds nothing") {
  CHECK_FALSE(WordFilter({}).found_in("gpu"));
  CHECK_FALSE(WordFilter({}).found_in(std::string(200, 'g')));
}

TEST_CASE("a word is found") {
  const WordFilter filter({"gpu", "amd.com", "mi", "a_b", "\x5B\x5D{"});
  struct Row {
    std::string_view text;
    bool found;
  };
  constexpr Row rows[] = {
      {"", false}, {"g", false}, {"gp", false}, {"gpu", true}, {"GpU", true}, {"xgpux", true}, {"gp u", false}, {"ggpu", true},
      {"amd-com", false}, {"AMD.COM/gp", true}, {"amd\x0E" "com", false}, {"MI", true}, {"m", false}, {"am", false},
      {"a_b", true}, {"A_B", true}, {"a\x7F" "b", false}, {"[]{", true}, {"{}[", false}, {"{}{", false}, {"\xC7\xD0\xD5", false},
  };
  for (const Row& row : rows) CHECK_MESSAGE(filter.found_in(row.text) == row.found, row.text);
}

TEST_CASE("a word is found at every place of a text of every length") {
  const WordFilter filter({"gpu", "habana", "mi"});
  for (const std::string_view word : {"gpu", "HABANA", "Mi"})
    for (std::size_t size = word.size(); size < 140; ++size)
      for (std::size_t place = 0; place + word.size() <= size; ++place) {
        std::string text(size, '.');
        text.replace(place, word.size(), word);
        REQUIRE_MESSAGE(filter.found_in(text), word, " at ", place, " of ", size);
        text[place + 1] = '.';
        REQUIRE_MESSAGE(!filter.found_in(text), word, " broken, at ", place, " of ", size);
      }
}

TEST_CASE("it agrees with a plain search in random texts of few letters") {
  std::mt19937 random(20240611);
  constexpr std::string_view letters = "gpuGPUam.i-\n";
  std::size_t found = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto random_text = [&](std::size_t size) {
      std::string text(size, ' ');
      for (char& c : text) c = letters[random() % letters.size()];
      return text;
    };
    std::vector<std::string> words(1 + random() % 6);
    for (std::string& word : words) {
      word = random_text(2 + random() % 6);
      std::transform(word.begin(), word.end(), word.begin(), lower);
    }
    const std::string text = random_text(random() % 100);
    const bool expected = found_naively(text, words);
    REQUIRE_MESSAGE(WordFilter(words).found_in(text) == expected, "round ", round, ": ", text);
    found += expected;
  }
  CHECK(found > 100);
  CHECK(found < 1400);
}
