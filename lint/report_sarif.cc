#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gpulint_version.h"
#include "lint/report.h"
#include "lint/uri.h"
#include "rules/engine/documentation.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

// GitHub refuses a run with more results.
constexpr std::size_t kMaxResults = 25000;
constexpr const char* kRoot = "%SRCROOT%";

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view level_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

Json text(std::string_view words) { return {{"text", words}}; }

Json descriptor_of(const Rule& rule) {
  const std::string_view problem = rule.severity == Severity::info ? "recommendation" : level_of(rule.severity);
  return {{"id", rule.id},
          {"shortDescription", text(rule.summary)},
          {"fullDescription", text(rule.rationale)},
          {"help", {{"text", explain_text(rule)}, {"markdown", rule_markdown(rule)}}},
          {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
          {"properties", {{"tags", {"kubernetes", "gpu", name_of(rule.group)}}, {"problem.severity", problem}}}};
}

class Writer {
 public:
  Writer(const Report& report, const ReportOptions& options, Output& out) : report_(report), options_(options), out_(out) {}

  // A result a line, written as it goes: the report is never a second time in memory.
  void write() {
    out_.write(R"({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{)");
    out_.write("\n \"tool\": {\"driver\": {\"name\": \"gpulint\", \"semanticVersion\": " + dump(kVersion) + ", \"rules\": [");
    const char* separator = "\n  ";
    for (const Rule* rule : all_rules()) {
      out_.write(separator + dump(descriptor_of(*rule)));
      separator = ",\n  ";
    }
    out_.write("]}},\n \"columnKind\": \"unicodeCodePoints\",\n");
    if (!options_.working_directory.empty())
      out_.write(" \"originalUriBaseIds\": " + dump({{kRoot, {{"uri", file_uri(options_.working_directory + "/")}}}}) + ",\n");
    const std::vector<const Finding*> listed = listed_findings(report_, options_, kMaxResults);
    out_.write(" \"invocations\": [" + dump(invocation(listed.size())) + "],\n \"results\": [");
    separator = "\n  ";
    for (const Finding* finding : listed) {
      out_.write(separator + dump(json_of(*finding)));
      separator = ",\n  ";
    }
    out_.write("]}]}\n");
  }

 private:
  Json artifact(const std::string& file) const {
    const std::string_view path = relative_to(options_.working_directory, file);
    if (path.starts_with('/')) return {{"uri", file_uri(path)}};
    return {{"uri", percent_encoded(path)}, {"uriBaseId", kRoot}};
  }

  Json notification(std::string_view level, const NotJudged& entry, std::string_view what) const {
    return {{"level", level},
            {"message", text(fmt::format("{}: {}", what, entry.reason))},
            {"locations", Json::array({{{"physicalLocation", {{"artifactLocation", artifact(entry.file)}}}}})}};
  }

  Json invocation(std::size_t listed) const {
    Json notifications = Json::array();
    for (const NotJudged& entry : report_.unreadable) notifications.push_back(notification("error", entry, "not read"));
    const NotJudged* previous = nullptr;
    for (const NotJudged& entry : report_.not_judged) {
      if (previous && previous->file == entry.file && previous->reason == entry.reason) continue;  // another document of the same file
      notifications.push_back(notification("warning", entry, "not judged"));
      previous = &entry;
    }
    if (const std::size_t all = listed_findings(report_, options_).size(); all > listed)
      notifications.push_back({{"level", "warning"},
                               {"message", text(fmt::format("{} of {} results are left out, the least severe: code scanning takes {} in a run", all - listed, all, kMaxResults))}});
    return {{"executionSuccessful", report_.unreadable.empty()}, {"toolExecutionNotifications", std::move(notifications)}};
  }

  static Json region_of(const Range& range) {
    return {{"startLine", range.start.line}, {"startColumn", range.start.column}, {"endLine", range.end.line}, {"endColumn", range.end.column}};
  }

  // Object and container are both named; a name alone is the same in many objects.
  static Json logical_locations(const Finding& finding) {
    const ObjectRef& object = finding.object;
    Json locations = Json::array();
    if (object.kind.empty() && object.name.empty()) return locations;
    std::string full;
    for (const std::string& part : {object.api_version, object.kind, object.name_space, object.name})
      if (!part.empty()) full += (full.empty() ? "" : "/") + part;
    Json location{{"fullyQualifiedName", full}, {"kind", "object"}};
    if (!object.name.empty()) location["name"] = object.name;
    locations.push_back(std::move(location));
    if (!finding.container.empty())
      locations.push_back({{"fullyQualifiedName", full + "/" + finding.container}, {"kind", "element"}, {"name", finding.container}});
    return locations;
  }

  Json json_of(const Finding& finding) const {
    Json location{{"physicalLocation", {{"artifactLocation", artifact(finding.file)}, {"region", region_of(finding.range)}}}};
    if (Json logical = logical_locations(finding); !logical.empty()) location["logicalLocations"] = std::move(logical);
    Json result{{"ruleId", finding.rule->id}};
    const auto rules = all_rules();
    if (const auto rule = std::find(rules.begin(), rules.end(), finding.rule); rule != rules.end()) result["ruleIndex"] = rule - rules.begin();
    result["level"] = level_of(finding.severity);
    result["message"] = text(finding.message);
    result["locations"] = Json::array({std::move(location)});
    if (!finding.fingerprint.empty()) result["partialFingerprints"] = {{"gpulint/v1", finding.fingerprint}};
    if (finding.suppressed) result["suppressions"] = Json::array({suppression_of(*finding.suppressed)});
    result["properties"] = {{"document", finding.document}, {"pointer", finding.pointer.text()}};
    if (!finding.rendered_by.empty()) result["properties"]["renderedBy"] = finding.rendered_by;
    return result;
  }

  static Json suppression_of(const Suppression& suppression) {
    Json json{{"kind", suppression.by == "annotation" ? "inSource" : "external"}};
    if (!suppression.reason.empty()) json["justification"] = suppression.reason;
    return json;
  }

  const Report& report_;
  const ReportOptions& options_;
  Output& out_;
};

}  // namespace

void write_sarif(const Report& report, const ReportOptions& options, Output& out) { Writer(report, options, out).write(); }

}  // namespace gpulint
