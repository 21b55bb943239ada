#include "rules/cluster/closest_word.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace gpulint {
namespace {

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return out;
}

}  // namespace

// Optimal string alignment: a swap of neighbours counts once, as it is one slip of the fingers.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string wanted = folded(word);
  const std::size_t allowed = std::clamp<std::size_t>(wanted.size() / 3, 1, 4);
  std::optional<std::string> best;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    const std::string known = folded(candidate);
    const std::size_t longer = std::max(known.size(), wanted.size());
    if (longer - std::min(known.size(), wanted.size()) > allowed) continue;
    const std::size_t d = edit_distance(wanted, known);
    // Replacing every letter of a short word is another word, not a slip.
    if (d < best_distance && d < longer) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string meant_instead(std::string_view word, const std::vector<std::string>& candidates) {
  const auto meant = closest_word(word, candidates);
  return meant ? "; did you mean \"" + *meant + "\"?" : "";
}

}  // namespace gpulint
