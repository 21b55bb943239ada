// The samples that documentation shows are the files that the tests judge, compiled in as SAMPLES(id, bad, good) lines.
#include <algorithm>
#include <array>

#include "rules/engine/documentation.h"

namespace gpulint {
namespace {

struct Entry {
  std::string_view id;
  Samples samples;
};

constexpr Entry kEntries[] = {
#define SAMPLES(id, bad, good) {id, {bad, good}},
#include "rule_samples.inc"
#undef SAMPLES
    {},  // an array may not be empty
};

}  // namespace

Samples samples_of(const Rule& rule) {
  const auto entry = std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& e) { return e.id == rule.id; });
  return entry == std::end(kEntries) ? Samples{} : entry->samples;
}

}  // namespace gpulint
