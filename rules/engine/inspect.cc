// inspect: one input through the reader, the rules and the suppressions.
#include <algorithm>
#include <exception>

#include "rules/engine/context.h"
#include "rules/engine/fingerprint.h"
#include "rules/engine/input_findings.h"
#include "rules/engine/suppression.h"

namespace gpulint {
namespace {

/// Lines longer than this (JSON on one line) would be copied into every finding and help nobody.
constexpr std::size_t kMaxExcerpt = 1000;

/// One document under judgement: what every step below needs.
struct Job {
  const Source& source;
  const Document& document;
  const Policy& policy;
  FileReport& report;
};

void run_rule(const Rule& rule, const ObjectView& object, const std::vector<PodTemplate>& templates, Context& context) {
  switch (rule.check.scope) {
    case Scope::container:
      for (const PodTemplate& pod : templates)
        pod.for_each_container([&](const Container& container) {
          context.enter(&container);
          rule.check.container(container, pod, context);
        });
      break;
    case Scope::pod_template:
      for (const PodTemplate& pod : templates)
        if (!pod.partial) rule.check.pod_template(pod, context);
      break;
    case Scope::object:
      rule.check.object(object, context);
      break;
    case Scope::run:
      if (context.policy.lint) rule.check.collect(object, templates, context);
      break;
    case Scope::document:
    case Scope::engine:
      break;
  }
}

bool same_finding(const Finding& left, const Finding& right) {
  return left.rule == right.rule && left.document == right.document && left.pointer == right.pointer && left.message == right.message &&
         left.range.start == right.range.start && left.container == right.container;
}

/// Two templates may share a place (an ask read twice); saying it once is enough.
void drop_repeated(std::vector<Finding>& findings, std::size_t begin) {
  const auto first = findings.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, findings.end(), in_output_order);
  findings.erase(std::unique(first, findings.end(), same_finding), findings.end());
}

/// Where the findings of a document begin in its report.
struct Begin {
  std::size_t findings = 0, proposed = 0;
  explicit Begin(const FileReport& report) : findings(report.findings.size()), proposed(report.proposed.size()) {}
};

void inspect_object(const Job& job, const ObjectView& object, const Begin& begin) {
  const auto& [source, document, policy, report] = job;
  const std::vector<PodTemplate> templates = pod_templates(object, policy.accelerators);
  const Cluster cluster = narrowed_by_evidence(policy.cluster, object, templates);
  report.counts.pod_templates += static_cast<std::size_t>(std::count_if(templates.begin(), templates.end(), [](const PodTemplate& pod) { return !pod.partial; }));
  report.counts.gpu_requests += count_gpu_requests(templates);
  for (const Rule* rule : all_rules()) {
    if (policy.is_off(*rule) || (rule->applies && !rule->applies(cluster))) continue;
    Context context(*rule, policy, cluster, source, document, &object, report);
    run_rule(*rule, object, templates, context);
  }
  if (const Rule* rule = find_rule("invalid-manifest"); rule && object.built_in) {
    Context context(*rule, policy, cluster, source, document, &object, report);
    report_wrong_types(wrong_types(object, templates), context);
  }
  std::vector<IgnoreAnnotation> annotations = ignore_annotations(object, templates, *document.root);
  if (policy.honour_suppressions) {
    suppress_by_annotation(annotations, report.findings, begin.findings);
    suppress_by_annotation(annotations, report.proposed, begin.proposed);
  }
  report_annotations(annotations, policy, cluster, source, document, object, report);
}

/// Rules that look at a document whatever it holds; a finding inside an object is about that object.
void inspect_whole_document(const Job& job, const std::vector<ObjectView>& objects) {
  auto& findings = job.report.findings;
  const std::size_t begin = findings.size();
  for (const Rule* rule : all_rules()) {
    if (rule->check.scope != Scope::document || job.policy.is_off(*rule)) continue;
    Context context(*rule, job.policy, job.policy.cluster, job.source, job.document, nullptr, job.report);
    rule->check.document(job.document, context);
  }
  if (findings.size() == begin) return;
  for (const ObjectView& object : objects) {
    const JsonPointer place = JsonPointer::to(*object.root, *job.document.root);
    for (std::size_t i = begin; i < findings.size(); ++i)
      if (place.contains(findings[i].pointer)) findings[i].object = object_ref(object);
  }
}

void finish(const Job& job, std::vector<Finding>& findings, std::size_t begin) {
  drop_repeated(findings, begin);
  if (job.policy.honour_suppressions) suppress_by_configuration(job.policy, findings, begin);
  for (std::size_t i = begin; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    if (const std::string_view line = job.source.line(finding.range.start.line); line.size() <= kMaxExcerpt) finding.excerpt = std::string(line);
    finding.fingerprint = base_fingerprint(finding, job.document.root);
  }
}

void finish(const Job& job, const Begin& begin) {
  finish(job, job.report.findings, begin.findings);
  finish(job, job.report.proposed, begin.proposed);
}

void inspect_readable(const Source& source, const Document& document, const Policy& policy, FileReport& report) {
  const Begin begin(report);
  try {
    inspect_document(source, document, policy, report);
  } catch (const std::exception& fault) {
    report.findings.resize(begin.findings);
    report.proposed.resize(begin.proposed);
    report_fault(source, document, fault.what(), policy, report);
    finish({source, document, policy, report}, begin);
  }
}

}  // namespace

void inspect_document(const Source& source, const Document& document, const Policy& policy, FileReport& report) {
  if (!document.root) return;
  const Job job{source, document, policy, report};
  const Begin begin(report);
  const std::vector<ObjectView> objects = objects_in(document, policy.accelerators);
  inspect_whole_document(job, objects);
  bool judged = true;
  for (const ObjectView& object : objects) {
    if (object.form == ObjectForm::other) judged = false;
    else inspect_object(job, object, begin);
  }
  if ((!judged || objects.empty()) && policy.words().found_in(source.text(document.span)))
    report.not_judged.push_back({std::string(source.name()), document.index, "no Kubernetes object or chart values"});
  finish(job, begin);
}

FileReport inspect(const Source& source, const Policy& policy) {
  FileReport report;
  report.counts.files = 1;
  ReadOptions options;
  if (!policy.read_everything) options.words = &policy.words();
  const Documents documents = read_manifest(source, options);
  std::vector<const Document*> unrendered;
  for (const Document& document : documents.list) {
    if (document.state == DocumentState::empty) continue;
    ++report.counts.documents;
    const Begin begin(report);
    switch (document.state) {
      case DocumentState::parsed: inspect_readable(source, document, policy, report); break;
      case DocumentState::skipped: ++report.counts.skipped_documents; break;
      case DocumentState::unrendered: unrendered.push_back(&document); break;
      case DocumentState::invalid:
        report_unreadable(source, document, policy, report);
        finish({source, document, policy, report}, begin);
        break;
      case DocumentState::empty: break;
    }
  }
  if (!unrendered.empty()) {
    const Begin begin(report);
    report_unrendered(source, unrendered, policy, report);
    finish({source, *unrendered.front(), policy, report}, begin);
  }
  std::stable_sort(report.findings.begin(), report.findings.end(), in_output_order);
  separate_equal_fingerprints(report.findings);
  return report;
}

Counts& Counts::operator+=(const Counts& other) {
  files += other.files;
  documents += other.documents;
  skipped_documents += other.skipped_documents;
  pod_templates += other.pod_templates;
  gpu_requests += other.gpu_requests;
  return *this;
}

}  // namespace gpulint
