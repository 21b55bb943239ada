#include "tests/mutation/mutant.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace gpulint::mutation {
namespace {

unsigned chosen_mutant() {
  const char* text = std::getenv("GPULINT_MUTANT");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

/// Which answers each condition gave; written when the program ends, as lines `number answers` (1: false, 2: true, 3: both).
class Seen {
 public:
  explicit Seen(const char* path) : path_(path) {}
  ~Seen() {
    std::FILE* file = path_ ? std::fopen(path_, "w") : nullptr;
    if (!file) return;
    for (std::size_t number = 0; number < answers_.size(); ++number)
      if (answers_[number]) std::fprintf(file, "%zu %u\n", number, answers_[number]);
    std::fclose(file);
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  void add(unsigned number, bool value) {
    if (!path_) return;
    if (answers_.size() <= number) answers_.resize(number + 1);
    answers_[number] |= value ? 2u : 1u;
  }

 private:
  const char* path_;
  std::vector<unsigned> answers_;
};

}  // namespace

bool answer(unsigned number, bool value) {
  static const unsigned chosen = chosen_mutant();
  static Seen seen(std::getenv("GPULINT_MUTANTS_SEEN"));
  seen.add(number, value);
  return number == chosen ? !value : value;
}

}  // namespace gpulint::mutation
