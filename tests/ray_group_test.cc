// GPUs that a Ray group declares to Ray itself, in all the places there are for it.
#include "rules/kube/ray_group.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

namespace {

Sample worker_group(const std::string& fields) {
  return Sample("apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: c}\nspec: {workerGroupSpecs: [{groupName: w" + fields +
                ", template: {spec: {containers: [{name: ray, image: a}]}}}]}");
}

struct Row {
  const char* fields;
  const char* pointer;
};

}  // namespace

TEST_CASE("GPUs declared to Ray") {
  constexpr Row kRows[] = {
      {"", ""},
      {", rayStartParams: {}", ""},
      {", rayStartParams: {num-gpus: '0'}", ""},
      {", rayStartParams: {num-gpus: '2'}", "/spec/workerGroupSpecs/0/rayStartParams/num-gpus"},
      {", rayStartParams: {num-gpus: $GPUS}", ""},
      {", resources: {GPU: '1'}", "/spec/workerGroupSpecs/0/resources/GPU"},
      {", resources: {CPU: '1'}", ""},
      {R"(, rayStartParams: {resources: '{"GPU": 1}'})", "/spec/workerGroupSpecs/0/rayStartParams/resources"},
      {R"(, rayStartParams: {resources: '"{\"CPU\": 4, \"GPU\": 2}"'})", "/spec/workerGroupSpecs/0/rayStartParams/resources"},
      {R"(, rayStartParams: {resources: '"{\"GPU\": 0}"'})", ""},
      {R"(, rayStartParams: {resources: '"{\"GPU_memory\": 8}"'})", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.fields);
    const Sample sample = worker_group(row.fields);
    const Node* declared = gpus_declared_to_ray(sample.pod());
    CHECK((declared ? sample.pointer(declared) : std::string()) == row.pointer);
  }
}

TEST_CASE("a template of another kind is no Ray group") {
  const Sample sample("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n"
                      "spec: {resources: {GPU: '1'}, template: {spec: {containers: [{name: a, image: a}]}}}");
  CHECK(gpus_declared_to_ray(sample.pod()) == nullptr);
}
