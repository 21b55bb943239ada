#include <nlohmann/json.hpp>

#include "gpulint_version.h"
#include "lint/report.h"
#include "rules/engine/patch.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

std::string dump(const Json& json) {
  // Names of files need not be UTF-8; a report always is.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(Position position) { return {{"line", position.line}, {"column", position.column}}; }

void add_known(Json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

Json json_of(const ObjectRef& reference) {
  Json object = Json::object();
  add_known(object, "apiVersion", reference.api_version);
  add_known(object, "kind", reference.kind);
  add_known(object, "namespace", reference.name_space);
  add_known(object, "name", reference.name);
  return object;
}

Json json_of(const Fix& fix) {
  return {{"title", fix.title}, {"safety", name_of(fix.safety)}, {"patch", Json::parse(patch_text(fix.ops), nullptr, false)}};
}

Json json_of(const Finding& finding) {
  Json object{{"rule", finding.rule->id},        {"severity", name_of(finding.severity)}, {"message", finding.message}, {"file", finding.file},
              {"document", finding.document},    {"pointer", finding.pointer.text()},
              {"range", {{"start", json_of(finding.range.start)}, {"end", json_of(finding.range.end)}}}};
  if (Json reference = json_of(finding.object); !reference.empty()) object["object"] = std::move(reference);
  add_known(object, "container", finding.container);
  add_known(object, "renderedBy", finding.rendered_by);
  if (finding.fix) object["fix"] = json_of(*finding.fix);
  add_known(object, "fingerprint", finding.fingerprint);
  if (finding.suppressed) {
    object["suppressed"] = {{"by", finding.suppressed->by}};
    add_known(object["suppressed"], "reason", finding.suppressed->reason);
  }
  return object;
}

Json summary_of(const Report& report) {
  const Counts& counts = report.counts;
  Json undecided = Json::object(), not_judged = Json::array();
  for (const auto& [rule, objects] : report.undecided) undecided[rule] = objects;
  for (const NotJudged& entry : report.unreadable) not_judged.push_back({{"file", entry.file}, {"reason", "cannot be read: " + entry.reason}});
  for (const NotJudged& entry : report.not_judged) not_judged.push_back({{"file", entry.file}, {"reason", entry.reason}});
  Json summary{{"files", counts.files},       {"documents", counts.documents}, {"podTemplates", counts.pod_templates}, {"gpuRequests", counts.gpu_requests},
          {"errors", report.errors},     {"warnings", report.warnings},   {"infos", report.infos},                {"suppressed", report.suppressed},
          {"undecided", std::move(undecided)}, {"notJudged", std::move(not_judged)}};
  if (counts.renderings > 0) summary["renderings"] = counts.renderings;
  for (const NotJudged& entry : report.passed_over) summary["passedOver"].push_back({{"file", entry.file}, {"reason", entry.reason}});
  return summary;
}

}  // namespace

// One finding a line: readable, and a comparison of two reports shows findings. Written as it goes, so that a report of many findings is never a
// second time in memory.
void write_json(const Report& report, const ReportOptions&, Output& out) {
  out.write(R"({"schemaVersion": )" + std::to_string(kSchemaVersion) + R"(, "version": )" + dump(kVersion) + ",\n \"findings\": [");
  const char* separator = "\n  ";
  for (const Finding& finding : report.findings) {
    out.write(separator);
    out.write(dump(json_of(finding)));
    separator = ",\n  ";
  }
  out.write("],\n \"summary\": " + dump(summary_of(report)) + "}\n");
}

}  // namespace gpulint
