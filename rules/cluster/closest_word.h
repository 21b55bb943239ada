// closest_word: which of some known words a mistyped one was meant to be, for "did you mean" in every message about names.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The number of slips between two texts: insert, delete, replace, swap neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours; case and `_` for `-` are free), or nothing when
/// even that one differs in more than a third of the word. Of equals the first.
std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates);

/// `; did you mean "gke"?`, or empty when nothing is close.
std::string meant_instead(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gpulint
