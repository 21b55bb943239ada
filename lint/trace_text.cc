#include "lint/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "lint/visible_text.h"

namespace gpulint {
namespace {

struct Row {
  std::string_view name;
  Timing timing;
};

double milliseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

}  // namespace

std::string profile_text(const Trace& trace) {
  std::vector<Row> rows{{"(reading)", trace.reading}, {"(decoding)", trace.decoding}, {"(finishing)", trace.finishing}};
  const auto rules = all_rules();
  for (std::size_t i = 0; i < trace.rules.size(); ++i) rows.push_back({rules[i]->id, trace.rules[i]});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.timing.time > b.timing.time; });
  std::chrono::nanoseconds total{};
  for (const Row& row : rows) total += row.timing.time;
  std::string text = fmt::format("{:>11}  {:>6}  {:>9}  rule or step, of {:.1f} ms in all threads together\n", "ms", "share", "calls", milliseconds(total));
  for (const Row& row : rows) {
    if (row.timing.calls == 0) continue;
    const double share = total.count() ? 100.0 * static_cast<double>(row.timing.time.count()) / static_cast<double>(total.count()) : 0;
    text += fmt::format("{:>11.3f}  {:>5.1f}%  {:>9}  {}\n", milliseconds(row.timing.time), share, row.timing.calls, row.name);
  }
  return text;
}

std::string evidence_text(const Trace& trace, const Policy& policy) {
  if (trace.evidence.empty()) {
    const bool varies = std::any_of(policy.overrides.begin(), policy.overrides.end(), [](const Override& over) { return over.cluster.has_value(); });
    return fmt::format("No object shows more of its cluster; all were judged as for {}{}.\n", visible(policy.cluster.name()),
                       varies ? ", or as the configuration's overrides say" : "");
  }
  std::vector<const ClusterEvidence*> ordered;
  for (const ClusterEvidence& one : trace.evidence) ordered.push_back(&one);
  std::stable_sort(ordered.begin(), ordered.end(), [](const ClusterEvidence* a, const ClusterEvidence* b) {
    return std::tie(a->file, a->document, a->position.line, a->position.column) < std::tie(b->file, b->document, b->position.line, b->position.column);
  });
  std::string text;
  for (const ClusterEvidence* one : ordered)
    text += fmt::format("{}:{}:{}: this object shows {}: {}\n", visible(one->file), one->position.line, one->position.column, one->conclusion,
                        visible(one->shown_by));
  return text;
}

}  // namespace gpulint
