// Every rule against its folder testdata/rules/<id>: what the samples find, what the fixes are, and what must hold for all of them.
// A new case is two files: bad.<case>.yaml or good.<case>.yaml and, where the rule depends on it, <name>.policy.yaml (a .gpulint.yaml).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "rules/engine/engine.h"
#include "rules/engine/patch.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;
using testing::read_file;

struct Sample {
  const Rule* rule;
  std::string stem;  // testdata/rules/<id>/bad.<case>
  bool bad;
  bool main;         // bad.yaml or good.yaml: the one that documentation shows
  Policy policy;
  Report report;
};

Policy policy_beside(const std::string& stem) {
  Policy policy;
  const std::string path = stem + ".policy.yaml";
  if (!fs::exists(path)) return policy;
  const Source source(path, read_file(path));
  for (const PolicyProblem& problem : read_policy(source, policy))
    FAIL_CHECK(fmt::format("{}:{}: {}", path, problem.position.line, problem.message));
  policy.rebuild_words();
  return policy;
}

Report judge(const std::string& name, std::string text, const Policy& policy) {
  const Source source(name, std::move(text));
  std::vector<FileReport> reports;
  reports.push_back(inspect(source, policy));
  return conclude(std::move(reports), policy);
}

bool is_sample(const fs::path& path) {
  const std::string name = path.filename().string();
  return path.extension() == ".yaml" && !name.ends_with(".policy.yaml") && !name.ends_with(".fixed.yaml");
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const Rule* rule : all_rules()) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fmt::format("testdata/rules/{}", rule->id)))
      if (is_sample(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const std::string name = file.stem().string();
      const std::string stem = (file.parent_path() / name).string();
      CHECK_MESSAGE((name.starts_with("bad") || name.starts_with("good")), file.string(), ": samples are named bad or good");
      Policy policy = policy_beside(stem);
      Report report = judge(file.string(), read_file(file), policy);
      all.push_back({rule, stem, name.starts_with("bad"), name == "bad" || name == "good", std::move(policy), std::move(report)});
    }
  }
  return all;
}

std::string listed(const Finding& finding) {
  return fmt::format("{}:{} {} {} {} {}{}\n", finding.range.start.line, finding.range.start.column, name_of(finding.severity),
                     finding.rule->id, finding.pointer.text(), finding.message,
                     finding.suppressed ? fmt::format(" (suppressed by {})", finding.suppressed->by) : "");
}

std::string listed(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += listed(finding);
  return text;
}

std::vector<const Finding*> findings_of(const Report& report, const Rule& rule, Severity at_least = Severity::info) {
  std::vector<const Finding*> own;
  for (const Finding& finding : report.findings)
    if (finding.rule == &rule && !finding.suppressed && finding.severity >= at_least) own.push_back(&finding);
  return own;
}

// The fixes of the sample's own rule, as a person reads them; empty when it has none.
std::string fixes_text(const Sample& sample) {
  nlohmann::ordered_json fixes = nlohmann::ordered_json::array();
  for (const Finding* finding : findings_of(sample.report, *sample.rule))
    if (finding->fix)
      fixes.push_back({{"pointer", finding->pointer.text()},
                       {"title", finding->fix->title},
                       {"safety", name_of(finding->fix->safety)},
                       {"patch", nlohmann::ordered_json::parse(patch_text(finding->fix->ops))}});
  return fixes.empty() ? std::string() : fixes.dump(2) + "\n";
}

// The JSON of one document of a sample.
std::string json_of(const Sample& sample, std::size_t index) {
  const Source source(sample.stem, read_file(sample.stem + ".yaml"));
  const Documents documents = read_manifest(source, {});
  REQUIRE(index < documents.list.size());
  const Node* root = documents.list[index].root;
  REQUIRE_MESSAGE(root, sample.stem, ": a fix in a document that was not read");
  return to_json(*root);
}

std::set<std::string> serious(const Report& report) {
  std::set<std::string> ids;
  for (const Finding& finding : report.findings)
    if (!finding.suppressed && finding.severity != Severity::info) ids.emplace(finding.rule->id);
  return ids;
}

TEST_CASE("rules and folders of testdata/rules are the same") {
  std::set<std::string> rules, folders;
  for (const Rule* rule : all_rules()) rules.emplace(rule->id);
  for (const auto& entry : fs::directory_iterator("testdata/rules"))
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  CHECK_MESSAGE(rules == folders, testing::difference(fmt::format("{}\n", fmt::join(rules, "\n")), fmt::format("{}\n", fmt::join(folders, "\n"))));
}

