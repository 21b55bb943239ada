// mend: the fixes of an object, applied in rounds, because a fix is written for the object as it was when the finding was made.
#include <algorithm>
#include <set>

#include "rules/document/document.h"
#include "rules/engine/engine.h"
#include "rules/engine/patch.h"

namespace gpulint {
namespace {

constexpr int kMostRounds = 10;

/// The places an operation changes. Inserting into or removing from a list moves its other elements: then the whole list counts.
void add_places(const PatchOp& op, std::vector<JsonPointer>& places) {
  const auto place = [](const JsonPointer& path) {
    const std::string& text = path.text();
    const std::string_view last = std::string_view(text).substr(text.rfind('/') + 1);
    const bool element = !last.empty() && (last == "-" || last.find_first_not_of("0123456789") == std::string_view::npos);
    return element ? path.parent() : path;
  };
  if (op.kind == PatchOp::Kind::replace || op.kind == PatchOp::Kind::test) {
    places.push_back(op.path);
    return;
  }
  places.push_back(place(op.path));
  if (op.kind == PatchOp::Kind::move) places.push_back(place(op.from));
}

bool overlap(const std::vector<JsonPointer>& left, const std::vector<JsonPointer>& right) {
  return std::any_of(left.begin(), left.end(), [&](const JsonPointer& l) {
    return std::any_of(right.begin(), right.end(), [&](const JsonPointer& r) { return l.contains(r) || r.contains(l); });
  });
}

FileReport judge(const std::string& json, const Policy& policy) {
  FileReport report;
  const Source source("object", json);
  const Documents documents = read_json(source, {});
  for (const Document& document : documents.list)
    if (document.state == DocumentState::parsed) inspect_document(source, document, policy, report);
  return report;
}

bool wanted(const Finding& finding, std::span<const std::string> rules, Safety safety) {
  if (!finding.fix || finding.suppressed || finding.fix->ops.empty()) return false;
  if (finding.fix->safety == Safety::unsafe && safety == Safety::safe) return false;
  return rules.empty() || std::find(rules.begin(), rules.end(), finding.rule->id) != rules.end();
}

/// What one round does: the fixes that neither touch each other nor fail.
struct Round {
  std::string json;
  std::vector<PatchOp> ops;
  std::vector<std::string> rules;
};

Round play(const std::string& json, const Policy& policy, std::span<const std::string> rules, Safety safety) {
  Round round{json, {}, {}};
  std::vector<JsonPointer> touched;
  for (const Finding& finding : judge(json, policy).findings) {
    if (!wanted(finding, rules, safety)) continue;
    std::vector<JsonPointer> places;
    for (const PatchOp& op : finding.fix->ops) add_places(op, places);
    if (overlap(touched, places)) continue;
    std::string error;
    auto mended = apply_patch(round.json, finding.fix->ops, error);
    if (!mended) continue;
    round.json = std::move(*mended);
    touched.insert(touched.end(), places.begin(), places.end());
    round.ops.insert(round.ops.end(), finding.fix->ops.begin(), finding.fix->ops.end());
    round.rules.emplace_back(finding.rule->id);
  }
  return round;
}

}  // namespace

Mend mend(std::string_view object_json, const Policy& policy, std::span<const std::string> rules, Safety safety) {
  Mend result;
  result.json = std::string(object_json);
  std::set<std::string> seen = {result.json};
  for (int i = 0; i < kMostRounds; ++i) {
    Round round = play(result.json, policy, rules, safety);
    // Two fixes that undo each other must not turn in circles.
    if (round.ops.empty() || !seen.insert(round.json).second) break;
    result.json = std::move(round.json);
    result.ops.insert(result.ops.end(), std::make_move_iterator(round.ops.begin()), std::make_move_iterator(round.ops.end()));
    for (std::string& rule : round.rules)
      if (std::find(result.rules.begin(), result.rules.end(), rule) == result.rules.end()) result.rules.push_back(std::move(rule));
  }
  return result;
}

}  // namespace gpulint
