// Charts through the program: with stand-ins for helm that keep to its way of being called, and with the real one where it is to be had.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/helm.h"
#include "tests/support/render_place.h"

using namespace gpulint::testing;
using nlohmann::json;

namespace {

/// What helm makes of kTemplate.
const std::string kOutput =
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: release-name\nspec:\n  containers:\n    - name: main\n      image: example/train:1.0\n"
    "      resources:\n        requests:\n          nvidia.com/gpu: 1\n";
const std::string kRendered = "---\n# Source: app/templates/pod.yaml\n" + kOutput;

/// Every program by which real charts are rendered, each in a place of its own.
template <class Test>
void with_real_helm(Test test) {
  for (const auto& [name, helm] : helms()) {
    INFO(name);
    const Place place;
    place.link("helm", helm);
    test(place);
  }
}

}  // namespace

TEST_CASE("helm is called with the folder and the values, and its output is judged at the template") {
  const Place place;
  place.chart("app");
  write_file(place.here / "prod.yaml", "gpus: 1\n");
  place.install("helm", fmt::format("echo \"$@\" >> '{}'\ncat <<'END'\n{}END\n", place.here / "calls", kRendered));
  const json report = place.report({"app", "--values", "prod.yaml", "--values", "./prod.yaml"}, true);
  CHECK(read_file(place.here / "calls") == "template app --values prod.yaml --values ./prod.yaml\n");
  CHECK(found(report) == "app/templates/pod.yaml:11 gpu-request-without-limit\n");
  for (const json& finding : report["findings"]) {
    if (finding["severity"] != "error") continue;
    CHECK(finding["renderedBy"] == "helm template app --values prod.yaml --values ./prod.yaml");
    CHECK(finding["message"].get<std::string>().ends_with("(rendered by helm)"));
    CHECK_FALSE(finding.contains("fix"));
  }
  CHECK(report["summary"]["files"] == 2);
  CHECK(report["summary"]["podTemplates"] == 1);
  CHECK(report["summary"]["renderings"] == 1);
  CHECK(not_judged(report) == "");
  const Outcome text = place.lint({"app"});
  CHECK(text.out.find("= rendered: helm template app\n") != std::string::npos);
  CHECK(text.status == 1);
}

TEST_CASE("each set of values in the configuration is a rendering; what they share is said once") {
  const Place place;
  place.chart("app");
  place.chart("other");
  for (const char* name : {"a.yaml", "b.yaml"}) write_file(place.here / (std::string("values/") + name), "gpus: 1\n");
  write_file(place.here / ".gpulint.yaml", "render:\n  charts:\n    - {paths: [app], values: [values/a.yaml]}\n    - {paths: ['a*'], values: [values/a.yaml, values/b.yaml]}\n");
  place.install("helm", fmt::format("echo \"$@\" >> '{}'\ncat <<'END'\n{}END\n", place.here / "calls", kRendered));
  const json report = place.report({"--threads", "1"});
  CHECK(read_file(place.here / "calls") ==
        "template app --values values/a.yaml\ntemplate app --values values/a.yaml --values values/b.yaml\ntemplate other\n");
  CHECK(found(report) == "app/templates/pod.yaml:11 gpu-request-without-limit\nother/templates/pod.yaml:11 gpu-request-without-limit\n");
}

TEST_CASE("a program that fails, hangs, floods or is not there: said, not judged, and strict input fails") {
  struct Row { const char *script, *said; };
  for (const Row& row : {Row{"echo 'Error: image must be set' >&2; exit 1", "helm template: Error: image must be set"}, {"exit 7", "helm template: helm ended with status 7"},
                         {"sleep 60", "helm did not end within 1 s"}, {"kill -9 $$", "helm was ended by signal 9"}, {"yes", "helm writes more than 256 MiB"},
                         {"sleep 60 & exit 0", ""}}) {
    CAPTURE(row.script);
    const Place place;
    place.chart("app");
    write_file(place.here / ".gpulint.yaml", fmt::format("render: {{timeout: {}}}\n", row.script == std::string("sleep 60") ? 1 : 30));
    place.install("helm", row.script);
    const json report = place.report({});
    CHECK(not_judged(report) == (*row.said ? fmt::format("app: {}\n", row.said) : ""));
    CHECK_MESSAGE(found(report) == "", "the template's own text is not judged beside that");
    CHECK(place.lint({"--strict-input"}).status == (*row.said ? 2 : 0));
  }
  const Place place;
  place.chart("app");
  write_file(place.here / "k/kustomization.yaml", "resources: [pod.yaml]\n");
  write_file(place.here / "k/pod.yaml", kBad);
  const json report = place.report({}, false);
  CHECK(not_judged(report) == "app: helm is not installed\nk: neither kustomize nor kubectl is installed\n");
  CHECK(found(report) == "k/pod.yaml:9 gpu-request-without-limit\n");
  CHECK(not_judged(place.report({"--render", "never"}, false)) == "app/templates/pod.yaml: unrendered template\n");
}

