// What git ignores is not read, in every form git knows; and asking git runs nothing that a repository brings along.
#include "lint/ignored_files.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"

using namespace gpulint;
using namespace gpulint::testing;

namespace {

Outcome git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", "-c", "init.defaultBranch=main"});
  const Outcome outcome = run({.words = words, .directory = folder});
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  return outcome;
}

/// A repository with ignored things of each kind.
struct Repository {
  Repository() {
    git(folder.path(), {"init", "--quiet"});
    for (const char* name : {"a.yaml", "ignored.yaml", "tracked.yaml", "build/b.yaml", "build/deep/c.yaml", "sub/local.yaml", "sub/kept.yaml", "info.yaml",
                             "all/one.tmp.yaml", "all/two.tmp.yaml", "odd\nname.tmp.yaml", "sub/build/d.yaml", "rest/e.yaml", "rest/keep/f.yaml"})
      write_file(folder / name, kBad);
    write_file(folder / ".gitignore", "/ignored.yaml\ntracked.yaml\nbuild/\n*.tmp.yaml\n/rest/*\n!/rest/keep\n");
    write_file(folder / "sub/.gitignore", "local.yaml\n");
    write_file(folder / ".git/info/exclude", "info.yaml\n");
    git(folder.path(), {"add", "--force", "tracked.yaml"});
  }
  /// The files with findings, and what is said on standard error, from a folder below this one.
  std::string found(std::vector<std::string> words, Command command = {}) const {
    words.insert(words.begin(), {"lint", "--output", "compact"});
    if (command.directory.empty()) command.directory = folder.path();
    const Outcome outcome = program(words, std::move(command));
    std::string files;
    for (std::size_t begin = 0; begin < outcome.out.size(); begin = outcome.out.find('\n', begin) + 1)
      files += outcome.out.substr(begin, outcome.out.find(':', begin) - begin) + "\n";
    return files + outcome.err;
  }
  TemporaryFolder folder;
};

const std::string kTracked = "a.yaml\nrest/keep/f.yaml\nsub/kept.yaml\ntracked.yaml\n";

}  // namespace

TEST_CASE("names as git lists them") {
  std::string answer;
  for (const char* name : {"build/", "sub/local.yaml", "all/", "all/one.yaml", "./", "", "../other/", "odd\nname.yaml"}) answer.append(name).push_back('\0');
  struct Row { const char *folder, *path; bool covered; };
  for (const Row& row : {Row{"", "build", true}, {"", "build/deep/c.yaml", true}, {"", "builds", false}, {"", "sub/local.yaml", true}, {"", "local.yaml", false},
                         {"", "sub", false}, {"", "sub/build/x", false}, {"", "odd\nname.yaml", true}, {"", "", false}, {"", "other/x", false},
                         {"repo", "repo/build/x.yaml", true}, {"repo", "repo/x.yaml", false}, {"/", "/build/x", true}, {"/repo", "/repo/sub/local.yaml", true}}) {
    CAPTURE(row.folder);
    CAPTURE(row.path);
    CHECK(IgnoredFiles(row.folder, answer).covers(row.path) == row.covered);
  }
  const IgnoredFiles repository("repo", answer);
  CHECK(repository.places() == std::vector<std::string>{"repo/build/", "repo/sub/local.yaml", "repo/all/", "repo/odd\nname.yaml"});
  REQUIRE(repository.names_in("repo/sub"));
  CHECK(repository.names_in("repo/sub")->contains("local.yaml"));
  CHECK(repository.names_in("repo/other") == nullptr);
}

TEST_CASE("ignored files are passed over, tracked and named ones are read") {
  const Repository repository;
  CHECK(repository.found({}) == kTracked);
  for (const char* threads : {"1", "7"}) CHECK(repository.found({".", "--threads", threads}) == kTracked);
  CHECK(repository.found({"sub"}) == "sub/kept.yaml\n");
  CHECK(repository.found({"sub", "ignored.yaml", "sub/local.yaml"}) == "ignored.yaml\nsub/kept.yaml\nsub/local.yaml\n");
  CHECK_MESSAGE(repository.found({"build"}) == "build/b.yaml\nbuild/deep/c.yaml\n", "a named folder is read though it is ignored");
  CHECK(repository.found({"all"}) == "");
  CHECK(repository.found({repository.folder.path()}).find("ignored.yaml") == std::string::npos);
  const Outcome shown = program({"lint", "--show", "skipped"}, {.directory = repository.folder.path()});
  for (const char* place : {"build/", "ignored.yaml", "info.yaml", "sub/local.yaml", "rest/e.yaml", "all/"})
    CHECK_MESSAGE(shown.out.find(place) != std::string::npos, place, " is not told in ", shown.out);
}

