// The engine around the rules: what becomes a finding, where it points, what is counted, what is not judged.
#include "rules/engine/engine.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "rules/engine/context.h"

namespace gpulint {
namespace {

/// A Deployment with one container; `limits` and `more` (lines of the container) as given.
std::string deployment(std::string_view name, std::string_view limits, std::string_view more = "") {
  return fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {}\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n        - name: main\n"
      "          image: example.com/app:1\n          resources:\n            limits: {{{}}}\n{}",
      name, limits, more);
}

/// A pod that asks for a GPU without a limit: one error whatever the cluster.
std::string bad_pod(std::string_view name, std::string_view container = "main") {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\nspec:\n  containers:\n    - name: {}\n      resources: {{requests: {{nvidia.com/gpu: 1}}}}\n",
      name, container);
}

FileReport judged(std::string text, const Policy& policy = Policy()) { return inspect(Source("a.yaml", std::move(text)), policy); }

/// Findings of one rule, or of all: `line:column-line:column severity rule pointer`.
std::string listed(const FileReport& report, std::string_view rule = {}) {
  std::string out;
  for (const Finding& f : report.findings)
    if (rule.empty() || f.rule->id == rule)
      out += fmt::format("{}:{}-{}:{} {} {} {}\n", f.range.start.line, f.range.start.column, f.range.end.line, f.range.end.column,
                         name_of(f.severity), f.rule->id, f.pointer.text());
  return out;
}

std::string listed(const std::vector<NotJudged>& list) {
  std::string out;
  for (const NotJudged& entry : list) out += fmt::format("{}#{}: {}\n", entry.file, entry.document, entry.reason);
  return out;
}

const Finding& only(const FileReport& report, std::string_view rule) {
  const auto is_it = [&](const Finding& f) { return f.rule->id == rule; };
  REQUIRE(std::count_if(report.findings.begin(), report.findings.end(), is_it) == 1);
  return *std::find_if(report.findings.begin(), report.findings.end(), is_it);
}

TEST_CASE("the registry lists every rule once, by id") {
  const auto rules = all_rules();
  REQUIRE(rules.size() >= 7);
  CHECK(std::is_sorted(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; }));
  for (const Rule* rule : rules) {
    CAPTURE(rule->id);
    CHECK(find_rule(rule->id) == rule);
    CHECK(rule->id.size() <= 63);  // an annotation's name part
    const Check& check = rule->check;
    CHECK((check.scope == Scope::container) == (check.container != nullptr));
    CHECK((check.scope == Scope::pod_template) == (check.pod_template != nullptr));
    CHECK((check.scope == Scope::object) == (check.object != nullptr));
    CHECK((check.scope == Scope::document) == (check.document != nullptr));
  }
  CHECK(find_rule("") == nullptr);
  CHECK(find_rule("zzz") == nullptr);
}

TEST_CASE("a finding says where, of which object and which container") {
  const FileReport report = judged("# a comment\n---\n" + bad_pod("p"));
  const Finding& finding = only(report, "gpu-request-without-limit");
  CHECK(finding.file == "a.yaml");
  CHECK(finding.severity == Severity::error);
  CHECK(finding.object.api_version == "v1");
  CHECK(finding.object.kind == "Pod");
  CHECK(finding.object.name == "p");
  CHECK(finding.container == "main");
  CHECK(finding.message.find("main") != std::string::npos);
  CHECK(finding.range.start.line > 2);
  CHECK(finding.excerpt == std::string(Source("", "# a comment\n---\n" + bad_pod("p")).line(finding.range.start.line)));
  CHECK(finding.fingerprint.size() == 16);
  CHECK_FALSE(finding.suppressed);
}

TEST_CASE("what a range covers") {
  struct Row {
    std::string_view text, pointer;
    Position start, end;
  };
  constexpr Row kRows[] = {
      {"a: {b: 1}\n", "/a", {1, 1}, {1, 2}},                 // a mapping: its key
      {"a:\n  - x\n", "/a", {1, 1}, {1, 2}},                 // a list: its key
      {"a: xyz\n", "/a", {1, 4}, {1, 7}},                    // a scalar: its value
      {"a: \"x\"\n", "/a", {1, 4}, {1, 7}},                  // quotes included
      {"a:\nb: 1\n", "/a", {1, 1}, {1, 2}},                  // an empty value: its key
      {"a:\n  - b: 1\n    c: 2\n", "/a/0", {2, 5}, {2, 9}},  // an element: its first line
      {"a: [{b: 1}]\n", "/a/0", {1, 5}, {1, 11}},
      {"a: |\n  one\n  two\n", "/a", {1, 4}, {1, 5}},        // a block scalar: its indicator
      {"a: 1\nb: 2\n", "", {1, 1}, {1, 5}},                  // the document: its first line
      {"ä: {ö: 'ü'}\n", "/ä/ö", {1, 8}, {1, 11}},            // columns count code points
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    CAPTURE(row.pointer);
    const Source source("a.yaml", std::string(row.text));
    const Documents documents = read_yaml(source, {});
    REQUIRE(documents.list.at(0).root);
    const Node* node = JsonPointer(std::string(row.pointer)).resolve(*documents.list[0].root);
    REQUIRE(node);
    const Range range = range_of(source, *node);
    CHECK(fmt::format("{}:{}-{}:{}", range.start.line, range.start.column, range.end.line, range.end.column) ==
          fmt::format("{}:{}-{}:{}", row.start.line, row.start.column, row.end.line, row.end.column));
  }
}

