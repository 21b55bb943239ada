// The report for people (text) and for editors (compact).
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lint/report.h"
#include "tests/support/golden.h"
#include "tests/support/sample_report.h"

using namespace gpulint;
using namespace gpulint::testing;

TEST_CASE("text: a finding, its line, what to do; then the counts") {
  Finding fixable = finding_of(kLimitRule, Severity::error, "          nvidia.com/gpu: 1", 27, 28);
  fixable.fix = Fix{"Add the limit", Safety::safe, {}};
  Finding risky = finding_of(kLimitRule, Severity::warning, "spec:", 1, 5);
  risky.fix = Fix{"Remove the variable", Safety::unsafe, {}};
  Report report = report_of({fixable, risky, finding_of(kClassRule, Severity::warning), finding_of(kClassRule, Severity::info, "x", 1, 2)});
  report.counts = {.files = 2, .documents = 5, .skipped_documents = 3, .pod_templates = 1, .gpu_requests = 4};
  check_text(R"(a/b.yaml:12:27: error: container "main": something is wrong [some-limit]
   12 |           nvidia.com/gpu: 1
      |                           ^
      = hint: Add the limit

a/b.yaml:12:1: warning: container "main": something is wrong [some-limit]
   12 | spec:
      | ^~~~
      = hint: Remove the variable (may change what the workload does)

a/b.yaml:12:1: warning: container "main": something is wrong [some-class]
      = hint: Set the class.

Checked 2 files: 5 documents (3 without a GPU word), 1 pod template, 4 GPU requests.
Found 1 error, 2 warnings, 1 info (see it with --show info).
`gpulint explain some-limit` tells why, with samples and what to do.
)",
             written(write_text, report, {}));
}

TEST_CASE("text: what is listed follows the options") {
  Finding suppressed = finding_of(kLimitRule, Severity::error, "x", 1, 2);
  suppressed.suppressed = Suppression{"annotation", "a test rig"};
  const Report report = report_of({suppressed, finding_of(kClassRule, Severity::info)});
  const std::string nothing = "Checked 0 files: 0 documents, 0 pod templates, 0 GPU requests.\n";
  check_text(nothing + "Found 0 errors, 0 warnings, 1 info (see it with --show info), 1 suppressed (see it with --show suppressed).\n",
             written(write_text, report, {}));
  check_text("a/b.yaml:12:1: info: container \"main\": something is wrong [some-class]\n      = hint: Set the class.\n",
             written(write_text, report, {.show_infos = true, .summary = false}));
  check_text("a/b.yaml:12:1: error: container \"main\": something is wrong [some-limit]\n   12 | x\n      | ^\n"
             "      = suppressed by annotation: a test rig\n",
             written(write_text, report, {.show_suppressed = true, .summary = false}));
  CHECK(written(write_text, report, {.summary = false}).empty());
}

TEST_CASE("text: the summary names what was not judged and what depends on the cluster") {
  Report report;
  report.counts = {.files = 7, .documents = 8};
  for (const char* file : {"a.yaml", "a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"}) report.not_judged.push_back({file, 0, "unrendered template"});
  report.not_judged.push_back({"z\n.yaml", 0, "larger than 256 MiB"});
  report.undecided = {{"some-class", 1}, {"some-limit", 3}};
  std::string names;
  for (const Preset& preset : presets())
    if (preset.name != "generic") names += (names.empty() ? "" : ", ") + std::string(preset.name);
  check_text(R"(Checked 7 files: 8 documents, 0 pod templates, 0 GPU requests.
Found 0 errors, 0 warnings, 0 infos.
Not judged (list all with --show skipped):
  unrendered template (6 times): a.yaml and 4 files more
  larger than 256 MiB: z\x0a.yaml
Depends on the cluster: some-class (1 object), some-limit (3 objects). Name it with --cluster NAME ()" + names + ").\n",
             written(write_text, report, {}));
}

