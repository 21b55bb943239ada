// The program `gpulint` as people and scripts use it: words, standard input, exit status, both outputs.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpulint_version.h"
#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;
using nlohmann::json;

namespace {

struct Expectation {
  std::vector<std::string> words;
  int status;
  std::string out, err;  ///< parts that must be there; empty: the whole must be empty
  std::string input = {};
};

void check_part(const std::string& part, const std::string& text) {
  if (part.empty()) CHECK(text == "");
  else CHECK_MESSAGE(text.find(part) != std::string::npos, "expected a part \"", part, "\" in \"", text, "\"");
}

void check(const Workplace& place, const std::vector<Expectation>& rows) {
  for (const Expectation& row : rows) {
    std::string words;
    for (const std::string& word : row.words) words += " " + word;
    INFO("gpulint", words);
    const Outcome outcome = place.program(row.words, {.input = row.input});
    CHECK(outcome.status == row.status);
    check_part(row.out, outcome.out);
    check_part(row.err, outcome.err);
  }
}

}  // namespace

TEST_CASE("help, version and the catalogue") {
  for (const char* command : {"lint", "config", "explain", "rules", "init", "completion", "man", "version", "help"}) {
    const Outcome outcome = program({command, "--help"});
    CHECK(outcome.status == 0);
    check_golden("testdata/cli/help_" + std::string(command) + ".txt", outcome.out);
    CHECK(program({"help", command}).out == outcome.out);
  }
  const Outcome bare = program({});
  CHECK(bare.status == 0);
  check_golden("testdata/cli/help.txt", bare.out);
  CHECK(program({"--help"}).out == bare.out);
  CHECK(program({"help"}).out == bare.out);

  const Outcome version = program({"--version"});
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("gpulint " + std::string(gpulint::kVersion) + " ("));
  CHECK(program({"version"}).out == version.out);
}

TEST_CASE("rules: table, json and markdown tell of the same rules") {
  const json rules = json::parse(program({"rules", "--output", "json"}).out);
  const std::string table = program({"rules"}).out, markdown = program({"rules", "--output", "markdown"}).out;
  REQUIRE(rules.size() > 0);
  for (const json& rule : rules) {
    const std::string id = rule["id"];
    CAPTURE(id);
    CHECK(rule.size() == 5);
    CHECK_FALSE(rule["group"].get<std::string>().empty());
    CHECK_FALSE(rule["summary"].get<std::string>().empty());
    const std::string severity = rule["severity"], fixable = rule["fixable"];
    CHECK((severity == "info" || severity == "warning" || severity == "error"));
    CHECK((fixable == "no" || fixable == "unsafe" || fixable == "safe"));
    CHECK(table.find("  " + id + " ") != std::string::npos);
    CHECK(markdown.find(id) != std::string::npos);
    const Outcome explained = program({"explain", id});
    CHECK(explained.status == 0);
    CHECK(explained.out.find(id) == 0);
  }
}

