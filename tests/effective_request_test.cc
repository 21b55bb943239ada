// What a pod asks for, as the API server and the scheduler count it.
#include <doctest/doctest.h>

#include "tests/support/kube_sample.h"

using namespace gpulint;
using gpulint::test::Sample;

namespace {

struct Row {
  std::string_view what;
  std::string_view spec;  // flow style, below `spec:`
  std::string_view expected;
  bool unknown = false;
};

constexpr Row kRows[] = {
    {"a limit alone is the request", "{containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}}]}", "2"},
    {"a request alone counts", "{containers: [{name: a, resources: {requests: {nvidia.com/gpu: 2}}}]}", "2"},
    {"the request counts where both are set", "{containers: [{name: a, resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}}}]}", "1"},
    {"an empty request is 0", "{containers: [{name: a, resources: {requests: {nvidia.com/gpu: }, limits: {nvidia.com/gpu: 2}}}]}", "0"},
    {"containers are summed", "{containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}, {name: b, resources: {limits: {nvidia.com/gpu: '2000m'}}}]}", "3"},
    {"other resources do not count", "{containers: [{name: a, resources: {limits: {amd.com/gpu: 1, cpu: 4}}}]}", "0"},
    {"plain init containers are the larger of", "{initContainers: [{name: i, resources: {limits: {nvidia.com/gpu: 4}}}, {name: j, resources: {limits: {nvidia.com/gpu: 1}}}], containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}", "4"},
    {"a sidecar is summed", "{initContainers: [{name: s, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}], containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}}]}", "3"},
    {"an init container runs beside the sidecars before it", "{initContainers: [{name: s, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}, {name: i, resources: {limits: {nvidia.com/gpu: 4}}}], containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}}]}", "5"},
    {"but not beside those after it", "{initContainers: [{name: i, resources: {limits: {nvidia.com/gpu: 4}}}, {name: s, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}], containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}}]}", "4"},
    {"sidecars alone", "{initContainers: [{name: s, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}, {name: t, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}], containers: [{name: a}]}", "2"},
    {"a placeholder counts as 0 and is said", "{containers: [{name: a, resources: {limits: {nvidia.com/gpu: '${GPUS}'}}}, {name: b, resources: {limits: {nvidia.com/gpu: 1}}}]}", "1", true},
    {"so in an init container", "{initContainers: [{name: i, resources: {limits: {nvidia.com/gpu: GPU_COUNT}}}], containers: [{name: a}]}", "0", true},
    {"ephemeral containers have no resources", "{containers: [{name: a}], ephemeralContainers: [{name: e, resources: {limits: {nvidia.com/gpu: 1}}}]}", "0"},
};

}  // namespace

TEST_CASE("effective request of a pod") {
  for (const Row& row : kRows) {
    CAPTURE(row.what);
    const Sample sample("apiVersion: v1\nkind: Pod\nspec: " + std::string(row.spec));
    const EffectiveRequest request = effective_request(sample.pod(), "nvidia.com/gpu");
    CHECK(request.quantity.text() == row.expected);
    CHECK(request.unknown == row.unknown);
  }
}
