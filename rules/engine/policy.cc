#include "rules/engine/policy.h"

#include <algorithm>

#include "rules/cluster/closest_word.h"
#include "rules/engine/engine.h"

namespace gpulint {

Policy::Policy() { rebuild_words(); }

const RuleSettings* Policy::settings(std::string_view rule) const {
  const auto found = rules.find(rule);
  return found == rules.end() ? nullptr : &found->second;
}

bool Policy::is_off(const Rule& rule) const {
  const RuleSettings* found = settings(rule.id);
  return found && found->off;
}

void Policy::rebuild_words() {
  std::vector<std::string> words = accelerators.words();
  for (const Rule* rule : all_rules()) words.insert(words.end(), rule->words.begin(), rule->words.end());
  for (const Taint& taint : cluster.taints()) words.push_back(taint.key);
  for (std::string& word : words)
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::erase_if(words, [](const std::string& word) { return word.size() < 2; });  // what WordFilter takes
  words_ = std::make_shared<const WordFilter>(std::move(words));
}

std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  return closest_word(word, candidates);
}

}  // namespace gpulint
