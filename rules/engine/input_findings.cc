#include "rules/engine/input_findings.h"

namespace gpulint {
namespace {

const char* found(const Node& node) {
  switch (node.kind) {
    case NodeKind::null: return "null";
    case NodeKind::boolean: return "a boolean";
    case NodeKind::integer:
    case NodeKind::real: return "a number";
    case NodeKind::string: return "a string";
    case NodeKind::sequence: return "a list";
    case NodeKind::mapping: break;
  }
  return "a mapping";
}

/// Long texts are cut, between characters: the place is pointed at anyway.
std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return std::string(text);
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

/// `a string ("two")`
std::string found_value(const Node& node) {
  if (!node.is_scalar() || node.is_null()) return found(node);
  const std::string text = shortened(node.text);
  return fmt::format("{} ({})", found(node), node.is_string() ? "\"" + text + "\"" : text);
}

/// Reports at a place of the text rather than at a node: an unreadable document has none.
void report_at(std::string_view rule_id, Span span, std::string message, Severity severity, const Source& source, const Document& document,
               const Policy& policy, FileReport& report) {
  const Rule* rule = find_rule(rule_id);
  if (!rule) return;
  Context context(*rule, policy, policy.cluster, source, document, nullptr, report);
  context.report(severity, nullptr, std::move(message)).range({source.position(span.begin), source.position(std::max(span.begin, span.end))});
}

}  // namespace

void report_unreadable(const Source& source, const Document& document, const Policy& policy, FileReport& report) {
  std::string message = document.problem.empty() ? "the document cannot be read" : document.problem;
  if (!document.advice.empty()) message += "; " + document.advice;
  report_at("invalid-manifest", document.problem_span, std::move(message), Severity::error, source, document, policy, report);
  report.not_judged.push_back({std::string(source.name()), document.index, "not readable as YAML or JSON"});
}

void report_unrendered(const Source& source, const std::vector<const Document*>& documents, const Policy& policy, FileReport& report) {
  if (documents.empty()) return;
  for (const Document* document : documents) report.not_judged.push_back({std::string(source.name()), document->index, "unrendered template"});
  const Document& first = *documents.front();
  const std::string what = first.problem.empty() ? std::string("a template expression") : fmt::format("template text `{}`", shortened(first.problem));
  const std::string more = documents.size() == 1 ? std::string() : fmt::format(" ({} documents of this file)", documents.size());
  report_at("unrendered-template", first.problem_span,
            fmt::format("{} has to be rendered before it can be judged{}; give gpulint the chart's folder, or pipe `helm template` into `gpulint lint -`",
                        what, more),
            Severity::info, source, first, policy, report);
}

void report_wrong_types(const std::vector<WrongType>& wrong, Context& context) {
  for (const WrongType& place : wrong) {
    if (!place.node || !context.object) continue;
    context.error(place.node, "{} must be {}, not {}", JsonPointer::to(*place.node, *context.object->root).readable(), place.expected,
                  found_value(*place.node));
  }
}

void report_fault(const Source& source, const Document& document, std::string_view what, const Policy& policy, FileReport& report) {
  report_at("invalid-manifest", {document.span.begin, document.span.begin}, fmt::format("gpulint failed on this document: {}", what),
            Severity::error, source, document, policy, report);
  report.not_judged.push_back({std::string(source.name()), document.index, fmt::format("internal fault: {}", what)});
}

}  // namespace gpulint
