// The manifests that tests run over: those of testdata, and the public ones of ../shared where they are there.
// Files are named as from the repository root, in one order on every machine.
#pragma once
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint::testing {

inline constexpr std::string_view kCorpus = "../shared/corpus/files";
inline constexpr std::string_view kCases = "../shared/cases";

/// Regular files below a folder, sorted; empty when there is no such folder.
inline std::vector<std::string> files_below(std::string_view folder) {
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether the public manifests are there; says on the output what is not tested where they are not.
inline bool has_corpus(std::string_view what) {
  if (std::filesystem::is_directory(kCorpus)) return true;
  fmt::print("skipped: {}: no folder {}\n", what, kCorpus);
  return false;
}

/// The part of a corpus file's name below the corpus, as its tables name it; other names as they are.
inline std::string_view corpus_name(std::string_view path) {
  return path.starts_with(kCorpus) ? path.substr(kCorpus.size() + 1) : path;
}

/// The cluster that the publisher of a corpus file writes for; empty where the publisher writes for any.
inline std::string_view cluster_of(std::string_view path) {
  constexpr std::array<std::array<std::string_view, 2>, 6> publishers{{
      {"GoogleCloudPlatform__", "gke"},
      {"awslabs__", "eks"},
      {"NVIDIA__gpu-operator", "gpu-operator"},
      {"NVIDIA__k8s-dra-driver-gpu", "gpu-operator+dra"},
      {"NVIDIA__KAI-Scheduler", "gpu-operator+kai"},
      {"Project-HAMi__", "hami"},
  }};
  for (const auto& [publisher, cluster] : publishers)
    if (corpus_name(path).starts_with(publisher)) return cluster;
  return {};
}

inline Policy policy_for(std::string_view cluster) {
  Policy policy;
  std::string error;
  const std::optional<Cluster> parsed = Cluster::parse(cluster, error);
  REQUIRE_MESSAGE(parsed.has_value(), error);
  policy.cluster = *parsed;
  policy.rebuild_words();
  return policy;
}

}  // namespace gpulint::testing
