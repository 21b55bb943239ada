// What closes a report for people: counts by rule, what was passed over, what to do next.
#include "lint/summary_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/report_samples.h"

using namespace gpulint;
using namespace gpulint::testing;

namespace {

/// So many findings of each rule.
Report counted(const std::vector<std::pair<const Rule*, std::size_t>>& rules) {
  std::vector<Finding> findings;
  for (const auto& [rule, number] : rules)
    for (std::size_t i = 0; i < number; ++i) findings.push_back(finding_of(*rule, rule->severity));
  return report_of(std::move(findings));
}

}  // namespace

TEST_CASE("statistics: most findings first, suppressed ones left out, infos counted when they are shown") {
  std::vector<Finding> findings{finding_of(kClassRule, Severity::warning), finding_of(kLimitRule, Severity::error), finding_of(kLimitRule, Severity::error),
                                finding_of(kClassRule, Severity::info),    finding_of(kClassRule, Severity::error), finding_of(kLimitRule, Severity::error)};
  findings[1].fix = Fix{"t", Safety::safe, {}};
  findings[5].suppressed = Suppression{"annotation", "r"};
  check_text("findings  fixable  severity  rule\n"
             "       2        1  error     some-limit\n"
             "       1        0  error     some-class\n"
             "       1        0  warning   some-class\n"
             "       1        0  info      some-class\n",
             statistics_text(report_of(findings), {.show_infos = true, .show_suppressed = true}));
  CHECK(statistics_text(report_of(findings), {}).find("info") == std::string::npos);
  CHECK(statistics_text({}, {}) == "");
}

TEST_CASE("statistics stand in place of the list") {
  const Report report = counted({{&kClassRule, 2}});
  check_text("findings  fixable  severity  rule\n       2        0  warning   some-class\n\n"
             "Checked 0 files: 0 documents, 0 pod templates, 0 GPU requests.\nFound 0 errors, 2 warnings, 0 infos.\n"
             "`gpulint explain some-class` tells why, with samples and what to do.\n",
             written(write_text, report, {.statistics = true}));
  check_text("Checked 0 files: 0 documents, 0 pod templates, 0 GPU requests.\nFound 0 errors, 0 warnings, 0 infos.\n", written(write_text, {}, {.statistics = true}));
}

TEST_CASE("skipped: each document and file with its reason, without a limit") {
  Report report;
  for (const char* file : {"a.yaml", "b.yaml", "c.yaml", "d.yaml", "e\n.yaml"}) report.not_judged.push_back({file, 0, "unrendered template"});
  report.not_judged[1].document = 4;
  report.passed_over = {{"vendor/", 0, "ignored by git"}};
  report.files = {{"a.yaml", 1, 0}, {"f.yaml", 3, 3}, {"g.yaml", 3, 1}};
  check_text("a.yaml: not judged: unrendered template\nb.yaml, document 4: not judged: unrendered template\nc.yaml: not judged: unrendered template\n"
             "d.yaml: not judged: unrendered template\ne\\x0a.yaml: not judged: unrendered template\nvendor/: passed over: ignored by git\n"
             "f.yaml: passed over: 3 of 3 documents without a GPU word\ng.yaml: passed over: 1 of 3 documents without a GPU word\n",
             skipped_text(report));
  const std::string text = written(write_text, report, {.show_skipped = true});
  CHECK(text.starts_with(skipped_text(report) + "\nChecked "));
  CHECK(text.find("--show skipped") == std::string::npos);
  CHECK(written(write_text, report, {.show_skipped = true, .summary = false}) == skipped_text(report));
}

TEST_CASE("the summary names the most frequent reasons of not judging, and counts the others") {
  Report report;
  for (const char* reason : {"a", "b", "c", "d", "e", "f", "g", "g"}) report.not_judged.push_back({"x.yaml", 0, reason});
  CHECK(summary_text(report, {}).ends_with("\nNot judged (list all with --show skipped):\n  g (2 times): x.yaml\n  a: x.yaml\n  b: x.yaml\n  c: x.yaml\n  d: x.yaml\n"
                                           "  and 2 more for other reasons\n"));
}

TEST_CASE("the summary counts what was passed over") {
  Report report;
  report.passed_over = {{"build/", 0, "ignored by git"}, {"x.yaml", 0, "excluded"}, {"y.yaml", 0, "ignored by git"}};
  CHECK(summary_text(report, {}).ends_with("\nPassed over files and folders: 2 ignored by git, 1 excluded (list them with --show skipped).\n"));
}

TEST_CASE("what to do next grows with the number of findings") {
  Rule third = kLimitRule, fourth = kLimitRule;
  third.id = "third";
  fourth.id = "fourth";
  const std::string baseline = "To start from here, --write-baseline FILE sets today's findings aside; --baseline FILE then tells of new ones only.\n";
  const std::string explain = "`gpulint explain some-class` tells why, with samples and what to do.\n";
  CHECK(next_steps_text({}, {}) == "");
  CHECK(next_steps_text(counted({{&kLimitRule, 1}, {&kClassRule, 2}}), {}) == explain);
  CHECK(next_steps_text(counted({{&kClassRule, 20}}), {}) == explain + baseline);
  const Report many = counted({{&third, 3}, {&kClassRule, 20}, {&kLimitRule, 5}, {&fourth, 1}});
  CHECK(next_steps_text(many, {}) == "Most often: some-class (20), some-limit (5), third (3); all with --statistics.\n" + explain + baseline);
  CHECK(next_steps_text(many, {.statistics = true}) == explain + baseline);
  Report hidden = report_of({finding_of(kClassRule, Severity::info)});
  CHECK(next_steps_text(hidden, {}) == "");
  CHECK(next_steps_text(hidden, {.show_infos = true}) == explain);
}
