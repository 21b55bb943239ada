#include "rules/engine/policy.h"

#include <algorithm>

#include "rules/cluster/closest_word.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

constexpr std::string_view kOwnNames = ".gpulint.";  // .gpulint.yaml, and the schema that lies beside it for editors

}  // namespace

Policy::Policy() { rebuild_words(); }

const RuleSettings* Policy::settings(std::string_view rule) const {
  const auto found = rules.find(rule);
  return found == rules.end() ? nullptr : &found->second;
}

bool Policy::is_off(const Rule& rule) const {
  const RuleSettings* found = settings(rule.id);
  return found && found->off;
}

bool Policy::matches(const std::vector<std::string>& globs, std::string_view path) const {
  if (globs.empty() || !lint) return false;  // at admission nothing has a path
  const std::string place = paths.relative(path);
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return glob_matches(glob, place); });
}

bool Policy::is_own_file(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with(kOwnNames) || name == kBaselineName) return true;
  // Few files have the name of one of these; only for them the way is worked out.
  return std::any_of(own_files.begin(), own_files.end(),
                     [&](const std::string& own) { return own.ends_with(name) && own == paths.relative(path); });
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
