// Pods that were read back from a cluster, as against those that somebody wrote.
#include "rules/kube/scheduled_pod.h"

#include <doctest/doctest.h>

#include "tests/support/kube_sample.h"

namespace gpulint {
namespace {

bool scheduled(const std::string& kind, const std::string& metadata, const std::string& rest) {
  const test::Sample sample("apiVersion: v1\nkind: " + kind + "\nmetadata: {name: p" + metadata + "}\nspec: {nodeName: n, containers: [{name: c, image: i}]}\n" + rest);
  REQUIRE(sample.objects.size() == 1);
  return was_scheduled(*sample.objects.front());
}

TEST_CASE("a status of the kubelet or an owner shows that the pod ran") {
  CHECK_FALSE(scheduled("Pod", "", ""));
  CHECK_FALSE(scheduled("Pod", "", "status: {}\n"));
  CHECK_FALSE(scheduled("Pod", ", ownerReferences: []", ""));
  CHECK(scheduled("Pod", "", "status: {startTime: '2026-01-01T00:00:00Z'}\n"));
  CHECK(scheduled("Pod", "", "status: {conditions: [{type: Ready}]}\n"));
  CHECK(scheduled("Pod", "", "status: {hostIP: 10.0.0.1}\n"));
  CHECK(scheduled("Pod", ", ownerReferences: [{kind: ReplicaSet, name: r}]", ""));
  CHECK_FALSE(scheduled("PodTemplate", ", ownerReferences: [{kind: ReplicaSet, name: r}]", ""));
}

}  // namespace
}  // namespace gpulint
