// Which requests are judged at all. A webhook that looks at more than it must gets in the way: of deletions, of finalizers and status
// on objects that already run, of controllers whose work somebody else has approved.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rules/engine/policy.h"
#include "webhook/request.h"

namespace gpulint {

/// Why /validate allows a request without judging its object; nothing when it has to be judged. `object_text` is the object's JSON.
std::optional<std::string> why_not_validated(const AdmissionRequest& request, std::string_view object_text, const Policy& policy);

/// Why /mutate leaves an object alone, in addition: what a controller keeps in shape is not changed behind its back, and the
/// containers of a Pod that exists cannot be.
std::optional<std::string> why_not_mutated(const AdmissionRequest& request, std::string_view object_text, const Policy& policy);

/// Whether two values are the same JSON value; the order of keys does not count.
bool same_value(const Node& left, const Node& right);

}  // namespace gpulint
