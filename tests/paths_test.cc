// Paths of the configuration: what globs match, and that they count from the folder of the configuration whatever the working directory.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rules/engine/effective_policies.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

struct GlobRow {
  std::string_view glob, path;
  bool matches;
};
constexpr GlobRow kGlobRows[] = {
    {"*.yaml", "a.yaml", true},
    {"*.yaml", "x/y/a.yaml", true},
    {"*.yaml", "a.yml", false},
    {"lab", "clusters/lab", true},
    {"lab", "clusters/lab/a.yaml", true},
    {"lab", "clusters/laboratory/a.yaml", false},
    {"lab/", "clusters/lab/a.yaml", true},
    {"lab/", "clusters/lab", false},
    {"/lab", "lab/a.yaml", true},
    {"/lab", "clusters/lab/a.yaml", false},
    {"/*.yaml", "a.yaml", true},
    {"/*.yaml", "x/a.yaml", false},
    {"/etc/x", "/etc/x/a.yaml", true},
    {"clusters/lab/**", "clusters/lab/a.yaml", true},
    {"clusters/lab/**", "clusters/lab/x/y/a.yaml", true},
    {"clusters/lab/**", "clusters/laboratory/a.yaml", false},
    {"clusters/lab/", "clusters/lab/x/a.yaml", true},
    {"clusters/lab", "clusters/lab/a.yaml", true},
    {"clusters/lab", "x/clusters/lab/a.yaml", false},
    {"clusters/*", "clusters/lab/x/a.yaml", true},
    {"clusters/*/a.yaml", "clusters/lab/a.yaml", true},
    {"clusters/*/a.yaml", "clusters/lab/x/a.yaml", false},
    {"**/a.yaml", "a.yaml", true},
    {"**/a.yaml", "x/y/a.yaml", true},
    {"x/**/a.yaml", "x/a.yaml", true},
    {"x/**/a.yaml", "x/y/z/a.yaml", true},
    {"x/**/a.yaml", "xa.yaml", false},
    {"a?.yaml", "ab.yaml", true},
    {"a?.yaml", "a/.yaml", false},
    {"a[bc].yaml", "ac.yaml", true},
    {"a[!bc].yaml", "ac.yaml", false},
    {"a[!bc].yaml", "ad.yaml", true},
    {"a[0-9].yaml", "a7.yaml", true},
    {"a[.yaml", "a[.yaml", true},
    {"a[z-a].yaml", "a[z-a].yaml", true},
    {"a+(b)$.yaml", "a+(b)$.yaml", true},
    {"a.yaml", "aXyaml", false},
    {"./x/a.yaml", "x/a.yaml", true},
    {"x/a.yaml", "./x/a.yaml", true},
    {"/x/a.yaml", "x/a.yaml", true},
    {"x/a.yaml", "y/x/a.yaml", false},
    {"größe-?.yaml", "größe-ü.yaml", true},
    {"", "a.yaml", false},
    {"**", "x/y/a.yaml", true},
};

TEST_CASE("globs") {
  for (const GlobRow& row : kGlobRows) {
    CAPTURE(row.glob);
    CAPTURE(row.path);
    CHECK(glob_matches(row.glob, row.path) == row.matches);
  }
}

TEST_CASE("paths count from the folder of the configuration") {
  struct Row {
    std::string folder, working, path, relative, openable;
  };
  const Row rows[] = {
      {"/repo", "/repo", "a/b.yaml", "a/b.yaml", "a/b.yaml"},
      {"/repo", "/repo", "./a/b.yaml", "a/b.yaml", "a/b.yaml"},
      {"/repo", "/repo", "/repo/a/b.yaml", "a/b.yaml", "a/b.yaml"},
      {"/repo", "/repo/a", "b.yaml", "a/b.yaml", "b.yaml"},
      {"/repo", "/repo/a", "../c/b.yaml", "c/b.yaml", "../c/b.yaml"},
      {"/repo", "/repo/a/x", "../../b.yaml", "b.yaml", "../../b.yaml"},
      {"/repo/a", "/repo", "a/b.yaml", "b.yaml", "a/b.yaml"},
      {"/repo/a", "/repo", "ab/b.yaml", "ab/b.yaml", "a/ab/b.yaml"},
      {"/repo", "/elsewhere", "/repo/a..b/c.yaml", "a..b/c.yaml", "../repo/a..b/c.yaml"},
      {"/repo", "/repo", "a/", "a/", "a/"},
      {"/", "/srv", "a.yaml", "srv/a.yaml", "a.yaml"},
      {"", "", "a/b.yaml", "a/b.yaml", "a/b.yaml"},
      {"/repo", "/elsewhere", "<standard input>", "<standard input>", "../repo/<standard input>"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.folder);
    CAPTURE(row.working);
    CAPTURE(row.path);
    const PathBase paths{row.folder, row.working};
    CHECK(paths.relative(row.path) == row.relative);
    CHECK(paths.openable(row.relative) == row.openable);
  }
}

