// `gpulint init` in repositories of every kind: what it writes is right, and what is there stays as it is.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "lint/init_command.h"
#include "rules/engine/configuration.h"
#include "tests/support/gpulint_program.h"

namespace gpulint::testing {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

const std::string kGkePod = std::string(kBad) + "  nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}\n";
constexpr const char* kNodes = R"({"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "n1", "labels": {"kubernetes.azure.com/cluster": "x"}}}]})";

/// A repository, and the programs that stand before all others: a kubectl made of shell.
struct Place {
  explicit Place(const Files& files, const std::string& kubectl = "exit 1") {
    for (const auto& [name, text] : files) {
      if (name == ".git") REQUIRE(run({.words = {"git", "init", "--quiet", folder.path()}}).status == 0);
      else write_file(folder / name, text);
    }
    if (const auto git = files.find(".git"); git != files.end() && !git->second.empty())
      REQUIRE(run({.words = {"git", "-C", folder.path(), "remote", "add", "origin", git->second}}).status == 0);
    write_file(tools / "kubectl", "#!/bin/sh\n" + kubectl + "\n");
    fs::permissions(tools / "kubectl", fs::perms::owner_all);
  }
  Outcome program(std::vector<std::string> words, const std::string& below = "") const {
    return testing::program(std::move(words), {.environment = {{"PATH", tools.path() + ":" + std::getenv("PATH")}}, .directory = folder / below});
  }
  Files files() const {
    Files all;
    for (auto it = fs::recursive_directory_iterator(folder.path()); it != fs::recursive_directory_iterator(); ++it) {
      if (it->path().filename() == ".git") it.disable_recursion_pending();
      else if (it->is_regular_file()) all[it->path().lexically_relative(folder.path()).string()] = read_file(it->path());
    }
    return all;
  }
  TemporaryFolder folder, tools;
};

struct Row {
  std::string what;
  Files files;
  std::vector<std::string> written;
  std::vector<std::string> said;
};

const std::string kConfig = ".gpulint.yaml", kHook = ".pre-commit-config.yaml", kGithub = ".github/workflows/gpulint.yaml", kGitlab = ".gitlab-ci.yml";

const std::vector<Row> kRows = {
    {"no repository", {{"bad.yaml", kBad}}, {kConfig}, {"This is no git repository", "`gpulint lint` lists 1 error and 0 warnings"}},
    {"a repository that is pushed nowhere", {{".git", ""}, {"good.yaml", kGood}}, {kConfig, kHook}, {"Found neither GitHub nor GitLab", "nothing is wrong with it today"}},
    {"pushed to GitHub", {{".git", "git@github.com:a/b.git"}}, {kConfig, kHook, kGithub}, {"Wrote .github/workflows/gpulint.yaml"}},
    {"pushed to GitLab", {{".git", "https://gitlab.example.com/a/b.git"}}, {kConfig, kHook, kGitlab}, {"Wrote .gitlab-ci.yml"}},
    {"has workflows", {{".git", ""}, {".github/workflows/test.yaml", "on: push\n"}}, {kConfig, kHook, kGithub}, {}},
    {"has a pipeline and hooks of others", {{".git", ""}, {kGitlab, "test: {script: [make]}\n"}, {kHook, "repos: []\n"}}, {kConfig},
     {"Left .gitlab-ci.yml alone. To add as a job:\n\ngpulint:\n", "Left .pre-commit-config.yaml alone. To add below repos:\n\n  - repo: local\n"}},
    {"has a job under another name", {{".git", ""}, {".github/workflows/gpulint.yml", "on: push\n"}}, {kConfig, kHook}, {"a gpulint job is there already"}},
    {"all is there", {{".git", ""}, {kConfig, "fail-on: warning\n"}, {kHook, "# gpulint\n"}, {kGitlab, "# gpulint\n"}}, {},
     {"Left .gpulint.yaml alone", "Left .gitlab-ci.yml alone: it names gpulint already", "Nothing was left to write."}},
    {"settings under a name that is not read", {{".gpulint.yml", "fail-on: warning\n"}}, {}, {"Wrote no .gpulint.yaml: .gpulint.yml is not read under this name"}},
    {"charts and kustomizations", {{"charts/a/Chart.yaml", "name: a\nversion: 1.0.0\napiVersion: v2\n"}, {"base/kustomization.yaml", "resources: []\n"}}, {kConfig}, {"1 chart, 1 kustomization"}},
};

