// Which tolerations match which taints.
#include "rules/cluster/toleration.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rules/document/document.h"
#include "rules/kube/object_view.h"

namespace gpulint {
namespace {

/// The toleration of a pod that has this one, in flow style.
template <class Visit>
void with_toleration(std::string_view text, Visit visit) {
  const Source source("pod.yaml", fmt::format("apiVersion: v1\nkind: Pod\nspec:\n  tolerations: [{}]\n  containers: [{{name: main}}]\n", text));
  const AcceleratorTable accelerators;
  const Documents documents = read_manifest(source, {});
  REQUIRE(documents.list.size() == 1);
  const std::vector<ObjectView> objects = objects_in(documents.list.front(), accelerators);
  REQUIRE(objects.size() == 1);
  const std::vector<PodTemplate> templates = pod_templates(objects.front(), accelerators);
  REQUIRE(templates.size() == 1);
  REQUIRE_MESSAGE(templates.front().tolerations.size() == 1, text);
  visit(templates.front().tolerations.front());
}

TEST_CASE("tolerations match taints as for the scheduler") {
  const Taint with_value{"sku", "gpu", "NoSchedule"}, without_value{"sku", "", "NoSchedule"};
  struct Row {
    std::string_view toleration;
    bool value, no_value;  ///< whether it matches sku=gpu:NoSchedule, and sku:NoSchedule
  };
  constexpr Row kRows[] = {
      {"{key: sku, operator: Exists}", true, true},
      {"{key: sku, operator: Exists, effect: NoSchedule}", true, true},
      {"{key: sku, operator: Exists, effect: NoExecute}", false, false},
      {"{key: sku, operator: Exists, effect: ''}", true, true},
      {"{key: sku, operator: Equal, value: gpu}", true, false},
      {"{key: sku, value: gpu}", true, false},
      {"{key: sku, value: cpu}", false, false},
      {"{key: sku, operator: '', value: gpu}", true, false},
      {"{key: sku}", false, true},
      {"{key: sku, operator: Equal}", false, true},
      {"{key: sku, value: ''}", false, true},
      {"{key: sku, value: }", false, true},
      {"{key: other, operator: Exists}", false, false},
      {"{operator: Exists}", true, true},
      {"{operator: Exists, effect: NoExecute}", false, false},
      {"{key: '', operator: Exists}", true, true},
      {"{effect: NoSchedule}", false, false},
      {"{key: '${KEY}', operator: Exists}", true, true},
      {"{key: sku, value: '${VALUE}'}", true, true},
      {"{key: sku, operator: '${OPERATOR}'}", true, true},
      {"{key: sku, operator: Exists, effect: '${EFFECT}'}", true, true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.toleration);
    with_toleration(row.toleration, [&](const Toleration& toleration) {
      CHECK(tolerates(toleration, with_value) == row.value);
      CHECK(tolerates(toleration, without_value) == row.no_value);
    });
  }
}

TEST_CASE("tolerations that match the empty value only") {
  struct Row {
    std::string_view toleration;
    bool expected;
  };
  constexpr Row kRows[] = {
      {"{key: sku}", true},
      {"{key: sku, operator: Equal, effect: NoSchedule}", true},
      {"{key: sku, operator: '', value: ''}", true},
      {"{key: sku, value: gpu}", false},
      {"{key: sku, value: '${VALUE}'}", false},
      {"{key: sku, operator: Exists}", false},
      {"{key: sku, operator: '${OPERATOR}'}", false},
      {"{key: '${KEY}'}", false},
      {"{effect: NoSchedule}", false},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.toleration);
    with_toleration(row.toleration, [&](const Toleration& toleration) { CHECK(matches_empty_value_only(toleration) == row.expected); });
  }
}

TEST_CASE("taints are written as kubectl writes them, and two of the three effects keep pods away") {
  CHECK(text_of(Taint{"sku", "gpu", "NoSchedule"}) == "sku=gpu:NoSchedule");
  CHECK(text_of(Taint{"sku", "", "NoExecute"}) == "sku:NoExecute");
  CHECK(keeps_pods_away({"sku", "", "NoSchedule"}));
  CHECK(keeps_pods_away({"sku", "", "NoExecute"}));
  CHECK_FALSE(keeps_pods_away({"sku", "", "PreferNoSchedule"}));
}

}  // namespace
}  // namespace gpulint
