// Reports made by hand for the tests of report formats: all that a finding can be, and all that names and messages can do to a format.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/process.h"
#include "tests/support/sample_report.h"

namespace gpulint::testing {

/// A finding of a real rule, of which everything is known.
inline Finding known_finding(std::string_view rule, std::string file, std::uint32_t line) {
  Finding finding = finding_of(*find_rule(rule), find_rule(rule)->severity, "        requests: {nvidia.com/gpu: 1}", 36, 37);
  finding.file = std::move(file);
  finding.range = {{line, 36}, {line, 37}};
  finding.pointer = JsonPointer("/spec/containers/0/resources/requests/nvidia.com~1gpu");
  finding.object = {"apps/v1", "Deployment", "ml", "infer"};
  finding.container = "main";
  finding.fingerprint = "00000000000000" + std::to_string(10 + line % 90);
  return finding;
}

/// An error with a fix, a warning over several lines, an info, one suppressed in the manifest and one by the configuration; what was not judged and
/// not read, and files without a finding.
inline Report full_report() {
  Finding error = known_finding("gpu-request-without-limit", "a/b.yaml", 9);
  error.fix = Fix{"Add limits \"nvidia.com/gpu\": 1", Safety::safe, {add_op(JsonPointer("/spec/limits"), "1")}};
  Finding warning = known_finding("small-shared-memory", "a/b.yaml", 12);
  warning.severity = Severity::warning;
  warning.range.end = {14, 3};
  Finding info = known_finding("missing-runtime-class", "a/c.yaml", 3);
  info.severity = Severity::info;
  info.object = {};
  info.container.clear();
  info.document = 2;
  info.rendered_by = "helm template a";
  Finding in_source = known_finding("gpu-request-without-limit", "a/c.yaml", 20);
  in_source.suppressed = Suppression{"annotation", "a test rig"};
  Finding by_baseline = known_finding("small-shared-memory", "a/c.yaml", 30);
  by_baseline.suppressed = Suppression{"baseline", ""};
  Report report = report_of({error, warning, info, in_source, by_baseline});
  report.counts = {.files = 4, .documents = 6, .skipped_documents = 1, .pod_templates = 3, .gpu_requests = 2};
  report.not_judged = {{"a/c.yaml", 1, "not readable as YAML or JSON"}, {"t.yaml", 0, "unrendered template"}, {"t.yaml", 1, "unrendered template"}};
  report.counts.renderings = 1;
  report.passed_over = {{"vendor/", 0, "ignored by git"}};
  report.unreadable = {{"secret.yaml", 0, "Permission denied"}};
  report.files = {{"a/b.yaml", 1, 0}, {"a/c.yaml", 3, 1}, {"clean.yaml", 1, 1}, {"t.yaml", 2, 0}};
  return report;
}

/// Names and messages that would break a format that does not escape them: one finding for each.
inline Report hostile_report() {
  std::vector<Finding> findings;
  for (const char* text : {"quote \" and ' and `", "]]> </failure> <!-- & &amp;", "two\nlines\r\nand\rmore\ttab", "\x01\x1b[2J\x7f", "caf\xE9 \xC0\x80 \xED\xA0\x80",
                           "100% %0A ::error::x", "a,b:c;d", "値 🚀 \xEF\xBF\xBE \xE2\x80\xAE", "[a](b) {0} {{x}}"}) {
    Finding finding = known_finding("gpu-request-without-limit", std::string("dir with %/") + text + ".yaml", 1);
    finding.message = text;
    finding.object = {"v1", "Pod", text, text};
    finding.container = text;
    finding.excerpt = text;
    finding.fingerprint = "h" + std::to_string(findings.size());
    findings.push_back(finding);
  }
  Report report = report_of(std::move(findings));
  report.not_judged = {{"bad\nname\xff.yaml", 0, "reason with <&\"\x02"}};
  report.unreadable = {{"]]>", 0, "]]>\n"}};
  report.files = {{"clean \"&<.yaml", 1, 1}};
  return report;
}

inline ReportOptions all_shown() { return {.show_infos = true, .show_suppressed = true, .show_skipped = true}; }

/// Runs a validator on a text; empty when it finds no fault, else what it says.
inline std::string faults(std::vector<std::string> validator, const std::string& text) {
  const Outcome outcome = run({.words = std::move(validator), .input = text});
  return outcome.status == 0 ? std::string() : outcome.out + outcome.err + " (status " + std::to_string(outcome.status) + ")";
}

/// By the JSON Schema; `closed`: no key may be there that the schema does not name.
inline std::string json_faults(const std::string& schema, const std::string& text, bool closed = false) {
  std::vector<std::string> words{"/usr/bin/python3", "tests/support/validate_json.py", schema};
  if (closed) words.emplace_back("--closed");
  return faults(std::move(words), text);
}

/// By the XML Schema; an empty one: only that it is well-formed.
inline std::string xml_faults(const std::string& schema, const std::string& text) {
  std::vector<std::string> words{"xmllint", "--noout", "--nonet", "-"};
  if (!schema.empty()) words.insert(words.begin() + 1, {"--schema", schema});
  return faults(std::move(words), text);
}

}  // namespace gpulint::testing
