// `ignore` entries of the configuration that do nothing: expired ones always, useless ones only where that is known.
#include "rules/engine/ignore_entries.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace gpulint {
namespace {

const std::string kBad = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: m, resources: {requests: {nvidia.com/gpu: 1}}}]}\n";

struct File {
  std::string name, text;
};

/// What is said about the configuration, as `line:column severity message`.
std::string said(const std::string& configuration, const std::vector<File>& files, void (*change)(Policy&) = nullptr) {
  Policy policy;
  policy.reads_all = true;
  policy.paths = {"/repo", "/repo"};
  const auto problems = read_policy(Source(".gpulint.yaml", configuration), policy);
  CHECK_MESSAGE(problems.empty(), configuration);
  if (change) change(policy);
  std::vector<FileReport> reports;
  for (const File& file : files) reports.push_back(inspect(Source(file.name, file.text), policy));
  std::string text;
  for (const Finding& f : conclude(std::move(reports), policy).findings) {
    if (f.file != ".gpulint.yaml") continue;
    CHECK(f.rule->id == "unused-suppression");
    CHECK(f.fingerprint.size() == 16);
    CHECK(f.excerpt.find("rule: ") != std::string::npos);
    text += fmt::format("{}{}:{} {} {}", text.empty() ? "" : "\n", f.range.start.line, f.range.start.column, name_of(f.severity),
                        f.suppressed ? "(" + f.suppressed->reason + ")" : f.message);
  }
  return text;
}

const std::string kNothing = "2:5 warning this ignore entry suppresses nothing: gpu-request-without-limit finds nothing under its paths";
const std::string kExpired = "2:5 warning this ignore entry for gpu-request-without-limit expired on 2001-01-01 and suppresses nothing any more";

std::string entry(std::string_view more) { return fmt::format("ignore:\n  - {{rule: gpu-request-without-limit, reason: why{}}}\n", more); }

TEST_CASE("entries that do nothing") {
  struct Row {
    std::string_view what;
    std::string configuration;
    std::vector<File> files;
    std::string said;
  };
  const std::string broken = "nvidia.com/gpu: [\n", template_text = "{{ if .Values.gpu }}\nnvidia.com/gpu: 1\n{{ end }}\n";
  const Row rows[] = {
      {"it covers something", entry(", paths: lab"), {{"lab/a.yaml", kBad}}, ""},
      {"mended", entry(", paths: lab"), {{"lab/a.yaml", "kind: ConfigMap\n"}}, kNothing},
      {"a misspelt path", entry(", paths: lap"), {{"lab/a.yaml", kBad}}, kNothing},
      {"everywhere, and found nowhere", entry(""), {}, "2:5 warning this ignore entry suppresses nothing: gpu-request-without-limit finds nothing here"},
      {"everywhere, but the webhook may need it", entry("") + "webhook: {mode: warn}\n", {}, ""},
      {"expired, and still needed", entry(", expires: 2001-01-01"), {{"a.yaml", kBad}}, kExpired},
      {"expired, and useless: said once", entry(", expires: 2001-01-01"), {}, kExpired},
      {"not expired", entry(", expires: 9999-01-01"), {{"a.yaml", kBad}}, ""},
      {"what it is about could not be read", entry(", paths: lab/**"), {{"lab/a.yaml", broken}}, ""},
      {"what it is about is a template", entry(", paths: '*.yaml'"), {{"lab/a.yaml", template_text}}, ""},
      {"something else could not be read", entry(", paths: lab/**"), {{"prod/a.yaml", broken}}, kNothing},
      {"the rule is off", entry("") + "rules: {gpu-request-without-limit: off}\n", {}, ""},
      {"of another severity", entry(", expires: 2001-01-01") + "rules: {unused-suppression: error}\n", {}, "2:5 error" + kExpired.substr(11)},
      {"unused-suppression is off", entry(", expires: 2001-01-01") + "rules: {unused-suppression: off}\n", {}, ""},
      {"suppressed itself", entry(", expires: 2001-01-01") + "  - {rule: unused-suppression, paths: .gpulint.yaml, reason: until spring}\n", {},
       "2:5 warning (until spring)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(said(row.configuration, row.files) == row.said);
  }
}

TEST_CASE("nothing is called stale that the run could not know of") {
  const std::string stale = entry(", paths: lab"), expired = entry(", expires: 2001-01-01");
  CHECK(said(stale, {}) == kNothing);
  CHECK(said(stale, {}, [](Policy& policy) { policy.reads_all = false; }) == "");
  CHECK(said(expired, {}, [](Policy& policy) { policy.reads_all = false; }) == kExpired);
  for (const std::string& text : {stale, expired}) {
    CHECK(said(text, {}, [](Policy& policy) { policy.lint = false; }) == "");
    CHECK(said(text, {}, [](Policy& policy) { policy.honour_suppressions = false; }) == "");
  }
}

}  // namespace
}  // namespace gpulint
