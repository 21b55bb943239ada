#include "rules/document/document.h"
#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

bool is_gpu_word(std::string_view word, const AcceleratorTable& accelerators) {
  return word == "runtimeClassName" || accelerators.resource(word) || accelerators.visibility_variable(word) || accelerators.node_label(word);
}

/// The first key or value below (or at) the lost value that chooses a GPU; null when it holds none.
const Node* gpu_setting(const Node& lost, const AcceleratorTable& accelerators) {
  const Node* found = nullptr;
  for_each_node(lost, [&](const Node& node) {
    // Values too: variables and tolerations name theirs in `name` and `key`.
    if (!found && (is_gpu_word(node.key, accelerators) || (node.is_string() && is_gpu_word(node.text, accelerators)))) found = &node;
  });
  return found;
}

/// `line 9 counts, line 4 is lost`; with columns where both stand in one line.
std::string places_of(const DuplicateKey& duplicate, const Source& source) {
  const Position kept = source.position(duplicate.kept->key_span.begin), lost = source.position(duplicate.lost->key_span.begin);
  if (kept.line != lost.line) return fmt::format("line {} counts, line {} is lost", kept.line, lost.line);
  return fmt::format("in line {}, column {} counts, column {} is lost", kept.line, kept.column, lost.column);
}

void check(const Document& document, Context& context) {
  for (const DuplicateKey& duplicate : document.duplicates) {
    const Node &kept = *duplicate.kept, &lost = *duplicate.lost;
    const std::string places =
        fmt::format("the key {} stands twice in one mapping: {}", json_string(kept.key), places_of(duplicate, context.source));
    const Node* setting = gpu_setting(lost, context.accelerators);
    if (to_json(kept) == to_json(lost)) {
      context.warning(&kept, "{} (both have the same value)", places);
    } else if (!setting) {
      context.warning(&kept, "{}", places);
    } else if (setting == &lost) {
      context.error(&kept, "{}", places);
    } else {
      context.error(&kept, "{}, and {} with it", places, is_gpu_word(setting->key, context.accelerators) ? setting->key : setting->text);
    }
  }
}

constexpr std::string_view kSources[] = {
    "YAML 1.2: keys of a mapping are unique",
    "kubectl and Helm: manifests are converted to JSON, where the last key wins",
    "GoogleCloudPlatform/container-engine-accelerators nccl-test-a4.yaml",
};

}  // namespace

extern constinit const Rule duplicate_key{
    .id = "duplicate-key",
    .group = Group::input,
    .severity = Severity::error,
    .summary = "A mapping has the same key twice; only the last one counts.",
    .rationale =
        "kubectl and Helm keep the last of two equal keys and say nothing, not even with strict validation. What the first one set is lost: "
        "often a whole `resources` mapping with its GPUs.",
    .remediation = "Merge the two values into one, or remove the one that is not meant.",
    .details =
        "Error: the value that is lost holds a GPU setting (an accelerator resource, a device variable, runtimeClassName, or a node label or "
        "taint of accelerators).\n\n"
        "Warning: any other value, or two equal ones.\n\n"
        "Only documents that have a GPU word are read; this is no general linter. There is no automatic fix: which of the two was meant cannot be "
        "known.",
    .sources = kSources,
    .check = on_document<check>,
};

}  // namespace gpulint::checks
