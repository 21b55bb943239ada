#include "rules/cluster/toleration.h"

namespace gpulint {
namespace {

bool is_empty(const Field<std::string_view>& field) { return field.absent() || field.null() || (field.known() && field.value.empty()); }

bool is_equal(const Toleration& toleration) { return is_empty(toleration.operation) || toleration.operation.value_or("") == "Equal"; }

}  // namespace

bool keeps_pods_away(const Taint& taint) { return taint.effect == "NoSchedule" || taint.effect == "NoExecute"; }

bool covers_effect(const Toleration& toleration, std::string_view effect) {
  return is_empty(toleration.effect) || toleration.effect.value_or(effect) == effect;
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!covers_effect(toleration, taint.effect)) return false;
  // Without a key only Exists is legal, and it matches every taint.
  if (is_empty(toleration.key)) return !is_equal(toleration);
  if (toleration.key.value_or(taint.key) != taint.key) return false;
  if (!is_equal(toleration)) return true;
  return is_empty(toleration.value) ? taint.value.empty() : toleration.value.value_or(taint.value) == taint.value;
}

bool matches_empty_value_only(const Toleration& toleration) {
  return toleration.key.known() && !toleration.key.value.empty() && is_equal(toleration) && is_empty(toleration.value);
}

std::string text_of(const Taint& taint) { return taint.key + (taint.value.empty() ? "" : "=") + taint.value + ":" + taint.effect; }

}  // namespace gpulint
