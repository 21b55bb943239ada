// conclude and decide: reports of single inputs to one report, and what that means under a policy.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "rules/engine/engine.h"
#include "rules/engine/fingerprint.h"

namespace gpulint {

namespace {

/// The proposed findings of run rules that hold, now that every input is read.
void confirm_proposed(std::vector<FileReport>& reports, std::vector<Finding>& findings) {
  std::map<const Rule*, RunFacts> facts;
  for (const FileReport& file : reports)
    for (const RunFact& fact : file.facts) facts[fact.rule].add(fact);
  for (FileReport& file : reports)
    for (Finding& finding : file.proposed)
      if (finding.rule->check.confirm(finding.join_key, facts[finding.rule])) findings.push_back(std::move(finding));
}

}  // namespace

Report conclude(std::vector<FileReport> reports, const Policy&) {
  Report report;
  confirm_proposed(reports, report.findings);
  for (FileReport& file : reports) {
    report.counts += file.counts;
    std::move(file.findings.begin(), file.findings.end(), std::back_inserter(report.findings));
    std::move(file.not_judged.begin(), file.not_judged.end(), std::back_inserter(report.not_judged));
    for (const auto& [rule, objects] : file.undecided) report.undecided[rule] += objects;
  }
  std::stable_sort(report.findings.begin(), report.findings.end(), in_output_order);
  std::stable_sort(report.not_judged.begin(), report.not_judged.end(), [](const NotJudged& left, const NotJudged& right) {
    return std::tie(left.file, left.document, left.reason) < std::tie(right.file, right.document, right.reason);
  });
  separate_equal_fingerprints(report.findings);  // the same object in two files
  for (const Finding& finding : report.findings) {
    if (finding.suppressed) ++report.suppressed;
    else if (finding.severity == Severity::error) ++report.errors;
    else if (finding.severity == Severity::warning) ++report.warnings;
    else ++report.infos;
  }
  return report;
}

Decision decide(const Report& report, const Policy& policy) {
  Decision decision;
  for (const Finding& finding : report.findings) {
    if (finding.suppressed) continue;
    auto& list = finding.severity == Severity::error ? decision.errors : finding.severity == Severity::warning ? decision.warnings : decision.infos;
    list.push_back(&finding);
    if (finding.severity >= policy.fail_on) decision.failed = true;
  }
  return decision;
}

}  // namespace gpulint