TEST_CASE("repositories below each other keep to their own rules") {
  const Repository repository;
  for (const char* name : {"nested/x.yaml", "nested/y.yaml", "nested/ignored.yaml"}) write_file(repository.folder / name, kBad);
  git(repository.folder / "nested", {"init", "--quiet"});
  write_file(repository.folder / "nested/.gitignore", "y.yaml\n");
  std::filesystem::create_directories(repository.folder / "broken/.git");  // no repository: git looks above it
  write_file(repository.folder / "broken/z.yaml", kBad);
  write_file(repository.folder / "broken/q.tmp.yaml", kBad);
  CHECK(repository.found({}) == "a.yaml\nbroken/z.yaml\nnested/ignored.yaml\nnested/x.yaml\nrest/keep/f.yaml\nsub/kept.yaml\ntracked.yaml\n");

  const TemporaryFolder clones;
  for (const char* name : {"one", "two"}) {
    for (const char* file : {"/a.yaml", "/b.yaml"}) write_file(clones / (std::string(name) + file), kBad);
    git(clones / name, {"init", "--quiet"});
    write_file(clones / (std::string(name) + "/.gitignore"), fmt::format("{}.yaml\n", name == std::string("one") ? "a" : "b"));
  }
  CHECK(repository.found({}, {.directory = clones.path()}) == "one/b.yaml\ntwo/a.yaml\n");
}

TEST_CASE("git may answer at any moment of the walk") {
  const Repository repository;
  const TemporaryFolder late;
  write_file(late / "git", "#!/bin/sh\nPATH=${PATH#*:}\nsleep \"$GIT_IS_LATE\"\nexec git \"$@\"\n");
  std::filesystem::permissions(late / "git", std::filesystem::perms::all);
  for (int i = 0; i < 300; ++i) write_file(repository.folder / fmt::format("skip/{0}/{0}/{0}.yaml", i), kBad);
  write_file(repository.folder / "skip/clone/deep/x.yaml", kBad);
  git(repository.folder / "skip/clone", {"init", "--quiet"});
  write_file(repository.folder / ".git/info/exclude", "info.yaml\n[0-9]*\ndeep\n/skip/clone\n");
  for (int i = 0; i < 40; ++i) {
    const std::string seconds = fmt::format("0.{:04}", 5 * i);
    CAPTURE(seconds);
    CHECK(repository.found({}, {.environment = {{"PATH", late.path() + ":" + std::getenv("PATH")}, {"GIT_IS_LATE", seconds}}}) == kTracked);
  }
}

TEST_CASE("a hook's environment does not name the repository") {
  const Repository repository;
  const Command in_hook{.environment = {{"GIT_DIR", "/nowhere/.git"}, {"GIT_INDEX_FILE", "nothing"}, {"GIT_WORK_TREE", "/nowhere"}, {"GIT_PREFIX", "sub/"}}};
  CHECK(repository.found({}, in_hook) == kTracked);
}

TEST_CASE("without git, and where it fails, everything is read and that is said once") {
  const Repository repository;
  const TemporaryFolder empty;
  const std::string everything = repository.found({}, {.environment = {{"PATH", empty.path()}}});
  CHECK(everything.find("build/deep/c.yaml\n") != std::string::npos);
  CHECK(everything.ends_with("gpulint: .gitignore is not respected, ignored files are read too: git is not installed\n"));
  write_file(repository.folder / ".git/config", "[core\n");
  const std::string broken = repository.found({});
  CHECK(broken.find("build/deep/c.yaml\n") != std::string::npos);
  CHECK(broken.find("ignored files are read too: git says: fatal: bad config line 1") != std::string::npos);
  const TemporaryFolder outside;
  write_file(outside / "a.yaml", kBad);
  CHECK_MESSAGE(repository.found({}, {.environment = {{"PATH", empty.path()}}, .directory = outside.path()}) == "a.yaml\n", "no repository, no word of git");
}

TEST_CASE("a repository of somebody else is asked, and none of its programs is run") {
  const Repository repository;
  const std::string trap = repository.folder / "ran";
  write_file(repository.folder / ".git/trap", fmt::format("#!/bin/sh\ntouch '{}'\n", trap));
  std::filesystem::permissions(repository.folder / ".git/trap", std::filesystem::perms::all);
  for (const std::string hook : {"post-index-change", "fsmonitor-watchman"})
    std::filesystem::copy(repository.folder / ".git/trap", repository.folder / (".git/hooks/" + hook));
  for (const char* key : {"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "pager.ls-files", "credential.helper"})
    git(repository.folder.path(), {"config", key, repository.folder / ".git/trap"});
  git(repository.folder.path(), {"config", "alias.ls-files", "!" + (repository.folder / ".git/trap")});
  CHECK(run({.words = {"git", "status"}, .directory = repository.folder.path()}).status == 0);
  REQUIRE_MESSAGE(std::filesystem::exists(trap), "the trap does not work: git itself does not run it");
  std::filesystem::remove(trap);
  if (geteuid() == 0)  // as in a container whose checkout belongs to another user
    CHECK(run({.words = {"chown", "-R", "12345:12345", repository.folder.path()}}).status == 0);
  CHECK(repository.found({}) == kTracked);
  CHECK_FALSE(std::filesystem::exists(trap));
}
