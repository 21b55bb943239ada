// Which files a kustomization stands for, and where in them an object that kustomize printed is written down.
#include "lint/kustomization.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>

#include "lint/object_sources.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"

using namespace gpulint;
using gpulint::testing::TemporaryFolder;
using gpulint::testing::write_file;

namespace {

template <class Names>
std::string below(const TemporaryFolder& folder, const Names& names) {
  std::string text;
  for (std::string name : names) {
    if (name.starts_with(folder.path())) name.replace(0, folder.path().size(), "$");
    text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

KustomizationParts parts_at(const TemporaryFolder& folder, const std::string& name) {
  const auto read = read_kustomization(folder / name, folder / (name + "/kustomization.yaml"));
  REQUIRE(read);
  return parts_of(*read);
}

}  // namespace

TEST_CASE("every field that names a file or a folder") {
  const TemporaryFolder folder;
  for (const char* name : {"r.yaml", "p.yaml", "s.yaml", "j.yaml", "g.yaml", "t.yaml", "c.yaml", "crd.yaml", "rep.yaml", "conf.json", "data.env", "secret.txt"})
    write_file(folder / (std::string("top/") + name), "x");
  write_file(folder / "base/kustomization.yml", "resources: [b.yaml]\n");
  write_file(folder / "base/b.yaml", "x");
  write_file(folder / "part/Kustomization", "kind: Component\npatches: [{path: q.yaml}]\n");
  write_file(folder / "part/q.yaml", "x");
  write_file(folder / "top/kustomization.yaml",
             "resources: [r.yaml, ../base/, 7, ../base]\ncomponents: [../part]\nbases: []\n"
             "patches: [{path: p.yaml, target: {kind: Deployment}}, {patch: '- op: remove'}]\n"
             "patchesStrategicMerge:\n- s.yaml\n- |-\n  kind: Deployment\n  metadata: {name: x}\npatchesJson6902: [{path: j.yaml, target: {}}]\n"
             "generators: [g.yaml]\ntransformers: [t.yaml]\nconfigurations: [c.yaml]\ncrds: [crd.yaml]\nreplacements: [{path: rep.yaml}, {source: {}}]\n"
             "configMapGenerator: [{name: c, files: [conf.json, named=../top/secret.txt], envs: [data.env]}]\n");
  const KustomizationParts parts = parts_at(folder, "top");
  CHECK(below(folder, parts.kustomizations) == "$/base/kustomization.yml $/part/Kustomization $/top/kustomization.yaml");
  CHECK(below(folder, parts.folders) == "$/base $/part");
  CHECK(below(folder, parts.resources) == "$/base/b.yaml $/top/r.yaml");
  CHECK(below(folder, parts.patches) == "$/part/q.yaml $/top/j.yaml $/top/p.yaml $/top/s.yaml");
  CHECK(below(folder, parts.other_files) == "$/top/c.yaml $/top/conf.json $/top/crd.yaml $/top/data.env $/top/g.yaml $/top/rep.yaml $/top/secret.txt $/top/t.yaml");
  CHECK_FALSE(parts.reaches_out);
  CHECK(read_kustomization(folder / "part", folder / "part/Kustomization")->is_component);
}

TEST_CASE("what is no kustomization, what reaches out, what goes round in circles") {
  const TemporaryFolder folder;
  struct Row { const char* text; bool read, reaches_out; };
  for (const Row& row : {Row{"resources: []\n", true, false}, {"", false, false}, {"# nothing\n", false, false}, {"- a\n", false, false}, {"a: [\n", false, false},
                         {"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n", false, false},
                         {"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", true, false},
                         {"resources: [https://example.com/x.yaml]\n", true, true}, {"resources: [missing.yaml]\n", true, true},
                         {"helmCharts: [{name: x}]\n", true, true}, {"resources: {not: a list}\npatches: 3\n", true, false}}) {
    CAPTURE(row.text);
    write_file(folder / "k/kustomization.yaml", row.text);
    const auto read = read_kustomization(folder / "k", folder / "k/kustomization.yaml");
    CHECK(read.has_value() == row.read);
    if (read) CHECK(parts_of(*read).reaches_out == row.reaches_out);
  }
  write_file(folder / "a/kustomization.yaml", "resources: [../b]\n");
  write_file(folder / "b/kustomization.yaml", "resources: [../a]\n");
  CHECK(below(folder, parts_at(folder, "a").folders) == "$/a $/b");
  CHECK_FALSE(read_kustomization(folder / "none", folder / "none/kustomization.yaml"));
}

TEST_CASE("a place in kustomize's output is found where it is written") {
  const TemporaryFolder folder;
  write_file(folder / "k/base.yaml",
             "kind: ConfigMap\nmetadata: {name: infer}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: infer\nspec:\n  containers:\n"
             "    - name: side\n      image: s\n    - name: main\n      image: m\n      gpus: 1\n");
  write_file(folder / "k/patch.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: infer}\nspec:\n  containers:\n    - name: main\n      gpus: 2\n      more: 3\n");
  write_file(folder / "k/operations.yaml",
             "- {op: test, path: /spec/paused, value: true}\n- {op: add, path: /spec/list/-, value: {deep: 5}}\n- {op: replace, path: /spec/replicas, value: 9}\n"
             "- {op: replace, path: /spec/replicas, value: 3}\n- {op: add, path: /metadata/labels/a~1b, value: yes}\n");
  write_file(folder / "k/other.yaml", "[{op: replace, path: /spec/strategy, value: x}]\n");
  write_file(folder / "k/any.yaml", "kind: Deployment\nmetadata: {name: any}\nspec: {any: 7, host: 8}\n");
  write_file(folder / "k/kustomization.yaml",
             "namePrefix: prod-\nresources: [base.yaml]\npatches: [{path: patch.yaml}, {path: operations.yaml, target: {kind: Deployment, name: infer}},\n"
             "  {path: other.yaml, target: {kind: Job}}, {path: any.yaml, target: {name: in.*}}, {target: {}, patch: '[{op: add, path: /spec/inline, value: 6}]'}]\n");
  const ObjectSources sources(parts_at(folder, "k"));
  const Source output("output", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: prod-infer}\nspec:\n  containers:\n    - {name: main, image: m, gpus: 2, more: 3, added: 4}\n"
                                "    - {name: side, image: s}\n    - {name: new, image: n}\n    - {name: main, image: changed}\n"
                                "  paused: true\n  list: [{deep: 4}, {deep: 5}]\n  replicas: 3\n  strategy: x\n  any: 7\n  host: 9\n  inline: 6\n");
  const Documents documents = read_manifest(output, {});
  struct Row { const char *pointer, *expected; };
  for (const Row& row : {Row{"/spec/containers/0/gpus", "patch.yaml 0 /spec/containers/0/gpus 7:13"}, {"/spec/containers/0/image", "base.yaml 1 /spec/containers/1/image 13:14"},
                         {"/spec/containers/1/image", "base.yaml 1 /spec/containers/0/image 11:14"}, {"/spec/containers/0/more", "patch.yaml 0 /spec/containers/0/more 8:13"},
                         {"/spec", "base.yaml 1 /spec 8:1"}, {"/spec/containers/0/added", ""}, {"/spec/containers/2/image", ""}, {"/nowhere", ""},
                         {"/spec/containers/3/image", ""}, {"/spec/paused", ""}, {"/spec/list/1/deep", "operations.yaml 0 /1/value/deep 2:47"}, {"/spec/list/0/deep", ""},
                         {"/spec/replicas", "operations.yaml 0 /3/value 4:46"}, {"/spec/strategy", ""}, {"/spec/any", "any.yaml 0 /spec/any 3:13"}, {"/spec/host", ""},
                         {"/spec/inline", "in kustomization.yaml"}}) {
    CAPTURE(row.pointer);
    Finding finding;
    finding.pointer = JsonPointer(row.pointer);
    const bool found = sources.place(*documents.list[0].root, finding);
    const std::string file = finding.file.empty() ? "" : std::filesystem::path(finding.file).filename().string();
    const std::string unplaced = file.empty() ? "" : "in " + file;
    CHECK((found ? fmt::format("{} {} {} {}:{}", file, finding.document, finding.pointer.text(), finding.range.start.line, finding.range.start.column) : unplaced) == row.expected);
  }
}
