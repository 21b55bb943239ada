// The word filter may only spare documents in which no rule could find anything: with and without it the findings are the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "rules/engine/engine.h"
#include "tests/corpus/manifests.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

// Input rules speak only about documents that have a GPU word: a document that is not read has no faults to tell.
std::string judged(const std::string& path, const Policy& policy) {
  const Source source(path, testing::read_file(path));
  std::string text;
  for (const Finding& finding : inspect(source, policy).findings)
    if (finding.rule->group != Group::input)
      text += fmt::format("{} doc{}:{} {} {}\n", name_of(finding.severity), finding.document, finding.pointer.text(), finding.rule->id, finding.message);
  return text;
}

void compare(const std::vector<std::string>& files, std::string_view cluster) {
  Policy filtered = testing::policy_for(cluster), everything = filtered;
  everything.read_everything = true;
  for (const std::string& path : files) {
    const std::string difference = testing::difference(judged(path, everything), judged(path, filtered));
    CHECK_MESSAGE(difference.empty(), path, " (- all documents read, + those with a word)\n", difference);
  }
}

TEST_CASE("the filter changes no finding in testdata") {
  compare(testing::files_below("testdata/rules"), "generic");
  compare(testing::files_below("testdata/cases"), "k3s+dra");
}

TEST_CASE("the filter changes no finding in the public manifests") {
  if (!testing::has_corpus("the filter on public manifests")) return;
  const std::vector<std::string> files = testing::files_below(testing::kCorpus);
  for (const std::string_view cluster : {"generic", "gke", "gpu-operator+kai+hami"}) compare(files, cluster);
}

TEST_CASE("the filter spares documents without a word, and only those") {
  const Policy policy;
  const Source source("two.yaml", "kind: ConfigMap\n---\nkind: Pod\nspec: {containers: [{resources: {limits: {NVIDIA.com/gpu: 1}}}]}\n");
  const Documents documents = read_yaml(source, {.words = &policy.words()});
  REQUIRE(documents.list.size() == 2);
  CHECK(documents.list[0].state == DocumentState::skipped);
  CHECK(documents.list[1].state == DocumentState::parsed);
}

// The filter is derived: whatever the tables, the rules and the configuration know must pass it.
TEST_CASE("every word of the accelerators, the rules and the configuration passes the filter") {
  Policy policy = testing::policy_for("generic+taint:example.com/pool=blue:NoSchedule");
  policy.accelerators.add({.resource = "example.org/frobnicator", .accelerator = {}});
  policy.rebuild_words();
  for (const std::string& word : policy.accelerators.words()) CHECK_MESSAGE(policy.words().found_in(word), word);
  for (const Rule* rule : all_rules())
    for (const std::string_view word : rule->words) CHECK_MESSAGE(policy.words().found_in(word), rule->id, ": ", word);
  CHECK(policy.words().found_in("limits: {example.org/frobnicator: 1}"));
  CHECK(policy.words().found_in("tolerations: [{key: example.com/pool}]"));
  CHECK_FALSE(policy.words().found_in("kind: ConfigMap\ndata: {colour: blue}\n"));
}

TEST_CASE("every resource name that the table recognises passes the filter") {
  const Policy policy;
  for (const std::string_view name :
       {"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb", "nvidia.com/gpumem", "amd.com/gpu", "gpu.intel.com/i915",
        "gpu.intel.com/xe", "habana.ai/gaudi", "google.com/tpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "huawei.com/Ascend910",
        "cambricon.com/mlu", "hygon.com/dcunum", "aliyun.com/gpu-mem", "volcano.sh/vgpu-number", "metax-tech.com/gpu", "mthreads.com/vgpu",
        "iluvatar.ai/gpu", "enflame.com/gcu", "deviceclass.resource.kubernetes.io/gpu.nvidia.com"}) {
    CHECK_MESSAGE(policy.words().found_in(fmt::format("limits:\n  {}: 1\n", name)), name);
    CHECK_MESSAGE(policy.accelerators.resource(name).has_value(), name);
  }
}

}  // namespace
}  // namespace gpulint
