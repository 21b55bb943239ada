// What `gpulint lint` tells beside its report when asked: the evidence for each object's cluster, and where the time went.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "rules/engine/engine.h"
#include "rules/engine/preset_table.h"
#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;

namespace {

/// A pod with one GPU and more lines in its metadata and its spec.
std::string pod(std::string_view metadata, std::string_view spec) {
  return fmt::format("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n{}spec:\n{}  containers:\n  - {{name: m, image: x, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}\n",
                     metadata, spec);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("--explain-cluster tells what each object shows, and where") {
  struct Row {
    std::string metadata, spec, told;
  };
  const std::vector<Row> rows{
      {"", "  nodeSelector:\n    cloud.google.com/gke-accelerator: nvidia-l4\n", "7:39: this object shows gke: key cloud.google.com/gke-accelerator"},
      {"  labels:\n    eks.amazonaws.com/nodegroup: g\n", "", "6:34: this object shows eks: key eks.amazonaws.com/nodegroup"},
      {"", "  tolerations:\n  - key: kubernetes.azure.com/scalesetpriority\n", "7:10: this object shows aks: key kubernetes.azure.com/scalesetpriority"},
      {"", "  schedulerName: kai-scheduler\n", "6:18: this object shows kai: schedulerName kai-scheduler"},
      {"", "  resourceClaims:\n  - {name: gpu, resourceClaimTemplateName: t}\n", "6:3: this object shows dra: resourceClaims of the pod"},
      {"  annotations:\n    nvidia.com/use-gpuuuid: GPU-1\n", "", "6:29: this object shows hami: key nvidia.com/use-gpuuuid"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.told);
    const Outcome outcome = program({"-", "--explain-cluster", "--output", "json"}, {.input = pod(row.metadata, row.spec)});
    CHECK(outcome.err == "<standard input>:" + row.told + "\n");
    CHECK(nlohmann::json::accept(outcome.out));
  }
}

TEST_CASE("--explain-cluster: in the order of the files, the same from any number of threads, and nothing is said too") {
  const Workplace place;
  write_file(place.folder / "k.yaml", pod("", "  schedulerName: kai-scheduler\n") + "---\n" + pod("", "  nodeSelector: {eks.amazonaws.com/nodegroup: g}\n"));
  write_file(place.folder / "a.yaml", pod("", "  nodeSelector: {eks.amazonaws.com/nodegroup: g}\n"));
  const std::string told =
      "a.yaml:6:47: this object shows eks: key eks.amazonaws.com/nodegroup\n"
      "k.yaml:6:18: this object shows kai: schedulerName kai-scheduler\n"
      "k.yaml:15:47: this object shows eks: key eks.amazonaws.com/nodegroup\n";
  for (const char* threads : {"1", "4"}) CHECK(place.program({".", "--explain-cluster", "--threads", threads}).err == told);
  // A named platform is not narrowed by what objects show; add-ons are.
  CHECK(place.program({"k.yaml", "--explain-cluster", "--cluster", "gke"}).err == "k.yaml:6:18: this object shows kai: schedulerName kai-scheduler\n");
  CHECK(place.program({"bad.yaml", "--explain-cluster", "--cluster", "k3s"}).err == "No object shows more of its cluster; all were judged as for k3s.\n");
  CHECK(place.program({"k.yaml"}).err == "");
}

TEST_CASE("--profile-rules: a table on standard error, the longest first, of everything that ran") {
  const Workplace place;
  const Outcome plain = place.program({"bad.yaml", "good.yaml", "--output", "json"});
  const Outcome outcome = place.program({"bad.yaml", "good.yaml", "--output", "json", "--profile-rules", "--threads", "2"});
  CHECK(outcome.out == plain.out);
  CHECK(outcome.status == plain.status);
  const std::vector<std::string> lines = lines_of(outcome.err);
  REQUIRE(lines.size() > 10);
  CHECK(lines[0].find("rule or step") != std::string::npos);
  double before = 1e9, shares = 0;
  std::map<std::string, int> calls;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    std::istringstream words(lines[i]);
    double time = -1, share = -1;
    int count = 0;
    std::string name;
    char percent = 0;
    REQUIRE((words >> time >> share >> percent >> count >> name));
    CHECK(time <= before);
    before = time;
    shares += share;
    calls[name] = count;
    CHECK((name[0] == '(' || gpulint::find_rule(name)));
  }
  CHECK(shares > 95);
  CHECK(shares < 105);
  CHECK(calls["(reading)"] == 2);                  // files
  CHECK(calls["gpu-request-without-limit"] == 1);  // objects that are judged
  CHECK(calls.count("unknown-rule") == 0);         // raised by the engine, not run
  CHECK(calls.count("autopilot-rejects-pod") == 0);  // not on this cluster
}

TEST_CASE("explain and the catalogue show what each preset means for the runtime class, and only there") {
  const std::string explained = program({"explain", "missing-runtime-class"}).out, catalogue = program({"rules", "--output", "markdown"}).out;
  for (const std::string& line : lines_of(gpulint::preset_table())) CHECK_MESSAGE(explained.find("    " + line + "\n") != std::string::npos, line);
  const std::string table = gpulint::preset_table_markdown();
  CHECK(catalogue.find(table) > catalogue.find("### missing-runtime-class"));
  CHECK(catalogue.find(table) < catalogue.find("### misspelled-field"));
  CHECK(catalogue.find(table) == catalogue.rfind(table));
  for (const gpulint::Preset& preset : gpulint::presets()) CHECK(table.find(fmt::format("| {} | ", preset.name)) != std::string::npos);
  for (const char* row : {"| k3s | yes | nvidia, nvidia-experimental | NVIDIA_VISIBLE_DEVICES |", "| gke | no | none | the platform's plugin |",
                          "| generic | depends | not known | not known |", "| generic+dra | no | not known | not known |",
                          "| gpu-operator | no | nvidia, nvidia-cdi, nvidia-legacy | CDI |"})
    CHECK_MESSAGE(table.find(row) != std::string::npos, row);
  CHECK(program({"explain", "zero-gpu-limit"}).out.find("On which cluster") == std::string::npos);
}
