// Fixes as RFC 6902: the text of a patch, applying one, and mending an object round by round until nothing fixable is left.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/finding.h"
#include "rules/engine/policy.h"

namespace gpulint {

/// `[{"op": "add", "path": "/spec/...", "value": ...}]`, compact.
std::string patch_text(std::span<const PatchOp> ops);

/// The document after the patch, or nothing with `error` set when an operation does not apply. A missing parent is an error, as in the API server.
std::optional<std::string> apply_patch(std::string_view json, std::span<const PatchOp> ops, std::string& error);

struct Mend {
  std::vector<PatchOp> ops;         ///< one after the other on the object as received; empty when there is nothing to mend
  std::vector<std::string> rules;   ///< ids whose fixes are in it, each once
  std::string json;                 ///< the object after it
};

/// Applies fixes of unsuppressed findings of `rules` (empty: of all) up to `safety`, in rounds, 10 at most; fixes that touch the same place
/// wait for the next round. Idempotent: mending the result gives no operation.
Mend mend(std::string_view object_json, const Policy& policy, std::span<const std::string> rules, Safety safety);

}  // namespace gpulint
