// What the linter says about a manifest is what the webhook says about the same object: document by document, word for word.
// The JSON comes from another YAML library than ours (tests/corpus/convert.py). Input rules and run-scope rules are out, nothing else:
// the first speak about the text, which an API server does not send; the second need several documents.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "rules/engine/engine.h"
#include "rules/engine/patch.h"
#include "tests/corpus/manifests.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"
#include "webhook/admission.h"

namespace gpulint {
namespace {

using nlohmann::json;

struct Converted {
  std::string file;
  std::size_t document = 0;
  std::string json, shuffled, flow, block, defaulted;
};

std::vector<Converted> convert(const std::vector<std::string>& files) {
  const testing::Outcome outcome = testing::run({.words = {"python3", "tests/corpus/convert.py"},
                                                 .input = fmt::format("{}\n", fmt::join(files, "\n")), .timeout = std::chrono::minutes(5)});
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  std::vector<Converted> rows;
  for (std::size_t at = 0, end; (end = outcome.out.find('\n', at)) != std::string::npos; at = end + 1) {
    const json row = json::parse(outcome.out.substr(at, end - at));
    rows.push_back({row["file"], row["document"], row["json"], row["shuffled"], row["flow"], row["block"], row.value("defaulted", "")});
  }
  return rows;
}

bool is_compared(const Finding& finding) {
  return finding.rule->group != Group::input && finding.rule->check.scope != Scope::run;
}

enum class Detail { with_pointer, without_pointer };

// One finding a line, sorted: the order of keys in an object means nothing.
std::string listed(const std::vector<Finding>& findings, std::size_t document, Detail detail = Detail::with_pointer) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings)
    if (is_compared(finding) && finding.document == document)
      lines.push_back(fmt::format("{} {} {} {}{}\n", name_of(finding.severity), finding.rule->id,
                                  detail == Detail::with_pointer ? finding.pointer.text() : "", finding.message,
                                  finding.suppressed ? " (suppressed)" : ""));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

std::vector<Finding> of_text(const std::string& name, std::string text, const Policy& policy) {
  const Source source(name, std::move(text));
  return inspect(source, policy).findings;
}

std::string review_of(const std::string& object) {
  return R"({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {"uid": "parity", "operation": "CREATE", "namespace": "test",
    "resource": {"group": "example.com", "version": "v1", "resource": "things"}, "oldObject": null, "object": )" +
         object + "}}";
}

// The findings about the object inside a review, judged as the webhook does it: on the tree of the review, without cutting it out.
std::vector<Finding> of_review(const std::string& object, const Policy& policy) {
  const Source source("review", review_of(object));
  const Documents documents = read_json(source, {});
  REQUIRE(documents.list.size() == 1);
  Document document = documents.list[0];
  REQUIRE_MESSAGE(document.root, document.problem);
  document.root = document.root->at("request", "object");
  REQUIRE(document.root);
  FileReport report;
  inspect_document(source, document, policy, report);
  return report.findings;
}

std::vector<std::string> all_manifests() {
  std::vector<std::string> files;
  for (const std::string_view folder : {std::string_view("testdata"), testing::kCases, testing::kCorpus})
    for (const std::string& file : testing::files_below(folder))
      if (file.find("/admission/") == std::string::npos && !file.ends_with(".expected")) files.push_back(file);
  return files;
}

const std::vector<Converted>& manifests() {
  static const std::vector<Converted> rows = convert(all_manifests());
  return rows;
}

// Calls `compare` for every document, with the findings of its text, under `generic` and under its publisher's cluster.
template <class Compare>
void for_each_manifest(Compare compare) {
  std::string file, cluster;
  std::vector<Finding> findings;
  std::optional<Policy> policy;
  for (const std::string_view wanted : {"generic", ""})
    for (const Converted& row : manifests()) {
      const std::string_view preset = wanted.empty() ? testing::cluster_of(row.file) : wanted;
      if (preset.empty()) continue;
      if (cluster != preset) policy = testing::policy_for(preset);
      if (cluster != preset || file != row.file) findings = of_text(row.file, testing::read_file(row.file), *policy);
      cluster = preset;
      file = row.file;
      CAPTURE(cluster);
      CAPTURE(row.file);
      CAPTURE(row.document);
      compare(row, findings, *policy);
    }
}

void same(std::string_view what, const std::string& text, const std::string& other) {
  const std::string difference = testing::difference(text, other);
  CHECK_MESSAGE(difference.empty(), "findings of the text (-) and of ", what, " (+)\n", difference);
}

