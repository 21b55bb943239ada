// conclude and decide: reports of single inputs to one report, and what that means under a policy.
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "rules/engine/baseline.h"
#include "rules/engine/engine.h"
#include "rules/engine/fingerprint.h"
#include "rules/engine/ignore_entries.h"

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

/// The files whose findings are all known now: read, and nothing in them, nor a folder they lie in, left unjudged.
std::set<std::string> judged_files(const std::vector<std::string>& read, const std::vector<NotJudged>& not_judged, const PathBase& paths) {
  std::set<std::string> files;
  for (const std::string& name : read) files.insert(paths.relative(name));
  for (const NotJudged& entry : not_judged) {
    const std::string place = entry.file == "." ? "" : paths.relative(entry.file);
    files.erase(place);
    const std::string inside = place.empty() ? "" : place + "/";
    for (auto file = files.lower_bound(inside); file != files.end() && file->starts_with(inside);) file = files.erase(file);
  }
  return files;
}

void apply_baseline(const std::vector<std::string>& read, const Policy& policy, Report& report) {
  if (policy.set_aside && policy.honour_suppressions)
    report.stale_baseline = set_aside(*policy.set_aside, policy.paths, judged_files(read, report.not_judged, policy.paths), report.findings);
  // Where only a part of the repository was read, a file that is gone may have got another name in the rest.
  if (!policy.reads_all) std::erase_if(report.stale_baseline, [](const BaselineEntry& entry) { return entry.gone; });
  if (!policy.writes_baseline) return;
  report.baseline = baseline_of(report.findings, policy);
  Baseline written;
  written.entries = report.baseline;
  set_aside(written, policy.paths, {}, report.findings);
}

void count(Report& report) {
  for (const Finding& finding : report.findings) {
    if (finding.suppressed) ++report.suppressed;
    else if (finding.severity == Severity::error) ++report.errors;
    else if (finding.severity == Severity::warning) ++report.warnings;
    else ++report.infos;
  }
}

}  // namespace

Report conclude(std::vector<FileReport> reports, const Policy& policy) {
  Report report;
  std::vector<std::string> read;
  confirm_proposed(reports, report.findings);
  for (FileReport& file : reports) {
    report.counts += file.counts;
    std::move(file.findings.begin(), file.findings.end(), std::back_inserter(report.findings));
    std::move(file.not_judged.begin(), file.not_judged.end(), std::back_inserter(report.not_judged));
    std::move(file.read.begin(), file.read.end(), std::back_inserter(read));
    for (const auto& [rule, objects] : file.undecided) report.undecided[rule] += objects;
  }
  report_ignore_entries(policy, report);
  std::stable_sort(report.findings.begin(), report.findings.end(), in_output_order);
  std::stable_sort(report.not_judged.begin(), report.not_judged.end(), [](const NotJudged& left, const NotJudged& right) {
    return std::tie(left.file, left.document, left.reason) < std::tie(right.file, right.document, right.reason);
  });
  apply_baseline(read, policy, report);          // by the fingerprints that a file by itself gives
  separate_equal_fingerprints(report.findings);  // the same object in two files
  count(report);
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