TEST_CASE("which words do what") {
  const Workplace place;
  const std::string error = "error: container \"main\": the request for nvidia.com/gpu (1) has no limit [gpu-request-without-limit]";
  const std::string nothing = "Found 0 errors, 0 warnings, 0 infos.";
  check(place, {
      {{"bad.yaml"}, 1, "bad.yaml:9:36: " + error, ""},
      {{"lint", "bad.yaml"}, 1, error, ""},
      {{"lint", "--", "bad.yaml"}, 1, error, ""},
      {{"./bad.yaml"}, 1, "bad.yaml:9:36: " + error, ""},
      {{"good.yaml"}, 0, nothing, ""},
      {{"lint"}, 1, "Checked 4 files: 4 documents (3 without a GPU word)", ""},
      {{"."}, 1, "Checked 4 files", ""},
      {{"--quiet"}, 1, error, ""},
      {{"sub"}, 0, "Checked 1 file: 1 document (1 without a GPU word), 0 pod templates, 0 GPU requests.", ""},
      {{"lint", "rules"}, 0, "Checked 1 file", ""},
      {{"list.txt"}, 1, "list.txt:9:36: " + error, ""},
      {{"-"}, 1, "<standard input>:9:36: " + error, "", kBad},
      {{"-"}, 0, "Checked 1 file: 0 documents", ""},
      {{"lint", "-", "good.yaml"}, 1, "Checked 2 files", "", kBad},
      {{"bad.yaml", "--cluster", "k3s"}, 1, "[missing-runtime-class]", ""},
      {{"bad.yaml", "--cluster=gke+dra"}, 1, error, ""},
      {{"bad.yaml"}, 1, "Depends on the cluster: missing-runtime-class (1 object). Name it with --cluster NAME", ""},
      {{"bad.yaml", "--show", "info"}, 1, "[missing-runtime-class]", ""},
      {{"bad.yaml", "--output", "compact"}, 1, "bad.yaml:9:36: " + error + "\n", ""},
      {{"good.yaml", "--output", "compact"}, 0, "", ""},
      {{"good.yaml", "--quiet"}, 0, "", ""},
      {{"bad.yaml", "--output", "json", "--no-config", "--threads", "2"}, 1, "\"schemaVersion\": 1", ""},
      {{"bad.yaml", "--color", "always", "--quiet"}, 1, "\x1b[1;31merror\x1b[0m", ""},
      {{"good.yaml", "--strict-input"}, 0, nothing, ""},
  });
}

TEST_CASE("what is wrong with the words is said, with what to do, and the exit status is 2") {
  const Workplace place;
  const std::string see = "`gpulint lint --help` lists the options.";
  check(place, {
      {{"--otput", "json"}, 2, "", "gpulint: unexpected --otput, did you mean --output?\n" + see},
      {{"--fail-on", "never"}, 2, "", "--fail-on: never is none of error, warning, info\n" + see},
      {{"--color", "purple"}, 2, "", "--color: purple is none of auto, always, never\n" + see},
      {{"--show", "all"}, 2, "", "--show: all is none of info, suppressed, skipped\n" + see},
      {{"--threads", "0"}, 2, "", "--threads"},
      {{"--threads", "many"}, 2, "", "--threads"},
      {{"--output"}, 2, "", "--output"},
      {{"--output", "xml"}, 2, "", "--output xml: no such format; there are text, compact, json"},
      {{"--output", "json="}, 2, "", "a file name must follow the ="},
      {{"--output", "json", "--output", "text"}, 2, "", "only one report can go to standard output; send the others to files with FORMAT=FILE"},
      {{"--cluster", "gk"}, 2, "", "--cluster gk: unknown cluster \"gk\"; did you mean \"gke\"?"},
      {{"--cluster", "gke", "--cluster", "eks"}, 2, "", "--cluster"},
      {{"--config", "none.yaml"}, 2, "", "cannot read the configuration none.yaml: No such file or directory"},
      {{"--config", "good.yaml", "--no-config"}, 2, "", "--config and --no-config contradict each other"},
      {{"explain"}, 2, "", "RULE is required"},
      {{"explain", "gpu-request-without-limits"}, 2, "",
       "there is no rule \"gpu-request-without-limits\", did you mean \"gpu-request-without-limit\"?; `gpulint rules` lists all"},
      {{"explain", "qqqqqqqqqqqqqq"}, 2, "", "there is no rule \"qqqqqqqqqqqqqq\"; `gpulint rules` lists all"},
      {{"rules", "--output", "xml"}, 2, "", "xml is none of table, json, markdown"},
      {{"help", "nothing"}, 2, "", "there is no command nothing; there are lint, config, explain, rules, init, completion, man, version, help"},
      {{"--output", "json=r", "--output", "sarif=./r"}, 2, "", "--output sarif=./r: another report goes to that file"},
      {{""}, 2, "", "a path is empty; the working directory is ."},
      {{"--stdin-filename", "a.yaml", "good.yaml"}, 2, "", "--stdin-filename names standard input, which is read only as -"},
      {{"--max-findings", "0"}, 2, "", "--max-findings: Value 0 not in range 1 to 1000000"},
      {{"-", "--strict-input", "--quiet"}, 2, "[invalid-manifest]", "gpulint: --strict-input: not judged: <standard input> (not readable as YAML or JSON)", "nvidia.com/gpu: ["},
      {{"-", "--output", "compact"}, 1, "[invalid-manifest]", "gpulint: not judged: <standard input> (not readable as YAML or JSON)", "nvidia.com/gpu: ["},
      {{"missing.yaml"}, 2, "Checked 0 files", "gpulint: cannot read missing.yaml: No such file or directory"},
      {{"bad.yaml/below"}, 2, "Checked 0 files", "gpulint: cannot read bad.yaml/below: Not a directory"},
      {{"missing.yaml", "bad.yaml"}, 2, "Found 1 error", "cannot read missing.yaml"},
  });
}

