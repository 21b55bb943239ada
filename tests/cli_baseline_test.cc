// Adopting gpulint on an old repository: baselines on disk, `ignore` entries that do nothing any more, and --no-ignore.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

struct Repository {
  Repository() {
    fs::create_directories(folder / "repo/.git");
    write_file(folder / "repo/old.yaml", kBad);
    write_file(folder / "repo/sub/good.yaml", kGood);
  }
  Outcome run(std::vector<std::string> words, const std::string& where = "repo") const {
    words.insert(words.begin(), "lint");
    return program(std::move(words), {.directory = folder / where});
  }
  std::string path(const std::string& name) const { return folder / ("repo/" + name); }
  TemporaryFolder folder;
};

std::string other_bad() { return std::string(kBad).replace(std::string(kBad).find("name: p"), 7, "name: q"); }

}  // namespace

TEST_CASE("a baseline: written, named, kept to, and written anew") {
  const Repository repository;
  const std::string file = "gpulint-baseline.json";
  Outcome outcome = repository.run({"--write-baseline", file});
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "gpulint: gpulint-baseline.json now lists 1 finding; name it with --baseline, or as `baseline:` in .gpulint.yaml\n");
  CHECK(outcome.out.find("Found 0 errors, 0 warnings") != std::string::npos);
  const std::string written = read_file(repository.path(file));
  CHECK(json::parse(written)["findings"][0]["file"] == "old.yaml");

  CHECK(repository.run({}).status == 1);
  CHECK(repository.run({"--baseline", file}).status == 0);
  write_file(repository.path(".gpulint.yaml"), "baseline: gpulint-baseline.json\n");
  outcome = repository.run({});
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out.find("1 suppressed (see it with --show suppressed)") != std::string::npos);
  CHECK(repository.run({"--show", "suppressed"}).out.find("suppressed by baseline\n") != std::string::npos);
  CHECK(repository.run({"../old.yaml"}, "repo/sub").status == 0);
  CHECK(repository.run({"--no-ignore"}).status == 1);

  write_file(repository.path("new.yaml"), other_bad());
  CHECK(repository.run({}).status == 1);
  CHECK(repository.run({"--write-baseline", file, "--quiet"}).err == "");
  CHECK(repository.run({}).status == 0);
  fs::remove(repository.path("new.yaml"));
  CHECK(repository.run({"--write-baseline", file}).err == "gpulint: gpulint-baseline.json now lists 1 finding\n");
  CHECK(read_file(repository.path(file)) == written);
}

TEST_CASE("what is found no more is said, with what to do") {
  const Repository repository;
  write_file(repository.path("new.yaml"), other_bad());
  repository.run({"--write-baseline", "b.json"});
  write_file(repository.path("old.yaml"), kGood);
  const std::string one = "gpulint: b.json lists 1 finding that is no longer there: gpu-request-without-limit in old.yaml; write it anew with --write-baseline b.json\n";
  CHECK(repository.run({"--baseline", "b.json"}).err == one);
  CHECK(repository.run({"--baseline", "b.json", "--quiet"}).err == "");
  CHECK(repository.run({"--baseline", "b.json", "new.yaml"}).err == "");
  CHECK(repository.run({"--baseline", "../b.json", "../old.yaml"}, "repo/sub").err.find("gpulint: ../b.json lists 1 finding") == 0);
  fs::rename(repository.path("new.yaml"), repository.path("sub/renamed.yaml"));
  CHECK(repository.run({"--baseline", "b.json"}).err == one);
  fs::remove(repository.path("sub/renamed.yaml"));
  const Outcome outcome = repository.run({"--baseline", "b.json"});
  CHECK(outcome.err.find("b.json lists 2 findings that are no longer there") != std::string::npos);
  CHECK(outcome.status == 0);
}