TEST_CASE("text: colour sets off severity, place and mark, and only when asked for") {
  const Report report = report_of({finding_of(kLimitRule, Severity::error, "a: 1", 4, 5)});
  check_text("\x1b[1ma/b.yaml:12:4:\x1b[0m \x1b[1;31merror\x1b[0m: container \"main\": something is wrong [some-limit]\n"
             "   12 | a: 1\n"
             "      |    \x1b[32m^\x1b[0m\n"
             "      = \x1b[1;36mhint\x1b[0m: Do what is right.\n",
             written(write_text, report, {.colour = true, .summary = false}));
  CHECK(written(write_text, report, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("text: the gutter grows with the line number") {
  Finding finding = finding_of(kLimitRule, Severity::error, "a: 1", 4, 5);
  finding.range = {{1234567, 4}, {1234567, 5}};
  check_text("a/b.yaml:1234567:4: error: container \"main\": something is wrong [some-limit]\n 1234567 | a: 1\n         |    ^\n"
             "         = hint: Do what is right.\n",
             written(write_text, report_of({finding}), {.summary = false}));
}

TEST_CASE("compact: one line a finding, whatever stands in names and messages") {
  Finding odd = finding_of(kLimitRule, Severity::error, "x", 3, 4);
  odd.file = "a\nb.yaml";
  odd.message = "value \"\x1b[2J\"\nsecond line";
  const Report report = report_of({odd, finding_of(kClassRule, Severity::warning), finding_of(kClassRule, Severity::info)});
  const std::string two = "a\\x0ab.yaml:12:3: error: value \"\\x1b[2J\"\\x0asecond line [some-limit]\n"
                          "a/b.yaml:12:1: warning: container \"main\": something is wrong [some-class]\n";
  check_text(two, written(write_compact, report, {.colour = true}));
  check_text(two + "a/b.yaml:12:1: info: container \"main\": something is wrong [some-class]\n", written(write_compact, report, {.show_infos = true}));
}

TEST_CASE("text: a finding like the one before is its first line alone; general advice is given once") {
  Finding fixable = finding_of(kLimitRule, Severity::error, "  nvidia.com/gpu: 1", 19, 20), same = fixable, elsewhere = fixable;
  fixable.fix = same.fix = elsewhere.fix = Fix{"Add the limit", Safety::safe, {}};
  same.file = "a/c.yaml";
  same.range = {{40, 19}, {40, 20}};
  elsewhere.excerpt = "  nvidia.com/gpu: 2";
  Finding advised = finding_of(kClassRule, Severity::warning, "spec:", 1, 5), again = advised;
  again.excerpt = "other:";
  check_text(R"(a/b.yaml:12:19: error: container "main": something is wrong [some-limit]
   12 |   nvidia.com/gpu: 1
      |                   ^
      = hint: Add the limit
a/c.yaml:40:19: error: container "main": something is wrong [some-limit]

a/b.yaml:12:19: error: container "main": something is wrong [some-limit]
   12 |   nvidia.com/gpu: 2
      |                   ^
      = hint: Add the limit

a/b.yaml:12:1: warning: container "main": something is wrong [some-class]
   12 | spec:
      | ^~~~
      = hint: Set the class.

a/b.yaml:12:1: warning: container "main": something is wrong [some-class]
   12 | other:
      | ^~~~
)",
             written(write_text, report_of({fixable, same, elsewhere, advised, again}), {.summary = false}));
}

TEST_CASE("text: what the reader says of a text needs no general advice") {
  Finding broken = finding_of(kLimitRule, Severity::error, "a: {b", 4, 5);
  broken.rule = find_rule("invalid-manifest");
  CHECK(written(write_text, report_of({broken}), {.summary = false}).find("hint") == std::string::npos);
}

TEST_CASE("text: a line cut on both sides") {
  Finding finding = finding_of(kLimitRule, Severity::error, "before HERE after", 508, 512);
  finding.excerpt_column = 501;
  finding.excerpt_goes_on = true;
  CHECK(written(write_text, report_of({finding}), {.summary = false}).find("   12 | ...before HERE after...\n      |           ^~~~\n") != std::string::npos);
}

TEST_CASE("at most so many findings, the most severe ones in their order, and how many more there are") {
  std::vector<Finding> findings;
  for (std::uint32_t line = 1; line <= 6; ++line) {
    findings.push_back(finding_of(kLimitRule, line % 2 ? Severity::warning : Severity::error));
    findings.back().range.start = {line, 1};
  }
  findings.back().severity = Severity::info;  // not shown, and so not left out either
  const Report report = report_of(std::move(findings));
  const auto line = [](int number, const char* severity) {
    return "a/b.yaml:" + std::to_string(number) + ":1: " + severity + ": container \"main\": something is wrong [some-limit]\n";
  };
  check_text(line(1, "warning") + line(2, "error") + line(4, "error") + "... and 2 more, see them without --max-findings\n", written(write_compact, report, {.max_findings = 3}));
  check_text(line(2, "error") + "      = hint: Do what is right.\n" + line(4, "error") + "\n... and 3 more, see them without --max-findings\n",
             written(write_text, report, {.summary = false, .max_findings = 2}));
  CHECK(written(write_compact, report, {.max_findings = 5}) == written(write_compact, report, {}));
}
