#include "lint/live_cluster.h"

#include <fmt/format.h>

#include <array>

#include "lint/child_process.h"
#include "lint/first_line.h"
#include "rules/cluster/platform_key.h"
#include "rules/document/document.h"

namespace gpulint {
namespace {

// Some hundred are enough to know a cluster by; each has ten kilobytes.
constexpr std::string_view kNodesPath = "/api/v1/nodes?limit=200";
constexpr std::size_t kMostOutput = std::size_t{64} << 20;

struct Mark {
  std::string_view text, preset;
};
// In the version a kubelet reports: k3s and RKE2 releases, "GKE release notes", "EKS Kubernetes versions".
constexpr std::array kVersions = {Mark{"+k3s", "k3s"}, Mark{"+rke2", "k3s"}, Mark{"-gke.", "gke"}, Mark{"-eks-", "eks"}};
// Labels that the platform gives to nodes and manifests do not select by: OpenShift's machine configuration, the k3s agent.
constexpr std::array kLabels = {Mark{"node.openshift.io/", "openshift"}, Mark{"k3s.io/", "k3s"}};

void read_keys(const Node* keys, std::string_view what, std::string_view node, LiveCluster& cluster) {
  if (!keys || !keys->is_mapping()) return;
  const auto note = [&](std::string_view preset, const Node& key) {
    cluster.platforms.try_emplace(std::string(preset), fmt::format("{} {} of node {}", what, key.key, node));
  };
  for (const Node& key : *keys) {
    if (const auto preset = platform_of_key(key.key)) note(*preset, key);
    for (const Mark& mark : kLabels)
      if (key.key.starts_with(mark.text)) note(mark.preset, key);
  }
}

void read_node(const Node& node, LiveCluster& cluster) {
  const Node* name = node.at("metadata", "name");
  const std::string_view known_as = name ? name->text : "?";
  ++cluster.nodes;
  read_keys(node.at("metadata", "labels"), "label", known_as, cluster);
  read_keys(node.at("metadata", "annotations"), "annotation", known_as, cluster);
  if (const Node* version = node.at("status", "nodeInfo", "kubeletVersion"))
    for (const Mark& mark : kVersions)
      if (version->text.find(mark.text) != version->text.npos)
        cluster.platforms.try_emplace(std::string(mark.preset), fmt::format("version {} of node {}", version->text, known_as));
}

std::string trouble_of(const ChildResult& result) {
  if (result.end == ChildEnd::timed_out) return "no answer within 2 seconds";
  const std::string said = first_line(result.err);
  return said.empty() ? "kubectl failed" : said;
}

}  // namespace

void read_nodes(std::string_view json, LiveCluster& cluster) {
  const Source source("nodes", std::string(json));
  const Documents documents = read_json(source, {});
  const Node* root = documents.list.empty() ? nullptr : documents.list.front().root;
  const Node* items = root ? root->find("items") : nullptr;
  if (!items || !items->is_sequence()) {
    cluster.trouble = "the answer is no list of nodes";
    return;
  }
  for (const Node& node : *items) read_node(node, cluster);
  // The preset of OpenShift is one with the GPU operator.
  if (cluster.platforms.contains("openshift")) cluster.platforms.erase("gpu-operator");
}

LiveCluster live_cluster() {
  LiveCluster cluster;
  if (!is_installed("kubectl")) return cluster;
  ChildResult result = run_child({.words = {"kubectl", "config", "current-context"}, .timeout = kClusterPatience, .output_limit = kMostOutput});
  if (!result.succeeded()) return cluster;
  cluster.context = first_line(result.out);
  result = run_child({.words = {"kubectl", "get", "--raw", std::string(kNodesPath), "--request-timeout=2s"}, .timeout = kClusterPatience, .output_limit = kMostOutput});
  if (result.succeeded()) read_nodes(result.out, cluster);
  else cluster.trouble = trouble_of(result);
  return cluster;
}

}  // namespace gpulint