TEST_CASE("counts") {
  const FileReport report = judged(bad_pod("a") + "---\n# empty\n---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n---\n" +
                                   deployment("d", "nvidia.com/gpu: 2, amd.com/gpu: 1"));
  CHECK(report.counts.files == 1);
  CHECK(report.counts.documents == 3);
  CHECK(report.counts.skipped_documents == 1);
  CHECK(report.counts.pod_templates == 2);
  CHECK(report.counts.gpu_requests == 3);
  CHECK(only(report, "gpu-request-without-limit").document == 0);

  Counts sum;
  sum += report.counts;
  sum += report.counts;
  CHECK(sum.files == 2);
  CHECK(sum.documents == 6);
  CHECK(sum.skipped_documents == 2);
  CHECK(sum.pod_templates == 4);
  CHECK(sum.gpu_requests == 6);
}

TEST_CASE("what is not judged is said, with the reason") {
  struct Row {
    std::string_view what, text, not_judged, findings;
  };
  constexpr Row kRows[] = {
      {"a fragment with a GPU word", "env:\n  - nvidia.com/gpu\n", "a.yaml#0: no Kubernetes object or chart values\n", ""},
      {"a fragment without one", "env:\n  - x\n", "", ""},
      {"a tab", "limits:\n\tnvidia.com/gpu: 1\n", "a.yaml#0: not readable as YAML or JSON\n", "2:1-2:2 error invalid-manifest \n"},
      {"a broken document without a GPU word", "limits:\n\tcpu: 1\n", "", ""},
      {"templates, said once", "x: {{ .Values.a }} # nvidia.com/gpu\n---\ny: {{ .Values.b }} # nvidia.com/gpu\n",
       "a.yaml#0: unrendered template\na.yaml#1: unrendered template\n", "1:4-1:19 info unrendered-template \n"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.what);
    const FileReport report = judged(std::string(row.text));
    CHECK(listed(report.not_judged) == row.not_judged);
    CHECK(listed(report) == row.findings);
  }
}

TEST_CASE("a broken document spoils no other") {
  const FileReport report = judged(bad_pod("a") + "---\nx: [nvidia.com/gpu\n---\n" + bad_pod("b"));
  std::vector<std::string> found;
  for (const Finding& f : report.findings)
    if (f.severity == Severity::error) found.push_back(fmt::format("{} {}", f.document, f.rule->id));
  CHECK(found == std::vector<std::string>{"0 gpu-request-without-limit", "1 invalid-manifest", "2 gpu-request-without-limit"});
}

TEST_CASE("the reader's advice is part of the message") {
  const FileReport report = judged("limits:\n\tnvidia.com/gpu: 1\n");
  CHECK(only(report, "invalid-manifest").message == "a tab is used for indentation; use spaces");
}

TEST_CASE("wrong types of built-in kinds") {
  const FileReport report = judged(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: two\n"
      "  template: {spec: {containers: [{name: m, resources: {limits: [nvidia.com/gpu]}}]}}\n");
  std::string messages;
  for (const Finding& f : report.findings)
    if (f.rule->id == "invalid-manifest") messages += f.message + "\n";
  CHECK(messages ==
        "spec.replicas must be an integer, not a string (\"two\")\n"
        "spec.template.spec.containers[0].resources.limits must be a mapping, not a list\n");
  CHECK(listed(judged("apiVersion: example.com/v1\nkind: Odd\nspec: {replicas: two, x: nvidia.com/gpu}\n"), "invalid-manifest").empty());
}

TEST_CASE("an undecided rule is counted once an object") {
  const std::string twice = deployment("d", "nvidia.com/gpu: 1") + "        - name: other\n          resources: {limits: {nvidia.com/gpu: 1}}\n";
  const FileReport report = judged(twice + "---\n" + deployment("e", "nvidia.com/gpu: 1"));
  CHECK(report.undecided.at("missing-runtime-class") == 2);
  Policy k3s;
  std::string error;
  k3s.cluster = *Cluster::parse("k3s", error);
  CHECK(judged(twice, k3s).undecided.count("missing-runtime-class") == 0);
  CHECK(only(judged(deployment("e", "nvidia.com/gpu: 1"), k3s), "missing-runtime-class").severity == Severity::error);
}