TEST_CASE("the configuration and the baseline are no manifests, wherever they are named from") {
  Policy policy;
  policy.paths = {"/repo", "/repo/a"};
  policy.own_files = {"ci/settings.yaml", "baseline.json"};
  for (const char* own : {".gpulint.yaml", "x/.gpulint.yaml", ".gpulint.schema.json", "x/gpulint-baseline.json", "../ci/settings.yaml", "/repo/ci/settings.yaml", "../baseline.json"})
    CHECK_MESSAGE(policy.is_own_file(own), own);
  for (const char* other : {"settings.yaml", "ci/settings.yaml", "baseline.json", "../x/baseline.json", "x.gpulint.yaml", "line.json"})
    CHECK_MESSAGE(!policy.is_own_file(other), other);
}

/// Cluster, and what became of two rules, for a file.
std::string effective(const EffectivePolicies& policies, std::string_view path) {
  const Policy& policy = policies.of(path);
  std::string text = policy.cluster.name();
  for (const char* id : {"zero-gpu-limit", "docker-gpus-flag"}) {
    const RuleSettings* settings = policy.settings(id);
    if (!settings) continue;
    text += std::string(" ") + (settings->off ? "off" : settings->severity ? std::string(name_of(*settings->severity)) : "on");
    for (const auto& [name, values] : settings->parameters) text += " " + name + "=" + values.front();
  }
  return text;
}

TEST_CASE("overrides: the last one that matches counts, setting by setting") {
  Policy policy;
  const std::string text =
      "cluster: gke\nrules: {zero-gpu-limit: off, docker-gpus-flag: {severity: info, programs: [one]}}\noverrides:\n"
      "  - {paths: clusters, cluster: eks, rules: {zero-gpu-limit: on}}\n"
      "  - {paths: clusters/aks, cluster: {preset: aks}, rules: {docker-gpus-flag: {programs: [two]}}}\n"
      "  - {paths: '*.lab.yaml', rules: {docker-gpus-flag: off}}\n"
      "  - {paths: none, cluster: k3s}\n";
  REQUIRE(read_policy(Source(".gpulint.yaml", text), policy).empty());
  policy.paths = {"/repo", "/repo/clusters"};
  const EffectivePolicies policies(policy);
  struct Row {
    std::string_view path, settings;
  };
  constexpr Row kRows[] = {
      {"../a.yaml", "gke off info programs=one"},
      {"a.yaml", "eks on info programs=one"},
      {"aks/a.yaml", "aks on info programs=two"},
      {"aks/a.lab.yaml", "aks on off programs=two"},
      {"../x/a.lab.yaml", "gke off off programs=one"},
      {"/elsewhere/a.yaml", "gke off info programs=one"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.path);
    CHECK(effective(policies, row.path) == row.settings);
  }
  CHECK(&policies.of("../a.yaml") == &policy);
  CHECK(&policies.of("aks/a.yaml") == &policies.of("aks/x/b.yaml"));
  CHECK(policies.of("aks/a.yaml").origins.at("cluster") == ".gpulint.yaml:5, overrides[1]");
  CHECK(policies.of("aks/a.yaml").origins.at("rules.zero-gpu-limit") == ".gpulint.yaml:4, overrides[0]");
}

TEST_CASE("threads share what is made once") {
  Policy policy;
  REQUIRE(read_policy(Source("c", "overrides: [{paths: a, cluster: gke}, {paths: '*.yaml', rules: {zero-gpu-limit: off}}]\n"), policy).empty());
  policy.paths = {"/repo", "/repo"};
  const EffectivePolicies policies(policy);
  constexpr std::size_t kThreads = 8, kFiles = 200;
  std::vector<std::set<const Policy*>> seen(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::set<const Policy*>& mine : seen)
      threads.emplace_back([&policies, &mine] {
        for (std::size_t i = 0; i < kFiles; ++i) mine.insert(&policies.of((i % 2 ? "a/" : "b/") + std::to_string(i) + (i % 3 ? ".yaml" : ".json")));
      });
  }
  for (const std::set<const Policy*>& mine : seen) CHECK(mine == seen.front());
  CHECK(seen.front().size() == 4);
}

TEST_CASE("documents are looked for by the words of their own settings") {
  Policy policy;
  policy.paths = {"/repo", "/repo"};
  REQUIRE(read_policy(Source("c", "overrides: [{paths: lab, cluster: 'generic+taint:lab-only=yes:NoSchedule'}]\n"), policy).empty());
  const EffectivePolicies policies(policy);
  CHECK(policies.of("lab/a.yaml").words().found_in("tolerations: [{key: lab-only}]"));
  CHECK_FALSE(policies.of("prod/a.yaml").words().found_in("tolerations: [{key: lab-only}]"));
}

}  // namespace
}  // namespace gpulint
