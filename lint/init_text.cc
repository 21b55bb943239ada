#include "lint/init_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "gpulint_version.h"
#include "rules/engine/configuration.h"

namespace gpulint {
namespace {

struct Example {
  std::string_view setting, text;
};
// Every setting has one; each is a configuration by itself (tests/init_test.cc).
constexpr std::array kExamples = {
    Example{"cluster", "cluster: gke+dra\n"},
    Example{"fail-on", "fail-on: error\n"},
    Example{"rules", "rules: {missing-spread: off, small-shared-memory: error}\n"},
    Example{"ignore",
            "ignore:\n"
            "  - {rule: privileged-gpu-container, paths: [\"clusters/lab/**\"], reason: debugging image, expires: 2099-12-31}\n"},
    Example{"overrides",
            "overrides:\n"
            "  - {paths: [\"clusters/edge/**\"], cluster: k3s}\n"},
    // They name gpulint, and would be counted as not judged.
    Example{"exclude", "exclude: [.github, .gitlab-ci.yml, .pre-commit-config.yaml]\n"},
    Example{"render",
            "render:\n"
            "  charts:\n"
            "    - {paths: [charts/app], values: [environments/prod/values.yaml]}\n"},
    Example{"baseline", "baseline: gpulint-baseline.json\n"},
    Example{"accelerators", "accelerators: [{resource: example.com/npu, vendor: example}]\n"},
    Example{"webhook", "webhook: {mode: warn}\n"},
};

// The rest stands there as comments.
constexpr std::array<std::string_view, 2> kSet = {"fail-on", "exclude"};

constexpr std::string_view kHead =
    "# Settings of gpulint for this repository; gpulint and gpulint-webhook read the same file.\n"
    "# `gpulint config show` prints what is in effect.\n"
    "# Editors check this file when `gpulint config schema` is saved beside it and the first line is\n"
    "#     # yaml-language-server: $schema=gpulint.schema.json\n";

std::string commented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += fmt::format("#{}\n", text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return out;
}

// One or several lines of comment, broken at blanks.
std::string comment(std::string_view text) {
  constexpr std::size_t kWidth = 118;
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t blank = std::min(text.rfind(' ', kWidth), text.size());
    out += fmt::format("# {}\n", text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return text.empty() ? out : out + fmt::format("# {}\n", text);
}

std::string cluster_setting(const ClusterChoice& cluster, std::string_view example) {
  std::string text;
  for (const std::string& reason : cluster.reasons) text += comment(reason);
  if (!cluster.preset.empty()) return text + fmt::format("cluster: {}\n", cluster.preset);
  return text + comment(fmt::format("Kinds: {}; add-ons: {}.", fmt::join(preset_names(), ", "), fmt::join(add_on_names(), ", "))) + commented(example);
}

}  // namespace

std::string configuration_text(const ClusterChoice& cluster) {
  std::string text(kHead);
  for (const Setting& setting : configuration_settings()) {
    text += "\n" + comment(setting.description);
    for (const Example& example : kExamples) {
      if (example.setting != setting.name) continue;
      if (setting.name == "cluster") text += cluster_setting(cluster, example.text);
      else text += std::find(kSet.begin(), kSet.end(), setting.name) != kSet.end() ? std::string(example.text) : commented(example.text);
    }
  }
  return text;
}

// One process: gpulint has threads of its own, and rules that compare files want them in one run.
std::string pre_commit_entry() {
  return "  - repo: local\n"
         "    hooks:\n"
         "      - id: gpulint\n"
         "        name: gpulint\n"
         "        entry: gpulint lint\n"
         "        language: system  # gpulint as it is installed here\n"
         "        types_or: [yaml, json]\n"
         "        require_serial: true\n";
}

std::string pre_commit_text() { return "repos:\n" + pre_commit_entry(); }

std::string github_text() {
  return fmt::format(
      "name: gpulint\n"
      "on: [push, pull_request]\n"
      "permissions:\n"
      "  contents: read\n"
      "jobs:\n"
      "  gpulint:\n"
      "    runs-on: ubuntu-latest\n"
      "    env:\n"
      "      # What pip installs: a release, or git+https://... of the repository at a commit.\n"
      "      PACKAGE: gpulint=={}\n"
      "    steps:\n"
      "      - uses: actions/checkout@v4\n"
      "      - run: pipx run --spec \"$PACKAGE\" gpulint lint --output github\n",
      kVersion);
}

std::string gitlab_text() {
  return fmt::format(
      "gpulint:\n"
      "  image: python:3.12\n"
      "  variables:\n"
      "    # What pip installs: a release, or git+https://... of the repository at a commit.\n"
      "    PACKAGE: gpulint=={}\n"
      "  script:\n"
      "    - pip install --quiet \"$PACKAGE\"\n"
      "    - gpulint lint --output text --output gitlab=gpulint.json\n"
      "  artifacts:\n"
      "    when: always\n"
      "    reports:\n"
      "      codequality: gpulint.json\n",
      kVersion);
}

}  // namespace gpulint