TEST_CASE("values files that are not there are wrong input") {
  const Place place;
  place.chart("app");
  place.install("helm", "exit 1");
  const Outcome outcome = place.lint({"--values", "missing.yaml"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "gpulint: cannot read missing.yaml: No such file or directory\n");
}

TEST_CASE("nothing is run without a GPU word, for a library, or for the charts of a chart") {
  const Place place;
  place.install("helm", fmt::format("echo \"$@\" >> '{}'\n", place.here / "calls"));
  place.chart("plain", "a: {{ .Values.a }}\n");
  place.chart("library", kTemplate, "type: library\n");
  place.chart("app");
  place.chart("app/charts/sub");
  place.chart("excluded");
  const json report = place.report({"--exclude", "excluded", "--threads", "1"});
  CHECK(read_file(place.here / "calls") == "template app\n");
  CHECK(not_judged(report) == "");
  const Outcome outcome = place.lint({"--exclude", "excluded", "--show", "skipped"});
  for (const char* line : {"library/templates/: ", "app/templates/pod.yaml: ", "app/charts/sub/templates/pod.yaml: ", "excluded/: "})
    CHECK_MESSAGE(outcome.out.find(line) != std::string::npos, line, " is not told in ", outcome.out);
}

TEST_CASE("a hook names files: what they are a part of is rendered, once") {
  const Place place;
  place.chart("app");
  place.chart("app/charts/sub");
  write_file(place.here / "app/values-prod.yaml", "gpus: 1\n");
  write_file(place.here / "app/templates/deep/more.yaml", kTemplate);
  write_file(place.here / "templates/pod.yaml", kGood);
  place.install("helm", fmt::format("echo \"$@\" >> '{}'\ncat <<'END'\n{}END\n", place.here / "calls", kRendered));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"app/templates/pod.yaml"}, {"app/templates/deep/more.yaml", "app/templates/pod.yaml", "app/Chart.yaml"}, {"app/values-prod.yaml"},
           {"app/charts/sub/templates/pod.yaml"}, {"./app//templates/pod.yaml", "templates/pod.yaml"}}) {
    CAPTURE(words.front());
    CHECK(found(place.report(words)) == "app/templates/pod.yaml:11 gpu-request-without-limit\n");
    CHECK(read_file(place.here / "calls") == "template app\n");
    std::filesystem::remove(place.here / "calls");
  }
}

TEST_CASE("a folder of a chart: the chart is rendered, the findings are those of the folder") {
  const Place place;
  place.chart("app");
  place.chart("app/charts/sub");
  write_file(place.here / "app/templates/deep/more.yaml", kTemplate);
  std::string rendered;
  for (const char* name : {"templates/pod.yaml", "templates/deep/more.yaml", "charts/sub/templates/pod.yaml"})
    rendered += fmt::format("---\n# Source: app/{}\n{}", name, kOutput);
  place.install("helm", fmt::format("echo \"$@\" >> '{}'\ncat <<'END'\n{}END\n", place.here / "calls", rendered));
  const std::string rule = " gpu-request-without-limit\n", line = ":11" + rule;
  struct Row { const char *directory, *named, *call; std::string expected; };
  for (const Row& row : std::vector<Row>{
           {"", "app/templates", "app", "app/templates/deep/more.yaml" + line + "app/templates/pod.yaml" + line},
           {"", "app/templates/deep/", "app", "app/templates/deep/more.yaml" + line},
           {"", "app/charts/sub/templates", "app", "app/charts/sub/templates/pod.yaml" + line},
           {"app", "templates", ".", "templates/deep/more.yaml" + line + "templates/pod.yaml" + line},
           {"app/templates", ".", "..", "deep/more.yaml" + line + "pod.yaml" + line},
           {"app/templates", "pod.yaml", "..", "deep/more.yaml" + line + "pod.yaml" + line},
           {"app/templates/deep", "../../templates/deep", "../..", "../../templates/deep/more.yaml" + line},
           {"app/charts/sub/templates", ".", "../../..", "pod.yaml" + line},
       }) {
    CAPTURE(row.directory);
    CAPTURE(row.named);
    Command command;
    command.directory = place.here / row.directory;
    command.environment["PATH"] = place.programs + ":" + std::getenv("PATH");
    const json report = json::parse(program({"lint", "--output", "json", row.named}, std::move(command)).out);
    CHECK(found(report) == row.expected);
    CHECK(not_judged(report) == "");
    CHECK(read_file(place.here / "calls") == fmt::format("template {}\n", row.call));
    std::filesystem::remove(place.here / "calls");
  }
}