std::vector<std::string> new_files(const Files& before, const Files& after) {
  std::vector<std::string> names;
  for (const auto& [name, text] : after)
    if (!before.contains(name)) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("what is written, and what is left alone") {
  for (const Row& row : kRows) {
    const Place place(row.files);
    const Files before = place.files();
    const Outcome outcome = place.program({"init"});
    INFO(row.what, ":\n", outcome.out, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    const Files after = place.files();
    std::vector<std::string> written = row.written;
    std::sort(written.begin(), written.end());
    CHECK(new_files(before, after) == written);
    for (const auto& [name, text] : before) CHECK_MESSAGE(after.at(name) == text, name);
    for (const std::string& part : row.said) CHECK_MESSAGE(outcome.out.find(part) != std::string::npos, part);
    const Outcome again = place.program({"init"});
    CHECK(again.status == 0);
    CHECK_MESSAGE(again.out.find("Nothing was left to write.") != std::string::npos, again.out);
    CHECK(place.files() == after);
  }
}

TEST_CASE("the written files work") {
  const Place place({{".git", "git@github.com:a/b.git"}, {"clusters/pod.yaml", kGkePod}, {"sub/good.yaml", kGood}});
  const Outcome outcome = place.program({"init"}, "sub");
  CHECK_MESSAGE(outcome.out.find("Wrote ../.gpulint.yaml") != std::string::npos, outcome.out);
  CHECK(outcome.out.find("1 object is for gke, the first at ../clusters/pod.yaml:10 by key cloud.google.com/gke-accelerator.") != std::string::npos);
  const Outcome shown = place.program({"config", "show"});
  CHECK_MESSAGE(shown.status == 0, shown.err);
  CHECK_MESSAGE(shown.out.find("cluster: \"gke\"  # .gpulint.yaml:") != std::string::npos, shown.out);
  // The files that name gpulint are no manifests: nothing is left unjudged.
  const Outcome judged = place.program({"lint", "--strict-input"});
  CHECK_MESSAGE(judged.status == 1, judged.out);
  const YAML::Node workflow = YAML::LoadFile(place.folder / kGithub), hooks = YAML::LoadFile(place.folder / kHook);
  CHECK(workflow["jobs"]["gpulint"]["steps"][1]["run"].as<std::string>() == "pipx run --spec \"$PACKAGE\" gpulint lint --output github");
  CHECK(hooks["repos"][0]["hooks"][0]["entry"].as<std::string>() == "gpulint lint");
  CHECK(YAML::Load(gitlab_text())["gpulint"]["script"][1].as<std::string>() == "gpulint lint --output text --output gitlab=gpulint.json");
  CHECK(YAML::Load("repos:\n" + pre_commit_entry())["repos"].size() == 1);
}

TEST_CASE("each commented setting is one that can be used") {
  std::istringstream lines(configuration_text({}));
  std::map<std::string, std::string> settings;
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ") || line.empty()) continue;
    const std::string text = line.starts_with('#') ? line.substr(1) : line;
    if (text[0] != ' ') name = text.substr(0, text.find(':'));
    settings[name] += text + "\n";
  }
  std::set<std::string> described;
  for (const Setting& setting : configuration_settings()) described.insert(std::string(setting.name));
  for (const auto& [key, text] : settings) {
    CHECK_MESSAGE(described.erase(key) == 1, key);
    Policy policy;
    for (const PolicyProblem& problem : read_policy(Source("x", text), policy)) FAIL_CHECK(text, problem.message);
  }
  for (const std::string& key : described) FAIL_CHECK(key, " has no example");
}

TEST_CASE("what cannot be written is said, and the exit status is 2") {
  const Place place(Files{{".git", ""}, {".github/workflows", "in the way"}});
  const Outcome outcome = place.program({"init"});
  CHECK(outcome.status == 2);
  CHECK_MESSAGE(outcome.err.find("gpulint: cannot write .github/workflows/gpulint.yaml: ") != std::string::npos, outcome.err);
  CHECK(fs::exists(place.folder / kConfig));
}

TEST_CASE("a file behind a dangling link is not made") {
  const Place place(Files{{".git", ""}});
  fs::create_symlink(place.folder / "elsewhere", place.folder / kHook);
  CHECK(place.program({"init"}).status == 0);
  CHECK_FALSE(fs::exists(place.folder / "elsewhere"));
}

TEST_CASE("the cluster of the current context") {
  const std::string context = "[ \"$1\" = config ] && { echo prod; exit; }\n";
  struct Row { std::string kubectl, manifest, cluster, said; };
  for (const Row& row : {
           Row{"exit 1", kBad, "", "name the cluster there"},
           Row{context + "echo '" + kNodes + "'", kBad, "cluster: aks\n", "The current context prod of kubectl is aks, by label kubernetes.azure.com/cluster of node n1."},
           Row{context + "echo '" + kNodes + "'", kGkePod, "", "1 object is for gke"},
           Row{context + "echo '{\"items\": [{\"status\": {\"nodeInfo\": {\"kubeletVersion\": \"v1.30.5-gke.1\"}}}]}'", kGkePod, "cluster: gke\n", "by version v1.30.5-gke.1 of node ?"},
           Row{context + "echo 'Unable to connect. Is it up?' >&2; exit 1", kBad, "", "was not looked at: Unable to connect. Is it up?\n"},
           Row{context + "echo oops", kBad, "", "was not looked at: the answer is no list of nodes."},
           Row{context + "sleep 20", kBad, "", "was not looked at: no answer within 2 seconds."},
           Row{context + "echo '{\"items\": [{\"metadata\": {\"labels\": {\"a\": \"b\"}}}]}'", kBad, "", "do not show what they are"},
       }) {
    const Place place(Files{{"pod.yaml", row.manifest}}, row.kubectl);
    const Outcome outcome = place.program({"init"});
    const std::string written = read_file(place.folder / kConfig);
    INFO(row.kubectl, "\n", outcome.out, written);
    CHECK(outcome.status == 0);
    CHECK(outcome.duration < std::chrono::seconds(10));
    CHECK(outcome.out.find(row.said) != std::string::npos);
    CHECK((written.find("\ncluster: ") != std::string::npos) == !row.cluster.empty());
    CHECK(written.find(row.cluster) != std::string::npos);
  }
}

TEST_CASE("platforms of nodes") {
  struct Row { std::string node; std::vector<std::string> presets; };
  for (const Row& row : {
           Row{R"({"metadata": {"labels": {"cloud.google.com/gke-nodepool": "a"}}})", {"gke"}},
           Row{R"({"metadata": {"labels": {"eks.amazonaws.com/nodegroup": "a", "nvidia.com/gpu.deploy.driver": "true"}}})", {"eks", "gpu-operator"}},
           Row{R"({"metadata": {"labels": {"node.openshift.io/os_id": "rhcos", "nvidia.com/gpu.deploy.driver": "true"}}})", {"openshift"}},
           Row{R"({"metadata": {"annotations": {"k3s.io/hostname": "a"}}, "status": {"nodeInfo": {"kubeletVersion": "v1.30.2+k3s1"}}})", {"k3s"}},
           Row{R"({"status": {"nodeInfo": {"kubeletVersion": "v1.29.1+rke2r1"}}})", {"k3s"}},
           Row{R"({"status": {"nodeInfo": {"kubeletVersion": "v1.30.4-eks-a737599"}}})", {"eks"}},
           Row{R"({"metadata": {"labels": 5}, "status": null})", {}},
           Row{R"("no node")", {}},
       }) {
    INFO(row.node);
    LiveCluster cluster;
    read_nodes("{\"items\": [" + row.node + "]}", cluster);
    std::vector<std::string> found;
    for (const auto& [preset, shown_by] : cluster.platforms) found.push_back(preset);
    CHECK(found == row.presets);
  }
}

}  // namespace gpulint::testing
