#include "lint/init_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lint/exit_status.h"
#include "lint/find_configuration.h"
#include "lint/output.h"
#include "lint/folder.h"
#include "lint/print.h"
#include "lint/read_file.h"
#include "lint/summary_text.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = std::size_t{1} << 20;  // of a file that is searched for its mention of gpulint

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& entry : map) keys.push_back(entry.first);
  return keys;
}

// What somebody else said, at the end of a sentence of ours.
std::string closed(std::string text) { return text.ends_with('.') || text.ends_with('?') || text.ends_with('!') ? text : text + "."; }

/// What init tells, and the exit status.
class Init {
 public:
  int run();

 private:
  void say(std::string line) { text_ += std::move(line) + "\n"; }
  bool has(const std::string& name) const { return is_there(repository_.path(name)); }
  void create(const std::string& name, std::string_view text, std::string_view what);
  void tell_to_add(const std::string& name, std::string_view where, std::string_view entry);
  void tell_what_is_here();
  void write_configuration();
  void write_pre_commit();
  void write_jobs();
  void tell_what_next();

  Repository repository_ = look_at_repository();
  std::string text_;
  bool failed_ = false, wrote_ = false;
};

// Never in the place of anything, a dangling symbolic link included.
void Init::create(const std::string& name, std::string_view text, std::string_view what) {
  const std::string path = repository_.path(name);
  std::error_code ignored;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, ignored);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = descriptor < 0 ? errno : 0;
  if (!error) {
    Output out(descriptor);
    out.write(text);
    error = out.flush();
    if (close(descriptor) != 0 && !error) error = errno;
  }
  if (error) {
    complain(fmt::format("gpulint: cannot write {}: {}", visible(path), std::strerror(error)));
    failed_ = true;
    return;
  }
  wrote_ = true;
  say(fmt::format("Wrote {}: {}.", visible(path), what));
}

// For a file that is somebody else's.
void Init::tell_to_add(const std::string& name, std::string_view where, std::string_view entry) {
  const std::string path = repository_.path(name);
  if (text_of_file(path, kMostText).value_or("").find("gpulint") != std::string::npos) {
    say(fmt::format("Left {} alone: it names gpulint already.", visible(path)));
    return;
  }
  say(fmt::format("Left {} alone. To add {}:\n\n{}", visible(path), where, entry));
}

void Init::tell_what_is_here() {
  const Report& report = repository_.report;
  say(fmt::format("Read {}: {}, {}, {}, {}.", count_of(report.counts.files, "file", "files"), count_of(report.counts.pod_templates, "pod template", "pod templates"),
                  count_of(report.counts.gpu_requests, "GPU request", "GPU requests"), count_of(repository_.charts.size(), "chart", "charts"),
                  count_of(repository_.kustomizations.size(), "kustomization", "kustomizations")));
  if (!repository_.is_repository) say("This is no git repository: no entry for pre-commit and no CI job.");
}

void Init::write_configuration() {
  const FoundConfiguration found = find_configuration(fs::current_path().string());
  if (found.file) return say(fmt::format("Left {} alone: settings are there already.", visible(*found.file)));
  if (!found.misnamed.empty()) return say(fmt::format("Wrote no .gpulint.yaml: {} is not read under this name, rename it.", visible(found.misnamed.front())));
  const ClusterChoice cluster = choose_cluster(repository_, live_cluster());
  for (const std::string& reason : cluster.reasons) say(reason);
  create(".gpulint.yaml", configuration_text(cluster), cluster.preset.empty() ? "settings, each explained; name the cluster there" : "settings, each explained");
}

void Init::write_pre_commit() {
  if (has(".pre-commit-config.yaml")) tell_to_add(".pre-commit-config.yaml", "below repos", pre_commit_entry());
  else create(".pre-commit-config.yaml", pre_commit_text(), "gpulint before each commit, after `pre-commit install`");
}

void Init::write_jobs() {
  if (repository_.on_github) {
    if (has(".github/workflows/gpulint.yaml") || has(".github/workflows/gpulint.yml")) say("Left .github/workflows alone: a gpulint job is there already.");
    else create(".github/workflows/gpulint.yaml", github_text(), "a job that judges each push");
  }
  if (repository_.on_gitlab) {
    if (has(".gitlab-ci.yml")) tell_to_add(".gitlab-ci.yml", "as a job", gitlab_text());
    else create(".gitlab-ci.yml", gitlab_text(), "a job that judges each push, with a code quality report");
  }
  if (!repository_.on_github && !repository_.on_gitlab) say("Found neither GitHub nor GitLab: in another CI, `gpulint lint` is the job.");
}

void Init::tell_what_next() {
  const Report& report = repository_.report;
  if (!wrote_ && !failed_) say("Nothing was left to write.");
  if (report.errors + report.warnings == 0) return say("Next: `gpulint lint` judges this folder; nothing is wrong with it today.");
  say(fmt::format("Next: `gpulint lint` lists {} and {} of today. `gpulint lint --write-baseline gpulint-baseline.json` sets them aside, to begin with what is new.",
                  count_of(report.errors, "error", "errors"), count_of(report.warnings, "warning", "warnings")));
}

int Init::run() {
  tell_what_is_here();
  write_configuration();
  if (repository_.is_repository) {
    write_pre_commit();
    write_jobs();
  }
  tell_what_next();
  const int status = print(text_);
  return failed_ ? kExitTrouble : status;
}

}  // namespace

ClusterChoice choose_cluster(const Repository& repository, const LiveCluster& live) {
  ClusterChoice choice;
  for (const auto& [preset, evidence] : repository.platforms)
    choice.reasons.push_back(fmt::format("{} for {}, the first at {}:{} by {}.", count_of(evidence.size(), "object", "objects") + (evidence.size() == 1 ? " is" : " are"), preset,
                                         visible(evidence.front().file), evidence.front().position.line, visible(evidence.front().shown_by)));
  for (const auto& [preset, shown_by] : live.platforms)
    choice.reasons.push_back(fmt::format("The current context {} of kubectl is {}, by {}.", visible(live.context), preset, visible(shown_by)));
  if (!live.trouble.empty()) choice.reasons.push_back(fmt::format("The current context {} of kubectl was not looked at: {}", visible(live.context), closed(visible(live.trouble))));
  const std::vector<std::string> wanted = keys_of(repository.platforms), seen = keys_of(live.platforms);
  const bool agree = wanted.empty() || seen.empty() || wanted == seen;
  const std::vector<std::string>& presets = wanted.empty() ? seen : wanted;
  if (agree && presets.size() == 1) choice.preset = presets.front();
  if (choice.reasons.empty() && live.nodes > 0) choice.reasons.push_back(fmt::format("The nodes of the current context {} do not show what they are.", visible(live.context)));
  return choice;
}

int init_repository() { return Init().run(); }

}  // namespace gpulint