TEST_CASE("the severity that fails is chosen by --fail-on") {
  const TemporaryFolder folder;
  write_file(folder / "warning.yaml", "apiVersion: v1\nkind: ConfigMap\ndata: {a: b, a: c, gpu: nvidia.com/gpu}\n");
  const json report = json::parse(program({folder / "warning.yaml", "--output", "json"}).out);
  REQUIRE(report["summary"]["warnings"] == 1);
  struct Row { std::vector<std::string> options; int status; };
  for (const Row& row : {Row{{}, 0}, {{"--fail-on", "error"}, 0}, {{"--fail-on", "warning"}, 1}, {{"--fail-on", "info"}, 1}}) {
    std::vector<std::string> words{folder / "warning.yaml"};
    words.insert(words.end(), row.options.begin(), row.options.end());
    CHECK(program(words).status == row.status);
  }
}

TEST_CASE("a configuration is read where it is named, and its faults are located") {
  const Workplace place;
  write_file(place.folder / "off.yaml", "rules: {gpu-request-without-limit: off}\n");
  write_file(place.folder / "k3s.yaml", "cluster: {preset: k3s}\n");
  write_file(place.folder / "faults.yaml", "rules:\n  gpu-request-without-limits: off\nfail-no: error\n");
  write_file(place.folder / ".gpulint.yaml", "rules: {gpu-request-without-limit: off}\n");
  check(place, {
      {{"bad.yaml", "--config", "off.yaml"}, 0, "Found 0 errors", ""},
      {{"bad.yaml", "--config", "k3s.yaml"}, 1, "Found 2 errors", ""},
      {{"bad.yaml", "--config", "k3s.yaml", "--cluster", "gke"}, 1, "Found 1 error", ""},
      {{"bad.yaml", "--config", "faults.yaml"}, 2, "", "faults.yaml:2:3: error: "},
      {{"bad.yaml", "--config", "faults.yaml"}, 2, "", "faults.yaml:3:1: error: "},
      {{"bad.yaml", "--config", "faults.yaml"}, 2, "", "[unknown-rule]"},
  });
}

TEST_CASE("suppressed findings: counted, listed when asked for, judged with --no-ignore") {
  const Workplace place;
  std::string text = kBad;
  text.replace(text.find("{name: p}"), 9, "{name: p, annotations: {ignore.gpulint.dev/gpu-request-without-limit: a test rig}}");
  write_file(place.folder / "s.yaml", text);
  check(place, {
      {{"s.yaml"}, 0, "Found 0 errors, 0 warnings, 2 infos (see them with --show info), 1 suppressed (see it with --show suppressed).", ""},
      {{"s.yaml", "--show", "suppressed"}, 0, "= suppressed by annotation: a test rig", ""},
      {{"s.yaml", "--no-ignore"}, 1, "Found 1 error", ""},
      {{"s.yaml", "--output", "json"}, 0, R"("suppressed":{"by":"annotation","reason":"a test rig"})", ""},
  });
}

