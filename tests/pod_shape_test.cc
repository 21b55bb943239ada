// Templates that other objects complete, and which container speaks for its pod.
#include "rules/kube/pod_shape.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

TEST_CASE("templates that are completed elsewhere") {
  struct Row { const char* object; bool elsewhere; };
  constexpr Row kRows[] = {
      {"apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: a}]}", false},
      {"apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: a}, {name: b}]}", true},
      {"apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: $IMAGE}]}", false},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: ServingRuntime\nspec: {containers: [{name: a, image: a}]}", true},
      {"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceServiceConfig\nspec: {template: {containers: [{name: a, image: a}]}}", true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.object);
    const Sample sample(row.object);
    CHECK(completed_elsewhere(sample.pod()) == row.elsewhere);
  }
}

TEST_CASE("the first container in start order speaks for the pod") {
  const Sample sample("apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: a}, {name: b, image: b}], initContainers: [{name: i, image: i}]}");
  const PodTemplate& pod = sample.pod();
  std::string first;
  pod.for_each_container([&](const Container& container) { first += is_first_container(container, pod) ? container.name.value : ""; });
  CHECK(first == "i");
}