TEST_CASE("an interrupted run leaves no program running") {
  const Place place;
  place.chart("app");
  place.install("helm", fmt::format("sleep 100 & echo $! > '{}'; wait", place.here / "number"));
  const Outcome outcome = place.lint({}, true, {.interrupt_after = std::chrono::milliseconds(1500)});
  CHECK(outcome.status == 128 + SIGINT);
  const pid_t number = std::stoi(read_file(place.here / "number"));
  for (int i = 0; i < 500 && kill(number, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(kill(number, 0) != 0);
}

TEST_CASE("real charts: subcharts, values, helpers, failures") {
  with_real_helm([](const Place& place) {
    place.chart("app", "{{- if .Values.enabled }}\n" + kTemplate + "{{- end }}\n");
    place.chart("app/charts/sub");
    write_file(place.here / "app/values.yaml", "enabled: true\ngpus: 1\nsub: {gpus: 2}\n");
    place.chart("off", "{{- if .Values.enabled }}\n" + kTemplate + "{{- end }}\n");
    place.chart("fails", "{{ fail \"nvidia.com/gpu needs a number\" }}\n");
    place.chart("needs", kTemplate, "dependencies: [{name: absent, version: 1.0.0}]\n");
    const json report = place.report({});
    CHECK(found(report) == "app/charts/sub/templates/pod.yaml:11 gpu-request-without-limit\napp/templates/pod.yaml:12 gpu-request-without-limit\n");
    const std::string left = not_judged(report);
    CHECK(left.find("fails: helm template: Error: execution error at (fails/templates/pod.yaml:1:3): nvidia.com/gpu needs a number\n") != std::string::npos);
    CHECK(left.find("found in Chart.yaml, but missing in charts/ directory: absent\n") != std::string::npos);
    CHECK(std::count(left.begin(), left.end(), '\n') == 2);
  });
}

TEST_CASE("a subchart under an alias is the chart of its name") {
  const Place place;
  place.chart("app", "", "dependencies: [{name: sub, version: 0.1.0, alias: other}]\n");
  place.chart("app/charts/sub");
  place.install("helm", fmt::format("cat <<'END'\n---\n# Source: app/charts/other/templates/pod.yaml\n{}END\n", kOutput));
  CHECK(found(place.report({})) == "app/charts/sub/templates/pod.yaml:11 gpu-request-without-limit\n");
}

TEST_CASE("of a chart that cannot be rendered that alone is said") {
  const Place place;
  place.chart("app", kTemplate, "description: for nvidia.com/gpu\n");
  write_file(place.here / "app/values.schema.json", "{\"description\": \"nvidia.com/gpu\"}\n");
  place.install("helm", "echo 'Error: broken' >&2; exit 1");
  CHECK(not_judged(place.report({})) == "app: helm template: Error: broken\n");
}

TEST_CASE("what came from values is said at the values") {
  with_real_helm([](const Place& place) {
    place.chart("app", "kind: Pod\napiVersion: v1\nmetadata: {name: p}\nspec:\n  containers:\n    - name: main\n      image: example/train:1.0\n"
                       "      resources:\n        {{- toYaml .Values.resources | nindent 8 }}\n");
    write_file(place.here / "app/values.yaml", "resources:\n  requests:\n    nvidia.com/gpu: 1\n");
    CHECK(found(place.report({})) == "app/values.yaml:3 gpu-request-without-limit\n");
  });
}

TEST_CASE("our own chart has no findings") {
  with_real_helm([](const Place& place) {
    std::filesystem::copy("charts/gpulint", place.here / "chart", std::filesystem::copy_options::recursive);
    const json report = place.report({"chart", "--strict-input"});
    CHECK(found(report) == "");
    CHECK(not_judged(report) == "");
  });
}
