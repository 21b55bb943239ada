// Input nobody should have, given to the program `gpulint`: every one ends soon, with an exit status and a report that says what it was.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;
using nlohmann::json;

namespace {

void check_part(const std::string& part, const std::string& text) {
  if (part.empty()) CHECK(text == "");
  else CHECK_MESSAGE(text.find(part) != std::string::npos, "expected a part \"", part, "\" in \"", text, "\"");
}

json report_on(const std::vector<std::string>& paths, const std::string& input = "") {
  std::vector<std::string> words{"--output", "json"};
  words.insert(words.end(), paths.begin(), paths.end());
  const Outcome outcome = program(words, {.input = input});
  INFO(outcome.err);
  REQUIRE_FALSE(outcome.timed_out);
  return json::parse(outcome.out);
}

/// The only finding of an input, or what there is instead.
std::string only_rule(const json& report) {
  const json& findings = report["findings"];
  return findings.size() == 1 ? findings[0]["rule"].get<std::string>() : std::to_string(findings.size()) + " findings: " + findings.dump();
}

}  // namespace

TEST_CASE("texts that are no manifests") {
  const std::string words = "nvidia.com/gpu: 1\n";
  const std::string deep(10'000, '[');
  std::string bomb = "a0: &a0 [nvidia.com/gpu, b]\n";
  for (int i = 1; i < 40; ++i) bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  std::string utf16 = "\xFF\xFE";
  for (const char* c = kBad; *c; ++c) utf16.append({*c, '\0'});
  struct Row { const char* what; std::string text; const char* rule; };
  const std::vector<Row> rows{
      {"10,000 nested lists", "nvidia: " + deep, "invalid-manifest"},
      {"10,000 nested lists, closed", "nvidia: " + deep + std::string(10'000, ']'), "invalid-manifest"},
      {"10,000 nested lists in JSON", "{\"nvidia\": " + deep + std::string(10'000, ']') + "}", "invalid-manifest"},
      {"aliases that expand to 4^39 nodes", bomb, "invalid-manifest"},
      {"bytes that are no UTF-8", words + "x: \xC3\x28\n", "invalid-manifest"},
      {"UTF-16", utf16, "invalid-manifest"},
      {"bytes of a program", std::string("\x7F" "ELF\0\0\1nvidia.com/gpu\0\0", 24), "invalid-manifest"},
      {"an unclosed quote", words + "a: \"b\n", "invalid-manifest"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const json report = report_on({"-"}, row.text);
    CHECK(only_rule(report) == row.rule);
    CHECK(report["summary"]["files"] == 1);
    CHECK(report["summary"]["notJudged"].size() == 1);
  }
  CHECK(report_on({"-"}, "\n# nvidia\n")["summary"]["documents"] == 0);
}

TEST_CASE("large files: read when they fit, named when they do not, in bounded time and memory") {
  const TemporaryFolder folder;
  const std::string none = folder / "none.yaml", one = folder / "one.yaml", huge = folder / "huge.yaml";
  {
    std::ofstream without(none, std::ios::binary), with(one, std::ios::binary);
    std::string block;
    for (int i = 0; i < 20'000; ++i) block += fmt::format("{}  key{}: value\n", i % 50 == 0 ? "---\nkind: ConfigMap\ndata:\n" : "", i);
    for (std::size_t size = 0; size < 100'000'000; size += block.size()) (without << block, with << block);
    with << "---\n" << kBad;
  }
  std::ofstream(huge).close();
  std::filesystem::resize_file(huge, std::size_t{300} << 20);
  // The address sanitizer keeps up to 256 MB of freed memory for a while; that is not the program's.
  const Outcome outcome = program({folder.path(), "--threads", "1", "--output", "json"},
                                  {.environment = {{"ASAN_OPTIONS", "quarantine_size_mb=1"}}, .timeout = std::chrono::seconds(120)});
  const json report = json::parse(outcome.out);
  CHECK(outcome.status == 1);
  CHECK(report["summary"]["files"] == 2);
  CHECK(report["summary"]["errors"] == 1);
  REQUIRE(report["summary"]["notJudged"].size() == 1);
  CHECK(report["summary"]["notJudged"][0]["reason"] == "larger than 256 MiB");
  CHECK_FALSE(outcome.timed_out);
  CHECK_MESSAGE(outcome.peak_kilobytes < 600 * 1024, "two files of 100 MB took ", outcome.peak_kilobytes / 1024, " MiB");
  CHECK(program({huge, "--strict-input"}).status == 2);
}

TEST_CASE("what lies in folders: loops, FIFOs, links") {
  const Workplace place;
  REQUIRE(mkfifo((place.folder / "pipe.yaml").c_str(), 0600) == 0);
  std::filesystem::create_directory_symlink(".", place.folder / "loop");
  std::filesystem::create_symlink("nowhere", place.folder / "gone.yaml");
  const Outcome outcome = place.program({});
  CHECK(place.program({"lint"}).status == 1);
  const Outcome strict = place.program({"lint", "--strict-input"});
  CHECK(strict.status == 2);
  check_part("Checked 4 files", strict.out);
  check_part("Not judged:\n  no regular file: pipe.yaml\n  symbolic link to a folder: loop\n  symbolic link to nothing: gone.yaml\n", strict.out);
}

TEST_CASE("a FIFO that is named is read") {
  const TemporaryFolder folder;
  const Outcome outcome = run({.words = {"bash", "-c", std::string(kProgram) + " <(cat) | tail -n 3"}, .input = kBad});
  check_part("Found 1 error", outcome.out);
}

TEST_CASE("standard input goes by the name it is given, in reports and for settings by path") {
  const Workplace place;
  write_file(place.folder / ".gpulint.yaml",
             "exclude: [vendor]\nignore: [{rule: gpu-request-without-limit, paths: [lab/**], reason: known}]\n");
  struct Row { const char* name; int status; const char* part; };
  for (const Row& row : {Row{"app/x.yaml", 1, "app/x.yaml:9:36: error: "}, {"./app//x.yaml", 1, "app/x.yaml:9:36: error: "}, {"lab/x.yaml", 0, "1 suppressed"},
                         {"vendor/x.yaml", 0, "Checked 0 files"}}) {
    CAPTURE(row.name);
    const Outcome outcome = place.program({"lint", "-", "--stdin-filename", row.name}, {.input = kBad});
    CHECK(outcome.status == row.status);
    check_part(row.part, outcome.out);
    CHECK(outcome.err == "");
  }
  check_part("<standard input>:9:36: error: ", place.program({"lint", "-"}, {.input = kBad}).out);
}

TEST_CASE("what `kubectl get -o yaml` prints is judged object by object") {
  std::string list = "apiVersion: v1\nitems:\n";
  for (const char* name : {"a", "b"})
    list += fmt::format("- apiVersion: v1\n  kind: Pod\n  metadata: {{name: {}, resourceVersion: '1'}}\n  spec:\n    containers:\n    - name: main\n      image: x/y:1\n"
                        "      resources: {{requests: {{nvidia.com/gpu: \"1\"}}}}\n  status: {{phase: Pending}}\n", name);
  const json report = report_on({"-"}, list + "kind: List\nmetadata: {resourceVersion: ''}\n");
  CHECK(report["summary"]["errors"] == 2);
  CHECK(report["summary"]["notJudged"].empty());
}

TEST_CASE("--exclude counts from the working directory, and says how much it kept from being read") {
  const Workplace place;
  write_file(place.folder / "sub/deep/bad.yaml", kBad);
  write_file(place.folder / ".gpulint.yaml", "exclude: [sub/deep]\n");
  struct Row { std::vector<std::string> words; const char* directory; int status; const char* part; };
  for (const Row& row : std::vector<Row>{{{"lint"}, "", 1, "1 excluded by the configuration"}, {{"lint", "--exclude", "bad.yaml"}, "", 0, "1 excluded by --exclude"},
                                         {{"lint", "--exclude", "deep/"}, "sub", 0, "1 excluded by --exclude"}, {{"lint", "--exclude", "sub/deep"}, "sub", 0, "1 excluded by the configuration"},
                                         {{"lint", "bad.yaml", "--exclude", "*.yaml"}, "", 0, "1 excluded by --exclude"},
                                         {{"lint", "--show", "skipped"}, "", 1, "sub/deep/: passed over: excluded by the configuration"}}) {
    CAPTURE(row.part);
    const Outcome outcome = program(row.words, {.directory = place.folder / row.directory});
    CHECK(outcome.status == row.status);
    check_part(row.part, outcome.out);
    CHECK(outcome.err == "");
  }
}

TEST_CASE("a folder that may not be read is told, and the rest is judged") {
  const Workplace place;
  std::filesystem::create_directory(place.folder / "closed");
  std::filesystem::permissions(place.folder / "closed", std::filesystem::perms::none);
  Command command{.words = {kProgram, "lint"}, .directory = place.folder.path()};
  if (geteuid() == 0) command.words.insert(command.words.begin(), {"setpriv", "--reuid=65534", "--clear-groups"});
  std::filesystem::permissions(place.folder.path(), static_cast<std::filesystem::perms>(0755));
  const Outcome outcome = run(command);
  std::filesystem::permissions(place.folder / "closed", std::filesystem::perms::owner_all);
  CHECK(outcome.status == 2);
  check_part("gpulint: cannot read closed: Permission denied\n", outcome.err);
  check_part("Found 1 error", outcome.out);
}