TEST_CASE("the converter reads the manifests that are there") {
  CHECK(manifests().size() > 60);
  if (testing::has_corpus("the size of the comparison")) CHECK(manifests().size() > 1000);
}

TEST_CASE("the object in an AdmissionReview has the findings of its text") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>& findings, const Policy& policy) {
    same("the same object in a review", listed(findings, row.document), listed(of_review(row.json, policy), 0));
  });
}

TEST_CASE("the order of keys changes no finding") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>& findings, const Policy& policy) {
    same("the same object with its keys in another order", listed(findings, row.document), listed(of_review(row.shuffled, policy), 0));
  });
}

TEST_CASE("block and flow style, without anchors and merge keys, change no finding") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>& findings, const Policy& policy) {
    same("its flow form", listed(findings, row.document), listed(of_text("flow.yaml", row.flow, policy), 0));
    same("its block form", listed(findings, row.document), listed(of_text("block.yaml", row.block, policy), 0));
  });
}

// Only places may differ: a finding about an absent field sits at its parent until the server writes the default out.
TEST_CASE("defaults that the API server writes out change no finding") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>& findings, const Policy& policy) {
    if (row.defaulted.empty()) return;
    same("the object with defaults written out", listed(findings, row.document, Detail::without_pointer),
         listed(of_review(row.defaulted, policy), 0, Detail::without_pointer));
  });
}

TEST_CASE("both front ends mend an object in the same way") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>&, const Policy& policy) {
    const Source source(row.file, testing::read_file(row.file));
    const Documents documents = read_manifest(source, {.words = &policy.words()});
    const Document& document = documents.list.at(row.document);
    if (!document.root) return;
    const Mend of_tree = mend(to_json(*document.root), policy, {}, Safety::unsafe), of_object = mend(row.json, policy, {}, Safety::unsafe);
    CHECK_MESSAGE(patch_text(of_tree.ops) == patch_text(of_object.ops), patch_text(of_tree.ops), "\n", patch_text(of_object.ops));
    CHECK(json::parse(of_tree.json) == json::parse(of_object.json));
    for (const Finding& finding : of_review(of_tree.json, policy))
      if (is_compared(finding) && !finding.suppressed) CHECK_MESSAGE(!finding.fix, finding.rule->id, " ", finding.pointer.text(), ": a fix is left after mending");
  });
}

// An answer says what was found: the beginning of each message, and in a denial the rule behind it.
void says(const std::string& text, const std::vector<Finding>& findings, Severity severity) {
  for (const Finding& finding : findings) {
    if (finding.severity != severity || finding.suppressed) continue;
    CHECK_MESSAGE(text.find(finding.message.substr(0, 80)) != std::string::npos, finding.message, "\n", text);
    CHECK_MESSAGE(text.find(finding.rule->id) != std::string::npos, finding.rule->id, "\n", text);
  }
}

TEST_CASE("the webhook's answer says what the linter says, and decides as it does") {
  for_each_manifest([](const Converted& row, const std::vector<Finding>&, const Policy& policy) {
    Policy enforcing = policy;
    enforcing.webhook.mode = Mode::enforce;
    enforcing.lint = false;
    const std::vector<Finding> findings = of_review(row.json, enforcing);
    const AdmissionAnswer answer = review(Endpoint::validate, review_of(row.json), enforcing);
    CAPTURE(answer.body);
    REQUIRE(answer.http_status == 200);
    if (answer.verdict == Verdict::unseen) {
      CHECK_MESSAGE(listed(findings, 0).empty(), answer.reason, ", but findings:\n", listed(findings, 0));
      return;
    }
    FileReport file;
    file.findings = findings;
    std::vector<FileReport> files;
    files.push_back(std::move(file));
    const Report report = conclude(std::move(files), enforcing);
    const json response = json::parse(answer.body)["response"];
    CHECK(response["allowed"] == !decide(report, enforcing).failed);
    says(response.value(json::json_pointer("/status/message"), ""), findings, Severity::error);
    std::string shown;  // warnings beyond the API server's limit stand in the annotations
    for (const char* name : {"warnings", "auditAnnotations"}) {
      const json part = response.value(name, json::object());
      for (const auto& [key, value] : part.items()) shown += fmt::format("{} {}\n", key, value.get<std::string>());
    }
    says(shown, findings, Severity::warning);
  });
}

}  // namespace
}  // namespace gpulint