TEST_CASE("several reports of one run") {
  const Workplace place;
  const Outcome outcome = place.program({"bad.yaml", "--output", "compact", "--output", "json=r.json", "--output", "text=r.txt"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.starts_with("bad.yaml:9:36: error: "));
  CHECK(json::parse(read_file(place.folder / "r.json"))["summary"]["errors"] == 1);
  CHECK(read_file(place.folder / "r.txt").find("Checked 1 file") != std::string::npos);
  const Outcome nowhere = place.program({"bad.yaml", "--output", "json=none/r.json"});
  CHECK(nowhere.status == 2);
  check_part("gpulint: cannot write none/r.json: No such file or directory", nowhere.err);
}

TEST_CASE("the same bytes from any number of threads") {
  std::string first;
  for (const char* threads : {"1", "2", "7"}) {
    const Outcome outcome = program({"testdata", "--output", "json", "--threads", threads});
    CHECK(outcome.status == 1);
    if (first.empty()) first = outcome.out;
    CHECK(outcome.out == first);
  }
  CHECK(json::parse(first)["findings"].size() > 10);
}

TEST_CASE("nothing found is said, and fails a strict run") {
  const TemporaryFolder folder;
  write_file(folder / "notes.txt", kBad);
  const Outcome lax = program({folder.path()}), strict = program({folder.path(), "--strict-input"});
  CHECK(lax.status == 0);
  check_part("no file named .yaml, .yml or .json found", lax.err);
  CHECK(strict.status == 2);
}

TEST_CASE("a reader that goes away ends the report quietly, and the exit status is that of the run") {
  const TemporaryFolder folder;
  std::string many;
  for (int i = 0; i < 3000; ++i) many += std::string("---\n") + kBad;
  write_file(folder / "many.yaml", many);
  for (const char* format : {"text", "compact", "json"}) {
    const Outcome outcome = program({folder / "many.yaml", "--output", format}, {.read_at_most = 10});
    CHECK(outcome.status == 1);
    CHECK(outcome.err == "");
  }
  CHECK(program({"rules", "--output", "markdown"}, {.read_at_most = 10}).status == 0);
}

TEST_CASE("a report that cannot be written is said") {
  const Workplace place;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"good.yaml"}, {"good.yaml", "--output", "json"}, {"rules"}, {"version"}, {"--help"}, {}}) {
    const Outcome outcome = place.program(words, {.output_to = "/dev/full"});
    CHECK(outcome.status == 2);
    CHECK(outcome.err == "gpulint: cannot write standard output: No space left on device\n");
  }
}

TEST_CASE("an interrupt ends the run at once, with nothing written") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);  // nobody ever writes
  const Outcome outcome = program({folder / "pipe", "--output", "json"}, {.interrupt_after = std::chrono::milliseconds(200)});
  CHECK(outcome.status == 130);
  CHECK(outcome.duration < std::chrono::seconds(5));
  CHECK(outcome.out == "");
}

TEST_CASE("colour follows NO_COLOR and the terminal") {
  const Workplace place;
  const auto on_terminal = [&](const std::string& setting) {
    const std::string command = "cd " + place.folder.path() + " && " + setting + " " + kProgram + " bad.yaml";
    return run({.words = {"script", "-qec", command, "/dev/null"}, .environment = {{"TERM", "xterm"}}}).out;
  };
  CHECK(on_terminal("").find("\x1b[1;31m") != std::string::npos);
  CHECK(on_terminal("NO_COLOR=1").find('\x1b') == std::string::npos);
  CHECK(on_terminal("TERM=dumb").find('\x1b') == std::string::npos);
  CHECK(place.program({"bad.yaml"}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("what the program loads: nothing that speaks to a network") {
  const std::string libraries = run({.words = {"ldd", kProgram}}).out;
  CHECK(libraries.find("libyaml") != std::string::npos);
  for (const char* library : {"libssl", "libcrypto", "httplib"}) CHECK(libraries.find(library) == std::string::npos);
}
