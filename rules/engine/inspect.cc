// inspect: one input through the reader, the rules and the suppressions.
#include <algorithm>
#include <exception>

#include "rules/engine/context.h"
#include "rules/engine/fingerprint.h"
#include "rules/engine/ignore_entries.h"
#include "rules/engine/input_findings.h"
#include "rules/engine/suppression.h"
#include "rules/kube/embedded_text.h"

namespace gpulint {
namespace {

/// Of longer lines (JSON on one line) a finding keeps what stands around its place, half of it on each side.
constexpr std::uint32_t kMaxExcerpt = 1000;

/// One document under judgement: what every step below needs.
struct Job {
  const Source& source;
  const Document& document;
  const Policy& policy;
  FileReport& report;
  Trace* trace = nullptr;
};

Timing* timed(Trace* trace, Timing Trace::*part) { return trace && trace->times ? &(trace->*part) : nullptr; }

/// `index` is the rule's place in all_rules().
Timing* timed_rule(Trace* trace, std::size_t index) {
  if (!trace || !trace->times) return nullptr;
  trace->rules.resize(all_rules().size());
  return &trace->rules[index];
}

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
      rule.check.object(object, templates, context);
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

/// The cluster as the object shows it, with the evidence kept where it is asked for.
Cluster cluster_of(const Job& job, const ObjectView& object, const std::vector<PodTemplate>& templates) {
  if (!job.trace || !job.trace->cluster) return narrowed_by_evidence(job.policy.cluster, object, templates);
  std::vector<Evidence> evidence;
  const Cluster cluster = narrowed_by_evidence(job.policy.cluster, object, templates, &evidence);
  for (const Evidence& one : evidence)
    job.trace->evidence.push_back({std::string(job.source.name()), job.document.index, range_of(job.source, place_of(*one.node)).start,
                                   one.conclusion, one.shown_by});
  return cluster;
}

void run_rules(const Job& job, const ObjectView& object, const std::vector<PodTemplate>& templates, const Cluster& cluster) {
  const auto rules = all_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = *rules[i];
    if (rule.check.scope == Scope::document || rule.check.scope == Scope::engine) continue;
    if (job.policy.is_off(rule) || (rule.applies && !rule.applies(cluster))) continue;
    const Stopwatch stopwatch(timed_rule(job.trace, i));
    Context context(rule, job.policy, cluster, job.source, job.document, &object, job.report);
    run_rule(rule, object, templates, context);
  }
}

std::vector<PodTemplate> decoded(const Job& job, const ObjectView& object) {
  const Stopwatch stopwatch(timed(job.trace, &Trace::decoding));
  return pod_templates(object, job.policy.accelerators);
}

void inspect_object(const Job& job, const ObjectView& object, const Begin& begin) {
  const auto& [source, document, policy, report, trace] = job;
  const std::vector<PodTemplate> templates = decoded(job, object);
  const Cluster cluster = cluster_of(job, object, templates);
  report.counts.pod_templates += static_cast<std::size_t>(std::count_if(templates.begin(), templates.end(), [](const PodTemplate& pod) { return !pod.partial; }));
  report.counts.gpu_requests += count_gpu_requests(templates);
  run_rules(job, object, templates, cluster);
  const Stopwatch stopwatch(timed(trace, &Trace::finishing));
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
  const auto rules = all_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i]->check.scope != Scope::document || job.policy.is_off(*rules[i])) continue;
    const Stopwatch stopwatch(timed_rule(job.trace, i));
    Context context(*rules[i], job.policy, job.policy.cluster, job.source, job.document, nullptr, job.report);
    rules[i]->check.document(job.document, context);
  }
  if (findings.size() == begin) return;
  for (const ObjectView& object : objects) {
    const JsonPointer place = JsonPointer::to(*object.root, *job.document.root);
    for (std::size_t i = begin; i < findings.size(); ++i)
      if (place.contains(findings[i].pointer)) findings[i].object = object_ref(object);
  }
}

bool inside_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

void set_excerpt(const Source& source, Finding& finding) {
  const Position place = finding.range.start;
  const std::string_view line = source.line(place.line);
  if (line.size() <= kMaxExcerpt) {
    finding.excerpt = std::string(line);
    return;
  }
  const std::uint32_t line_begin = source.offset({place.line, 1}), at = source.offset(place);
  const std::uint32_t line_end = line_begin + static_cast<std::uint32_t>(line.size());
  std::uint32_t from = at - std::min(at - line_begin, kMaxExcerpt / 2), to = at + std::min(line_end - at, kMaxExcerpt / 2);
  while (from < at && inside_code_point(source.bytes()[from])) ++from;
  while (to < line_end && to > at && inside_code_point(source.bytes()[to])) --to;
  finding.excerpt = std::string(source.text({from, to}));
  finding.excerpt_column = source.position(from).column;
  finding.excerpt_goes_on = to < line_end;
}

void finish(const Job& job, std::vector<Finding>& findings, std::size_t begin) {
  drop_repeated(findings, begin);
  if (job.policy.honour_suppressions) suppress_by_configuration(job.policy, findings, begin);
  for (std::size_t i = begin; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    set_excerpt(job.source, finding);
    finding.fingerprint = base_fingerprint(finding, job.document.root);
  }
}

void finish(const Job& job, const Begin& begin) {
  const Stopwatch stopwatch(timed(job.trace, &Trace::finishing));
  finish(job, job.report.findings, begin.findings);
  finish(job, job.report.proposed, begin.proposed);
}

std::vector<ObjectView> objects_of(const Job& job) {
  const Stopwatch stopwatch(timed(job.trace, &Trace::decoding));
  return objects_in(job.document, job.policy.accelerators);
}

Documents read(const Source& source, const Policy& policy, Trace* trace) {
  const Stopwatch stopwatch(timed(trace, &Trace::reading));
  ReadOptions options;
  if (!policy.read_everything) options.words = &policy.words();
  return read_manifest(source, options);
}

void inspect_readable(const Source& source, const Document& document, const Policy& policy, FileReport& report, Trace* trace) {
  const Begin begin(report);
  try {
    inspect_document(source, document, policy, report, trace);
  } catch (const std::exception& fault) {
    report.findings.resize(begin.findings);
    report.proposed.resize(begin.proposed);
    report_fault(source, document, fault.what(), policy, report);
    finish({source, document, policy, report}, begin);
  }
}

}  // namespace

void inspect_document(const Source& source, const Document& document, const Policy& policy, FileReport& report, Trace* trace) {
  if (!document.root) return;
  const Job job{source, document, policy, report, trace};
  const Begin begin(report);
  const std::vector<ObjectView> objects = objects_of(job);
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

FileReport inspect(const Source& source, const Policy& policy, Trace* trace) {
  FileReport report;
  report.counts.files = 1;
  if (policy.set_aside) report.read.emplace_back(source.name());
  const Documents documents = read(source, policy, trace);
  std::vector<const Document*> unrendered;
  for (const Document& document : documents.list) {
    if (document.state == DocumentState::empty) continue;
    ++report.counts.documents;
    const Begin begin(report);
    switch (document.state) {
      case DocumentState::parsed: inspect_readable(source, document, policy, report, trace); break;
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
  renderings += other.renderings;
  return *this;
}

}  // namespace gpulint
