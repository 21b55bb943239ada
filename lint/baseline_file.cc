#include "lint/baseline_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "lint/files.h"
#include "lint/output.h"
#include "lint/read_file.h"
#include "lint/replace_file.h"
#include "lint/summary_text.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

constexpr std::size_t kNamed = 3;  // stale entries that are shown

bool is_gone(const std::string& path) { return access(path.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR); }

void mark_gone(std::vector<BaselineEntry>& entries, const PathBase& paths) {
  std::map<std::string, bool> gone;
  for (BaselineEntry& entry : entries) {
    const auto [known, is_new] = gone.try_emplace(entry.file, false);
    if (is_new) known->second = is_gone(paths.openable(entry.file));
    entry.gone = known->second;
  }
}

}  // namespace

std::shared_ptr<const Baseline> read_baseline(const std::string& path, const PathBase& paths) {
  std::string text;
  const ReadResult result = read_file_at(AT_FDCWD, path.c_str(), kMaxFileSize, text, true);
  if (result.error || result.too_large) {
    complain(fmt::format("gpulint: cannot read the baseline {}: {}{}", visible(path), result.too_large ? "too large" : std::strerror(result.error),
                         result.error == ENOENT ? "; --write-baseline writes one" : ""));
    return nullptr;
  }
  text.resize(result.size);
  auto baseline = std::make_shared<Baseline>();
  const std::vector<PolicyProblem> problems = baseline->read(Source(path, std::move(text)));
  for (const PolicyProblem& problem : problems)
    complain(fmt::format("{}:{}:{}: error: {} [{}]", visible(path), problem.position.line, problem.position.column, visible(problem.message), problem.rule));
  if (!problems.empty()) return nullptr;
  mark_gone(baseline->entries, paths);
  return baseline;
}

bool write_baseline(const std::string& path, const Report& report, bool is_named, bool quiet) {
  if (!report.unreadable.empty()) {
    complain(fmt::format("gpulint: {} was not written: not every input could be read", visible(path)));
    return false;
  }
  if (const int error = replace_file(path, baseline_text(report.baseline))) {
    complain(fmt::format("gpulint: cannot write the baseline {}: {}", visible(path), std::strerror(error)));
    return false;
  }
  const std::string next = is_named ? "" : fmt::format("; name it with --baseline, or as `baseline:` in {}", kConfigurationName);
  if (!quiet) complain(fmt::format("gpulint: {} now lists {}{}", visible(path), count_of(report.baseline.size(), "finding", "findings"), next));
  return true;
}

void tell_stale_entries(const Report& report, const std::string& path) {
  const std::vector<BaselineEntry>& stale = report.stale_baseline;
  if (stale.empty() || !report.unreadable.empty()) return;  // what could not be read may still have them
  std::string named;
  for (std::size_t i = 0; i < std::min(stale.size(), kNamed); ++i) named += fmt::format("{}{} in {}", i ? ", " : "", visible(stale[i].rule), visible(stale[i].file));
  if (stale.size() > kNamed) named += fmt::format(" and {} more", stale.size() - kNamed);
  complain(fmt::format("gpulint: {} lists {} that {} no longer there: {}; write it anew with --write-baseline {}", visible(path),
                       count_of(stale.size(), "finding", "findings"), stale.size() == 1 ? "is" : "are", named, visible(path)));
}

}  // namespace gpulint
