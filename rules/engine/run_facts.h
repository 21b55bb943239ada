// RunFacts: what a run rule (one about several documents) kept of the objects it saw. Trees are freed file by file;
// these texts are all that is left when the rule decides, so memory grows with what it noted and not with the tree.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace gpulint {

struct Rule;

/// One note of a run rule: `kind` names what it is about ("service"), `key` is what it is looked up by ("ml/vllm").
struct RunFact {
  const Rule* rule = nullptr;
  std::string kind, key;
};

/// The notes of one rule over all inputs of a run.
class RunFacts {
 public:
  void add(const RunFact& fact) { ++kinds_[fact.kind][fact.key]; }

  /// How many objects noted it.
  std::size_t count(std::string_view kind, std::string_view key) const {
    const auto facts = kinds_.find(kind);
    if (facts == kinds_.end()) return 0;
    const auto found = facts->second.find(key);
    return found == facts->second.end() ? 0 : found->second;
  }
  /// Every key of that kind with its count, in order; empty when none was noted.
  const std::map<std::string, std::size_t, std::less<>>& all(std::string_view kind) const {
    static const std::map<std::string, std::size_t, std::less<>> kNone;
    const auto facts = kinds_.find(kind);
    return facts == kinds_.end() ? kNone : facts->second;
  }

 private:
  std::map<std::string, std::map<std::string, std::size_t, std::less<>>, std::less<>> kinds_;
};

}  // namespace gpulint