TEST_CASE("the cluster is narrowed by the evidence of each object") {
  const std::string on_gke = deployment("d", "nvidia.com/gpu: 1", "      nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}\n");
  const std::string text = on_gke + "---\n" + deployment("e", "nvidia.com/gpu: 1");
  CHECK(judged(text).undecided.at("missing-runtime-class") == 1);
}

TEST_CASE("a configured severity replaces that of all findings of the rule; off finds nothing") {
  Policy policy;
  policy.rules["gpu-request-without-limit"].severity = Severity::info;
  CHECK(only(judged(bad_pod("p"), policy), "gpu-request-without-limit").severity == Severity::info);
  policy.rules["gpu-request-without-limit"].off = true;
  CHECK(listed(judged(bad_pod("p"), policy), "gpu-request-without-limit").empty());
  policy.rules["invalid-manifest"].off = true;
  const FileReport broken = judged("limits:\n\tnvidia.com/gpu: 1\n", policy);
  CHECK(broken.findings.empty());
  CHECK(broken.not_judged.size() == 1);
}

TEST_CASE("of a very long line a finding keeps what stands around its place") {
  const FileReport report = judged(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "annotations": {"x": ")" + std::string(5000, 'x') +
                                   R"("}}, "spec": {"containers": [{"name": "main", "resources": {"requests": {"nvidia.com/gpu": 1}}}]}})");
  const Finding& finding = only(report, "gpu-request-without-limit");
  CHECK(finding.range.start.column > 5000);
  CHECK(finding.excerpt.size() < 1000);
  CHECK(finding.excerpt.find(R"("nvidia.com/gpu": 1)") == finding.range.start.column - finding.excerpt_column - std::string(R"("nvidia.com/gpu": )").size());
}

TEST_CASE("parameters: the configured value, else the default") {
  static constexpr Parameter kParameters[] = {
      {"names", Parameter::Type::strings, "", "[a, 'b c' , \"d\"]"}, {"plain", Parameter::Type::strings, "", "a, b"}, {"none", Parameter::Type::strings, "", ""},
      {"strict", Parameter::Type::boolean, "", "true"},              {"most", Parameter::Type::integer, "", "16"},
  };
  Rule rule;
  rule.id = "x";
  rule.parameters = kParameters;
  Policy policy;
  FileReport report;
  const Source source("a.yaml", "");
  const Document document;
  const Context context(rule, policy, policy.cluster, source, document, nullptr, report);
  using Texts = std::vector<std::string>;
  CHECK(context.strings("names") == Texts{"a", "b c", "d"});
  CHECK(context.strings("plain") == Texts{"a", "b"});
  CHECK(context.strings("none").empty());
  CHECK(context.strings("unknown").empty());
  CHECK(context.flag("strict"));
  CHECK(context.integer("most") == 16);
  policy.rules["x"].parameters = {{"names", {}}, {"strict", {"false"}}, {"most", {"-2"}}, {"plain", {"z"}}};
  CHECK(context.strings("names").empty());
  CHECK(context.strings("plain") == Texts{"z"});
  CHECK_FALSE(context.flag("strict"));
  CHECK(context.integer("most") == -2);
}

TEST_CASE("JSON text of strings") {
  CHECK(json_string("a\"b\\c\n\t\r\x01ü") == "\"a\\\"b\\\\c\\n\\t\\r\\u0001ü\"");
}

TEST_CASE("inputs that mean nothing are no findings and no faults") {
  for (const char* text : {"", "\n", "---\n---\n", "nvidia.com/gpu", "- nvidia.com/gpu\n", "null # nvidia.com/gpu",
                           "kind: List\napiVersion: v1\nitems: [nvidia.com/gpu, 1, []]\n",
                           "kind: [nvidia.com/gpu]\napiVersion: {}\n", "apiVersion: v1\nkind: Pod\nspec: nvidia.com/gpu\n",
                           "apiVersion: v1\nkind: Pod\nmetadata: {annotations: [nvidia.com/gpu]}\nspec: {containers: [[], null, 1, {}]}\n"}) {
    CAPTURE(text);
    const FileReport report = judged(text);
    CHECK(listed(report, "gpu-request-without-limit").empty());
  }
}

TEST_CASE("inspect may run in several threads with one policy") {
  const Policy policy;
  const std::string text = bad_pod("p") + "---\n" + deployment("d", "nvidia.com/gpu: 1");
  const std::string expected = listed(judged(text, policy));
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& slot : found)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) slot = listed(judged(text, policy));
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& slot : found) CHECK(slot == expected);
}

}  // namespace
}  // namespace gpulint