TEST_CASE("a baseline that cannot be read or written") {
  struct Row {
    std::string text;
    std::vector<std::string> words;
    std::string err;
  };
  const Row rows[] = {
      {"{}", {"--baseline", "none.json"}, "gpulint: cannot read the baseline none.json: No such file or directory; --write-baseline writes one\n"},
      {"{}", {"--baseline", "sub"}, "gpulint: cannot read the baseline sub: Is a directory\n"},
      {"{\"schemaVersion\": 1,\n<<<<<<< HEAD\n", {"--baseline", "b.json"}, "b.json:2:1: error: "},
      {"{\"schemaVersion\": 2, \"findings\": []}", {"--baseline", "b.json"}, "b.json:1:19: error: schemaVersion is 2, and this gpulint reads 1"},
      {"", {"--write-baseline", "none/b.json"}, "gpulint: cannot write the baseline none/b.json: No such file or directory\n"},
      {"", {"--write-baseline", "sub"}, "gpulint: cannot write the baseline sub: Is a directory\n"},
      {"", {"missing.yaml", "--write-baseline", "b.json"}, "gpulint: cannot read missing.yaml: No such file or directory\ngpulint: b.json was not written"},
  };
  for (const Row& row : rows) {
    const Repository repository;
    if (!row.text.empty()) write_file(repository.path("b.json"), row.text);
    const Outcome outcome = repository.run(row.words);
    CHECK(outcome.status == 2);
    CHECK_MESSAGE(outcome.err.starts_with(row.err), outcome.err);
    if (row.text.empty()) CHECK_FALSE(fs::exists(repository.path("b.json")));
  }
}

TEST_CASE("a baseline is replaced whole: its mode and a link to it stay, nothing is left beside it") {
  const Repository repository;
  write_file(repository.path("sub/b.json"), "broken {");
  chmod(repository.path("sub/b.json").c_str(), 0640);
  fs::create_symlink("sub/b.json", repository.path("b.json"));
  CHECK(repository.run({"--write-baseline", "b.json"}).status == 0);
  CHECK(fs::is_symlink(repository.path("b.json")));
  CHECK((fs::status(repository.path("sub/b.json")).permissions() & fs::perms::all) == fs::perms(0640));
  CHECK(json::parse(read_file(repository.path("sub/b.json")))["findings"].size() == 1);
  CHECK(std::distance(fs::directory_iterator(repository.path("sub")), {}) == 2);
  CHECK(repository.run({"--write-baseline", "/dev/stdout", "--quiet", "--output", "compact"}).out.starts_with("{\"schemaVersion\": 1,"));
}

TEST_CASE("ignore entries that do nothing are findings in the configuration") {
  struct Row {
    std::string configuration;
    std::vector<std::string> words;
    std::string where, said;
  };
  const std::string needed = "ignore:\n  - {rule: gpu-request-without-limit, paths: old.yaml, reason: why}\n";
  const std::string stale = "ignore:\n  - {rule: gpu-request-without-limit, paths: sub, reason: why}\n";
  const std::string expired = "ignore:\n  - {rule: gpu-request-without-limit, reason: why, expires: 2001-01-01}\n";
  const std::string of_stale = ":2:5: warning: this ignore entry suppresses nothing: gpu-request-without-limit finds nothing under its paths [unused-suppression]";
  const std::string of_expired = ":2:5: warning: this ignore entry for gpu-request-without-limit expired on 2001-01-01 and suppresses nothing any more [unused-suppression]";
  const Row rows[] = {
      {needed, {}, "repo", ""},
      {stale, {}, "repo", ".gpulint.yaml" + of_stale},
      {stale, {"."}, "repo", ".gpulint.yaml" + of_stale},
      {stale, {".."}, "repo/sub", "../.gpulint.yaml" + of_stale},
      {stale, {"sub"}, "repo", ""},
      {stale, {}, "repo/sub", ""},
      {stale, {"old.yaml", "sub/good.yaml"}, "repo", ""},
      {stale, {"--exclude", "sub"}, "repo", ""},
      {stale, {"--no-ignore"}, "repo", ""},
      {expired, {}, "repo", ".gpulint.yaml" + of_expired},
      {expired, {"good.yaml"}, "repo/sub", "../.gpulint.yaml" + of_expired},
      {expired, {"--no-ignore"}, "repo", ""},
  };
  for (const Row& row : rows) {
    const Repository repository;
    write_file(repository.path(".gpulint.yaml"), row.configuration);
    std::vector<std::string> words{"--output", "compact"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Outcome outcome = repository.run(words, row.where);
    std::string said;
    for (std::size_t at = outcome.out.find("[unused-suppression]"); at != std::string::npos && said.empty();) {
      const std::size_t begin = outcome.out.rfind('\n', at) + 1;
      said = outcome.out.substr(begin, at + 20 - begin);
    }
    INFO(row.configuration, " in ", row.where);
    CHECK(said == row.said);
  }
}
