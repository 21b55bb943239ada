// The version that gpulint tells: with the commit that was built where it is known. lint/commit.cmake is asked in folders of every kind.
#include <doctest/doctest.h>
#include <re2/re2.h>

#include "lint/version.h"
#include "tests/support/gpulint_program.h"

namespace gpulint::testing {
namespace {

// What lint/commit.cmake writes for a folder.
std::string commit_file(const std::string& source) {
  const TemporaryFolder out;
  const Outcome outcome = run({.words = {"cmake", "-DSOURCE=" + source, "-DOUTPUT=" + (out / "commit.cc"), "-P", "lint/commit.cmake"}});
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  return read_file(out / "commit.cc");
}

std::string git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"});
  const Outcome outcome = run({.words = words, .environment = {{"GIT_AUTHOR_DATE", "2026-03-04T05:06:07Z"}, {"GIT_COMMITTER_DATE", "2026-03-04T05:06:07Z"}}});
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  return outcome.out.substr(0, outcome.out.find('\n'));
}

}  // namespace

TEST_CASE("the version in words") {
  CHECK(RE2::FullMatch(version_text("6fd1053"), R"(gpulint \d+\.\d+\.\d+ \(6fd1053, \d+ rules\)\n)"));
  CHECK(RE2::FullMatch(version_text(""), R"(gpulint \d+\.\d+\.\d+ \(\d+ rules\)\n)"));
  CHECK(program({"version"}).out == version_text());
  CHECK(program({"--version"}).out == version_text());
}

TEST_CASE("the commit of a repository, and of nothing else") {
  const std::string none = "#include \"lint/version.h\"\n\nconst char gpulint::kCommit[] = \"\";\nconst char gpulint::kCommitDate[] = \"\";\n";
  const TemporaryFolder folder;
  CHECK(commit_file(folder.path()) == none);
  git(folder.path(), {"init", "--quiet"});
  CHECK_MESSAGE(commit_file(folder.path()) == none, "a repository without a commit");
  git(folder.path(), {"commit", "--quiet", "--allow-empty", "--message", "first"});
  const std::string commit = git(folder.path(), {"rev-parse", "--short", "HEAD"});
  const std::string known = commit_file(folder.path());
  CHECK_MESSAGE(known.find("kCommit[] = \"" + commit + "\"") != std::string::npos, known);
  CHECK_MESSAGE(known.find("kCommitDate[] = \"2026-03-04\"") != std::string::npos, known);
  std::filesystem::create_directory(folder / "unpacked");
  CHECK_MESSAGE(commit_file(folder / "unpacked") == none, "a tarball unpacked inside another repository");
  git(folder.path(), {"worktree", "add", "--quiet", folder / "tree"});
  CHECK(commit_file(folder / "tree") == known);
}

}  // namespace gpulint::testing
