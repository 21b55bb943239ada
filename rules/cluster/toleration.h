// Tolerations against taints, compared as the scheduler does it. Shared by the rules about taints, so that they agree on which of them speaks.
// Source: Toleration and Taint (core/v1), ToleratesTaint of k8s.io/component-helpers.
#pragma once
#include "rules/cluster/cluster.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

/// Whether the taint keeps pods off the node; PreferNoSchedule only makes it a last choice.
bool keeps_pods_away(const Taint& taint);

/// Whether the toleration matches the taint. What cannot be known of it counts as matching.
bool tolerates(const Toleration& toleration, const Taint& taint);

/// Operator Equal, written or by default, without a value: it matches a taint without a value and no other.
bool matches_empty_value_only(const Toleration& toleration);

/// The toleration's effect is the taint's, or open.
bool covers_effect(const Toleration& toleration, std::string_view effect);

/// `key=value:effect`, as kubectl writes it.
std::string text_of(const Taint& taint);

}  // namespace gpulint
