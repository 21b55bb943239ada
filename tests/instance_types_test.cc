// How many devices the machines of the clouds have, and what a pod's node selectors leave of it.
#include "rules/cluster/instance_types.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "tests/support/kube_sample.h"

namespace gpulint {
namespace {

std::string most(const std::string& spec, Vendor vendor = Vendor::nvidia) {
  const test::Sample sample("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]" + spec + "}");
  const auto devices = most_devices(sample.pod(), vendor);
  return devices ? fmt::format("{} by {}", devices->most, devices->said_by->key) : "open";
}

std::string selector(const std::string& labels) { return ", nodeSelector: {" + labels + "}"; }

/// Required terms, each a list of values of one label.
std::string terms(std::string_view key, std::initializer_list<std::string_view> values) {
  std::string text;
  for (std::string_view value : values)
    text += fmt::format("{}{{matchExpressions: [{{key: {}, operator: In, values: [{}]}}]}}", text.empty() ? "" : ", ", key, value);
  return ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + text + "]}}}";
}

TEST_CASE("each type stands once and has devices") {
  std::set<std::string_view> names;
  for (const InstanceType& type : instance_types()) {
    CAPTURE(type.name);
    CHECK(names.insert(type.name).second);
    CHECK(type.devices >= 1);
    CHECK(type.devices <= 16);
    CHECK(find_instance_type(type.name) == &type);
  }
  CHECK(find_instance_type("m7i.large") == nullptr);
}

// Google names the number of devices in the type.
TEST_CASE("types that name their number of devices have it") {
  for (const InstanceType& type : instance_types()) {
    const std::size_t dash = type.name.find("gpu-");
    if (dash == std::string_view::npos || type.name.starts_with("p6e")) continue;
    CAPTURE(type.name);
    CHECK(type.name.substr(dash + 4).starts_with(fmt::format("{}g", type.devices)));
  }
}

TEST_CASE("what selectors leave") {
  CHECK(most("") == "open");
  CHECK(most(selector("disk: ssd")) == "open");
  CHECK(most(selector("node.kubernetes.io/instance-type: g5.12xlarge")) == "4 by node.kubernetes.io/instance-type");
  CHECK(most(selector("beta.kubernetes.io/instance-type: Standard_NC6s_v3")) == "1 by beta.kubernetes.io/instance-type");
  CHECK(most(selector("node.kubernetes.io/instance-type: made-up.large")) == "open");
  CHECK(most(selector("node.kubernetes.io/instance-type: $TYPE")) == "open");
  CHECK(most(selector("karpenter.k8s.aws/instance-family: g6")) == "8 by karpenter.k8s.aws/instance-family");
  CHECK(most(selector("cloud.google.com/machine-family: a2")) == "16 by cloud.google.com/machine-family");
  CHECK(most(selector("karpenter.k8s.aws/instance-family: m5")) == "open");
  CHECK(most(selector("eks.amazonaws.com/instance-gpu-count: '2'")) == "2 by eks.amazonaws.com/instance-gpu-count");
  CHECK(most(selector("cloud.google.com/gke-accelerator-count: two")) == "open");
}

TEST_CASE("selectors are joined, terms are alternatives") {
  const std::string type = "node.kubernetes.io/instance-type";
  CHECK(most(selector("karpenter.k8s.aws/instance-family: g5, node.kubernetes.io/instance-type: g5.8xlarge")) == "1 by node.kubernetes.io/instance-type");
  CHECK(most(terms(type, {"g5.8xlarge, g5.12xlarge"})) == "4 by node.kubernetes.io/instance-type");
  CHECK(most(terms(type, {"g5.8xlarge", "p5.48xlarge"})) == "8 by node.kubernetes.io/instance-type");
  CHECK(most(terms(type, {"g5.8xlarge", "made-up.large"})) == "open");
  CHECK(most(selector("karpenter.k8s.aws/instance-family: g5") + terms(type, {"g5.8xlarge", "made-up.large"})) == "8 by karpenter.k8s.aws/instance-family");
}

TEST_CASE("devices of another vendor are none") {
  CHECK(most(selector("node.kubernetes.io/instance-type: trn1.32xlarge"), Vendor::neuron) == "16 by node.kubernetes.io/instance-type");
  CHECK(most(selector("node.kubernetes.io/instance-type: trn1.32xlarge")) == "0 by node.kubernetes.io/instance-type");
  CHECK(most(selector("karpenter.k8s.aws/instance-gpu-count: '8'"), Vendor::neuron) == "open");
}

}  // namespace
}  // namespace gpulint
