#include <algorithm>
#include <charconv>

#include "rules/engine/context.h"

namespace gpulint::checks {
namespace {

constexpr std::string_view kDefault = "25%";  // of maxSurge and maxUnavailable: apps/v1 RollingUpdateDeployment

/// maxSurge or maxUnavailable as it counts; nothing where it cannot be known.
std::optional<std::string_view> effective(const Field<std::string_view>& field) {
  if (field.absent() || field.null()) return kDefault;
  if (field.known()) return field.value;
  return std::nullopt;
}

enum class Rounding { up, down };

/// "25%" of the replicas, or a plain number of pods; nothing when it is neither.
std::optional<std::int64_t> pods(std::string_view text, std::int64_t replicas, Rounding rounding) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  std::int32_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  if (!percent) return number;
  return (replicas * number + (rounding == Rounding::up ? 99 : 0)) / 100;
}

std::optional<std::int64_t> replicas_of(const PodTemplate& pod) {
  if (pod.replicas.absent() || pod.replicas.null()) return 1;
  if (pod.replicas.known() && pod.replicas.value > 0 && pod.replicas.value <= 1'000'000) return pod.replicas.value;
  return std::nullopt;
}

/// An Argo Rollout with a basic canary keeps the same two numbers there, with the same defaults and rounding.
std::string_view numbers_key(const ObjectView& object) {
  if (object.is("apps", "Deployment")) return "rollingUpdate";
  return object.is("argoproj.io", "Rollout") ? "canary" : std::string_view();
}

bool is_rolling(const PodTemplate& pod) {
  const Node* written = pod.owner_spec->find("strategy");
  if (written && !written->is_mapping() && !written->is_null()) return false;  // a placeholder: unknown
  if (numbers_key(*pod.object) == "canary") {
    const Node* canary = written ? written->find("canary") : nullptr;
    return canary && !canary->find("trafficRouting");  // blueGreen and routed canaries start more pods by design
  }
  const Field<std::string_view>& type = pod.strategy.type;
  return type.absent() || type.null() || (type.known() && type.value == "RollingUpdate");
}

void offer_fix(FindingBuilder finding, const PodTemplate& pod, const Context& context) {
  constexpr std::string_view kNumbers = R"({"maxSurge":0,"maxUnavailable":1})";
  const Node* strategy = pod.strategy.node;
  const std::string_view key = numbers_key(*pod.object);
  const Node* rolling = strategy ? strategy->find(key) : nullptr;
  std::vector<PatchOp> ops;
  const auto add = [&](JsonPointer path, std::string value) { ops.push_back(add_op(std::move(path), std::move(value))); };
  if (rolling && rolling->is_mapping()) {
    add(context.pointer(*rolling).append("maxSurge"), "0");
    add(context.pointer(*rolling).append("maxUnavailable"), "1");
  } else if (strategy) {
    add(context.pointer(*strategy).append(key), std::string(kNumbers));
  } else {
    add(context.pointer(*pod.owner_spec).append("strategy"), fmt::format(R"({{"type":"RollingUpdate","rollingUpdate":{}}})", kNumbers));
  }
  finding.fix(Safety::unsafe, "Set maxSurge to 0 and maxUnavailable to 1", std::move(ops));
}

void check(const PodTemplate& pod, Context& context) {
  if (numbers_key(*pod.object).empty() || !pod.owner_spec || !pod.asks_for_device() || !is_rolling(pod)) return;
  const std::optional<std::int64_t> replicas = replicas_of(pod);
  const std::optional<std::string_view> surge = effective(pod.strategy.max_surge), unavailable = effective(pod.strategy.max_unavailable);
  if (!replicas || !surge || !unavailable) return;
  const std::optional<std::int64_t> more = pods(*surge, *replicas, Rounding::up);
  const std::optional<std::int64_t> fewer = pods(*unavailable, *replicas, Rounding::down);
  // Both 0: the controller takes maxUnavailable as 1.
  if (!more || !fewer || *more == 0 || *fewer > 0) return;

  // The API server writes the defaults into the object: written or not, they must be judged alike.
  const bool defaulted = *surge == kDefault && *unavailable == kDefault;
  const bool doubles = surge->ends_with('%') && pods(*surge, 100, Rounding::up) >= 100;
  const bool chosen = *unavailable == "0" || *unavailable == "0%" || doubles;
  const std::int64_t started = std::min(*more, *replicas);
  FindingBuilder finding = context.report(
      chosen ? Severity::warning : Severity::info, defaulted ? pod.owner_spec : pod.strategy.node,
      fmt::format("an update of {} replica{} starts {} more pod{} before it stops one (maxSurge {}, maxUnavailable {}): it hangs without spare GPUs",
                  *replicas, *replicas == 1 ? "" : "s", started, started == 1 ? "" : "s", *surge, *unavailable));
  offer_fix(finding, pod, context);
}

constexpr std::string_view kSources[] = {
    "DeploymentStrategy (apps/v1): maxSurge rounds up, maxUnavailable rounds down",
    "defilantech/LLMKube#192",
    "nuclio/nuclio#1353",
    "clearml/clearml-helm-charts#19",
    "llm-d-incubation/llm-d-modelservice#246",
};

}  // namespace

extern constinit const Rule rollout_deadlock{
    .id = "rollout-deadlock",
    .group = Group::scheduling,
    .severity = Severity::warning,
    .fixability = Fixability::unsafe,
    .summary = "An update of a GPU Deployment starts a new pod before it stops an old one, and needs a spare GPU for it.",
    .rationale =
        "When every GPU is taken, the new pod stays Pending, the old one is never stopped, and the rollout hangs. The default strategy does this "
        "for one to three replicas: 25 % surge rounds up to one, 25 % unavailable rounds down to none.",
    .remediation =
        "Let an old pod go first: `maxSurge: 0` and `maxUnavailable: 1`, or `type: Recreate`. Keep the strategy where the GPU nodes have room "
        "for one more pod, or scale up by themselves.",
    .details =
        "Info: the default strategy, left out or written out, when it may stop no pod before the new one is ready.\n\n"
        "Warning: a strategy that was chosen so: maxUnavailable 0, or a maxSurge of 100 % with a maxUnavailable that rounds to none.\n\n"
        "Four replicas and more are safe by default (25 % of 4 is 1), as are Recreate, a maxSurge of 0, and StatefulSets. An Argo Rollout with a "
        "basic canary is judged like a Deployment. Placeholders and chart values are not judged.",
    .sources = kSources,
    .check = on_pod_template<check>,
};

}  // namespace gpulint::checks
