#include "rules/engine/trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpulint {

Timing& Timing::operator+=(const Timing& other) {
  time += other.time;
  calls += other.calls;
  return *this;
}

Trace& Trace::operator+=(Trace&& other) {
  rules.resize(std::max(rules.size(), other.rules.size()));
  for (std::size_t i = 0; i < other.rules.size(); ++i) rules[i] += other.rules[i];
  reading += other.reading;
  decoding += other.decoding;
  finishing += other.finishing;
  std::move(other.evidence.begin(), other.evidence.end(), std::back_inserter(evidence));
  return *this;
}

}  // namespace gpulint
