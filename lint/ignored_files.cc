#include "lint/ignored_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "lint/child_process.h"
#include "lint/first_line.h"

namespace gpulint {
namespace {

// A repository is not trusted: nothing in its configuration may run a program. That leaves a file system monitor, and fetching a .gitignore
// that a partial clone does not have.
const std::vector<std::string> kSafeSettings{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit"};

// A repository that belongs to somebody else (a checkout in a container that runs as root) is read like any other: with these settings
// nothing of it is run. git takes this one from its environment, not from the repository.
const std::map<std::string, std::optional<std::string>> kEnvironment{
    {"GIT_CONFIG_COUNT", "1"}, {"GIT_CONFIG_KEY_0", "safe.directory"}, {"GIT_CONFIG_VALUE_0", "*"},
    {"GIT_ALLOW_PROTOCOL", "none"}, {"GIT_NO_LAZY_FETCH", "1"}, {"GIT_TERMINAL_PROMPT", "0"}, {"GIT_OPTIONAL_LOCKS", "0"}, {"LC_ALL", "C"},
    // Of a hook that gpulint runs in: they are about another place than the folder asked about.
    {"GIT_DIR", {}}, {"GIT_WORK_TREE", {}}, {"GIT_INDEX_FILE", {}}, {"GIT_PREFIX", {}}, {"GIT_COMMON_DIR", {}}, {"GIT_OBJECT_DIRECTORY", {}},
    {"GIT_ALTERNATE_OBJECT_DIRECTORIES", {}}, {"GIT_CONFIG_PARAMETERS", {}}, {"GIT_CONFIG", {}}, {"GIT_TRACE", {}}, {"GIT_LITERAL_PATHSPECS", {}}};

constexpr auto kTimeout = std::chrono::seconds(60);
constexpr std::size_t kAnswerLimit = std::size_t{256} << 20;

ChildResult run_git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), kSafeSettings.begin(), kSafeSettings.end());
  words.insert(words.begin(), "git");
  return run_child({.words = std::move(words), .environment = kEnvironment, .directory = folder.empty() ? "." : folder, .timeout = kTimeout,
                    .output_limit = kAnswerLimit});
}

std::string trouble_of(const ChildResult& result) {
  switch (result.end) {
    case ChildEnd::not_found: return "git is not installed";
    case ChildEnd::not_started: return fmt::format("git does not start: {}", std::strerror(result.status));
    case ChildEnd::timed_out: return fmt::format("git did not answer within {} seconds", kTimeout.count());
    case ChildEnd::too_much_output: return "git lists too many files";
    case ChildEnd::killed: return fmt::format("git was ended by signal {}", result.status);
    case ChildEnd::exited: break;
  }
  const std::string said = first_line(result.err);
  return said.empty() ? fmt::format("git ended with status {}", result.status) : fmt::format("git says: {}", said);
}

}  // namespace

bool is_work_tree_top(int folder) {
  struct stat status {};
  if (fstatat(folder, ".git", &status, 0) != 0) return false;
  return S_ISREG(status.st_mode) || (S_ISDIR(status.st_mode) && faccessat(folder, ".git/HEAD", F_OK, 0) == 0);
}

bool is_in_work_tree(const std::string& folder) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  while (!error) {
    const int descriptor = open(at.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const bool found = descriptor >= 0 && is_work_tree_top(descriptor);
    if (descriptor >= 0) close(descriptor);
    if (found || !at.has_relative_path()) return found;
    at = at.parent_path();
  }
  return false;
}

IgnoredFiles::IgnoredFiles(std::string folder) : folder_(std::move(folder)), asking_([this] { ask(); }) {}

IgnoredFiles::IgnoredFiles(std::string folder, std::string_view answer) : folder_(std::move(folder)) {
  take(answer);
  ready_ = true;
}

void IgnoredFiles::ask() {
  const ChildResult result = run_git(folder_, {"ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"});
  if (result.succeeded()) take(result.out);
  // git fails when the folder itself is ignored; somebody who names one wants it read.
  else if (result.end != ChildEnd::exited || !run_git(folder_, {"check-ignore", "--quiet", "."}).succeeded()) trouble_ = trouble_of(result);
  ready_ = true;
  ready_.notify_all();
}

// Names end with a zero byte, those of folders with a slash in front of it. `./` is the folder itself, when all in it is ignored one by one.
void IgnoredFiles::take(std::string_view answer) {
  while (!answer.empty()) {
    const std::size_t end = std::min(answer.find('\0'), answer.size());
    std::string_view name = answer.substr(0, end);
    answer.remove_prefix(std::min(end + 1, answer.size()));
    if (name.empty() || name == "./" || name.starts_with("../")) continue;
    all_.emplace_back(name);
    if (name.ends_with('/')) name.remove_suffix(1);
    const std::size_t slash = name.rfind('/');
    const std::string_view parent = slash == name.npos ? std::string_view() : name.substr(0, slash);
    by_folder_[std::string(parent)].emplace(name.substr(slash == name.npos ? 0 : slash + 1));
  }
}

std::string IgnoredFiles::below(std::string_view path) const {
  if (folder_.empty()) return std::string(path);
  path.remove_prefix(std::min(folder_.size(), path.size()));
  if (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path);
}

const IgnoredFiles::Names* IgnoredFiles::names_in(const std::string& folder) const {
  if (by_folder_.empty()) return nullptr;
  const auto found = by_folder_.find(below(folder));
  return found == by_folder_.end() ? nullptr : &found->second;
}

bool IgnoredFiles::covers(std::string_view path) const {
  if (by_folder_.empty()) return false;
  const std::string inside = below(path);
  for (std::size_t begin = 0; begin < inside.size();) {
    const std::size_t end = std::min(inside.find('/', begin), inside.size());
    const auto found = by_folder_.find(inside.substr(0, begin == 0 ? 0 : begin - 1));
    if (found != by_folder_.end() && found->second.contains(inside.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

std::vector<std::string> IgnoredFiles::places() const {
  std::vector<std::string> places;
  for (const std::string& name : all_) {
    std::string path = folder_;
    if (!path.empty() && path.back() != '/') path += '/';
    const std::size_t slash = name.size() < 2 ? name.npos : name.rfind('/', name.size() - 2);
    if (slash == name.npos || !covers(path + name.substr(0, slash))) places.push_back(path + name);
  }
  return places;
}

}  // namespace gpulint
