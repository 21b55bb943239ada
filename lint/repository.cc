#include "lint/repository.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "lint/child_process.h"
#include "lint/find_configuration.h"
#include "lint/folder.h"
#include "lint/judge.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = std::size_t{1} << 20;

// The files of a CI that is in use say so; else the place that the repository is pushed to.
void find_host(Repository& repository) {
  repository.on_github = is_there(repository.path(".github"));
  repository.on_gitlab = is_there(repository.path(".gitlab-ci.yml"));
  if (repository.on_github || repository.on_gitlab || !repository.is_repository) return;
  const ChildResult remotes = run_child({.words = {"git", "-C", repository.top, "config", "--get-regexp", R"(^remote\..*\.url$)"}, .output_limit = kMostText});
  repository.on_github = remotes.out.find("github") != remotes.out.npos;
  repository.on_gitlab = remotes.out.find("gitlab") != remotes.out.npos;
}

void find_folders(Repository& repository) {
  for (const JudgedFile& file : repository.report.files) {
    const fs::path path(file.name);
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    if (path.filename() == "Chart.yaml") repository.charts.push_back(folder);
    if (path.filename() == "kustomization.yaml" || path.filename() == "kustomization.yml") repository.kustomizations.push_back(folder);
  }
}

}  // namespace

Repository look_at_repository() {
  const fs::path working = fs::current_path();
  const std::string top = find_configuration(working.string()).top;
  Repository repository;
  repository.top = fs::path(top).lexically_relative(working).string();
  repository.is_repository = is_there(top + "/.git");
  find_host(repository);
  JudgeOptions options;
  options.threads = std::max(std::thread::hardware_concurrency(), 1u);
  options.wanted.cluster = true;
  options.list_files = true;
  Judgement judgement = judge({repository.top}, Policy{}, options);
  repository.report = std::move(judgement.report);
  std::sort(judgement.trace.evidence.begin(), judgement.trace.evidence.end(), [](const ClusterEvidence& a, const ClusterEvidence& b) {
    return std::tie(a.file, a.position.line, a.position.column) < std::tie(b.file, b.position.line, b.position.column);
  });
  for (ClusterEvidence& evidence : judgement.trace.evidence)
    if (find_preset(evidence.conclusion)) repository.platforms[evidence.conclusion].push_back(std::move(evidence));
  find_folders(repository);
  return repository;
}

}  // namespace gpulint