TEST_CASE("samples find what their goldens say") {
  std::set<std::string> expected;
  for (const Sample& sample : samples()) {
    if (!sample.report.findings.empty()) {
      testing::check_golden(sample.stem + ".expected", listed(sample.report));
      expected.insert(sample.stem + ".expected");
    }
    if (const std::string fixes = fixes_text(sample); sample.bad && !fixes.empty()) {
      testing::check_golden(sample.stem + ".patch.json", fixes);
      expected.insert(sample.stem + ".patch.json");
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator("testdata/rules")) {
    const std::string path = entry.path().string();
    if ((!path.ends_with(".expected") && !path.ends_with(".patch.json")) || expected.contains(path)) continue;
    if (testing::updating_goldens()) fs::remove(path);
    else FAIL_CHECK(path, ": no sample gives this; GPULINT_UPDATE=1 removes it");
  }
}

TEST_CASE("a bad sample has a finding of its rule, a good one has none, and neither has another warning or error") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.stem);
    // Of a rule that warns, a good case other than good.yaml may keep an info.
    const bool may_keep_info = !sample.bad && !sample.main && sample.rule->severity != Severity::info;
    const Severity least = may_keep_info ? Severity::warning : Severity::info;
    CHECK_MESSAGE(findings_of(sample.report, *sample.rule, least).empty() != sample.bad, "findings:\n", listed(sample.report));
    if (!sample.main) continue;
    std::set<std::string> others = serious(sample.report);
    if (sample.bad) others.erase(std::string(sample.rule->id));
    CHECK_MESSAGE(others.empty(), "findings:\n", listed(sample.report));
  }
}

TEST_CASE("findings keep what their rule's metadata promises") {
  for (const Sample& sample : samples())
    for (const Finding& finding : sample.report.findings) {
      CAPTURE(sample.stem);
      CAPTURE(listed(finding));
      const RuleSettings* settings = sample.policy.settings(finding.rule->id);
      if (!settings || !settings->severity) CHECK(finding.severity <= finding.rule->severity);
      if (finding.fix) {
        CHECK(finding.rule->fixability != Fixability::no);
        if (finding.fix->safety == Safety::safe) CHECK(finding.rule->fixability == Fixability::safe);
        CHECK_FALSE(finding.fix->ops.empty());
        CHECK_FALSE(finding.fix->title.ends_with('.'));
      }
      CHECK_FALSE(finding.message.empty());
      CHECK_FALSE(finding.fingerprint.empty());
      CHECK(finding.message.find('\n') == std::string::npos);
    }
}

TEST_CASE("a rule that says it can repair shows it in a bad sample") {
  std::set<std::string_view> shown;
  for (const Sample& sample : samples())
    for (const Finding* finding : findings_of(sample.report, *sample.rule))
      if (finding->fix) shown.insert(sample.rule->id);
  for (const Rule* rule : all_rules())
    if (rule->fixability != Fixability::no) CHECK_MESSAGE(shown.contains(rule->id), rule->id, " has no bad sample with a fix");
}

/// Findings of run rules need the other documents of the sample, which are gone once one of them is mended by itself.
bool needs_other_documents(const Sample& sample) { return sample.rule->check.scope == Scope::run; }

// What is left may be milder: a quantity of 0 stays an info when a variable hides the devices.
TEST_CASE("each fix removes its finding and brings no new warning or error") {
  for (const Sample& sample : samples()) {
    if (needs_other_documents(sample)) continue;
    const std::vector<const Finding*> own = findings_of(sample.report, *sample.rule);
    for (const Finding* finding : own) {
      if (!finding->fix) continue;
      CAPTURE(sample.stem);
      CAPTURE(listed(*finding));
      const std::string before = json_of(sample, finding->document);
      std::string error;
      const std::optional<std::string> after = apply_patch(before, finding->fix->ops, error);
      REQUIRE_MESSAGE(after.has_value(), error);
      const Report was = judge("before.json", before, sample.policy), is = judge("after.json", *after, sample.policy);
      const Severity severity = finding->severity;
      CHECK_MESSAGE(findings_of(is, *sample.rule, severity).size() < findings_of(was, *sample.rule, severity).size(), *after);
      for (const std::string& id : serious(is)) CHECK_MESSAGE(serious(was).contains(id), "new: ", id, "\n", listed(is));
    }
  }
}

TEST_CASE("mending leaves no fixable finding of the rule, and mending again changes nothing") {
  for (const Sample& sample : samples()) {
    if (needs_other_documents(sample)) continue;
    std::set<std::size_t> documents;
    for (const Finding* finding : findings_of(sample.report, *sample.rule))
      if (finding->fix) documents.insert(finding->document);
    for (const std::size_t index : documents) {
      CAPTURE(sample.stem);
      const std::vector<std::string> rules{std::string(sample.rule->id)};
      const Mend once = mend(json_of(sample, index), sample.policy, rules, Safety::unsafe);
      CHECK_FALSE(once.ops.empty());
      const Report mended = judge("mended.json", once.json, sample.policy);
      for (const Finding* finding : findings_of(mended, *sample.rule)) CHECK_MESSAGE(!finding->fix, listed(*finding));
      CHECK_MESSAGE(mend(once.json, sample.policy, rules, Safety::unsafe).ops.empty(), once.json);
    }
  }
}

}  // namespace
}  // namespace gpulint
