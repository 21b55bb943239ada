// Where a line of helm's output stands in the template.
#include "lint/template_place.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

using namespace gpulint;

namespace {

/// `line:column-column|excerpt`, `=` in front where the template has the line as it is; `none`.
std::string placed(const std::string& output, const std::string& wanted, const std::string& source) {
  const std::size_t at = output.find(wanted);
  REQUIRE(at != std::string::npos);
  const auto line = static_cast<std::uint32_t>(std::count(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const auto column = static_cast<std::uint32_t>(at - (output.rfind('\n', at) == std::string::npos ? 0 : output.rfind('\n', at) + 1));
  const Range range{{line + 1, column + 1}, {line + 1, column + 1 + static_cast<std::uint32_t>(wanted.size())}};
  const auto place = place_in_template(KeyedLines(output), range, KeyedLines(source));
  if (!place) return "none";
  return fmt::format("{}{}:{}-{}|{}", place->same_text ? "=" : "", place->range.start.line, place->range.start.column, place->range.end.column, place->excerpt);
}

const std::string kOutput =
    "---\n"
    "apiVersion: apps/v1\n"
    "kind: Deployment\n"
    "metadata:\n"
    "  name: release-name-train\n"
    "spec:\n"
    "  template:\n"
    "    spec:\n"
    "      containers:\n"
    "      - name: main\n"
    "        image: example/train:1.0\n"
    "        args:\n"
    "          - --gpus=all\n"
    "        resources:\n"
    "          limits:\n"
    "            nvidia.com/gpu: 1\n"
    "      - name: side\n"
    "        image: example/side:2.0\n"
    "        resources:\n"
    "          limits:\n"
    "            nvidia.com/gpu: 2\n";

}  // namespace

TEST_CASE("the same line, another value, another indentation") {
  const std::string source =
      "{{- if .Values.enabled }}\n"
      "apiVersion: apps/v1\n"
      "kind: Deployment\n"
      "metadata:\n"
      "  name: {{ .Release.Name }}-train\n"
      "spec:\n"
      "  template:\n"
      "    spec:\n"
      "      containers:\n"
      "        {{- if true }}\n"
      "        - name: main\n"
      "          image: {{ .Values.image }}\n"
      "          args:\n"
      "            - --gpus=all\n"
      "          resources:\n"
      "            {{- toYaml .Values.resources | nindent 12 }}\n"
      "        {{- end }}\n"
      "        - name: side\n"
      "          image: example/side:2.0\n"
      "          resources:\n"
      "            limits:\n"
      "              nvidia.com/gpu: {{ .Values.gpus }}\n"
      "{{- end }}\n";
  struct Row { const char *wanted, *expected; };
  for (const Row& row : {Row{"name: main", "=11:11-21|        - name: main"},
                         {"name: side", "=18:11-21|        - name: side"},
                         {"release-name-train", "5:3-7|  name: {{ .Release.Name }}-train"},
                         {"example/train:1.0", "12:11-16|          image: {{ .Values.image }}"},
                         {"example/side:2.0", "=19:18-34|          image: example/side:2.0"},
                         {"--gpus=all", "=14:15-25|            - --gpus=all"},
                         {"nvidia.com/gpu: 1", "15:11-20|          resources:"},
                         {"nvidia.com/gpu: 2", "22:15-29|              nvidia.com/gpu: {{ .Values.gpus }}"},
                         {"containers", "=9:7-17|      containers:"}}) {
    CAPTURE(row.wanted);
    CHECK(placed(kOutput, row.wanted, source) == row.expected);
  }
}

TEST_CASE("lines that a template does not have go to what they lie under, and not to a namesake") {
  struct Row { const char *what, *source, *wanted, *expected; };
  for (const Row& row : {
           Row{"nothing in common", "{{ include \"all\" . }}\n", "nvidia.com/gpu: 1", "none"},
           {"the outermost key alone", "kind: Deployment\nspec:\n  {{- include \"spec\" . | nindent 2 }}\n", "nvidia.com/gpu: 1", "2:1-5|spec:"},
           {"one of two containers is written down",
            "spec:\n  template:\n    spec:\n      containers:\n        {{- toYaml .Values.more | nindent 8 }}\n        - name: side\n          image: example/side:2.0\n"
            "          resources:\n            limits: {nvidia.com/gpu: 2}\n",
            "nvidia.com/gpu: 1", "4:7-17|      containers:"},
           {"a loop over containers",
            "spec:\n  template:\n    spec:\n      containers:\n        {{- range .Values.all }}\n        - name: {{ .name }}\n          image: {{ .image }}\n          resources:\n"
            "            limits:\n              nvidia.com/gpu: {{ .gpus }}\n        {{- end }}\n",
            "nvidia.com/gpu: 2", "10:15-29|              nvidia.com/gpu: {{ .gpus }}"},
           {"a comment is no key", "# spec:\nmetadata:\n  name: {{ .Values.name }}\nspec: {{ .Values.spec }}\n", "containers", "4:1-5|spec: {{ .Values.spec }}"},
           {"quoted keys", "\"spec\":\n  'template':\n", "template", "none"},
       }) {
    CAPTURE(row.what);
    CHECK(placed(kOutput, row.wanted, row.source) == row.expected);
  }
}

TEST_CASE("branches and loops: a line that was not printed is no place") {
  const std::string pod = "kind: Pod\nmetadata:\n  name: two\nspec:\n  containers:\n  - name: t\n    args: [--gpus, all]\n    limits:\n      gpus: 1\n";
  const std::string one = "kind: Pod\nmetadata:\n  name: one\nspec:\n  containers:\n  - name: t\n    args: [--gpus, all]\n    limits:\n      gpus: 1\n";
  const std::string none = "kind: Pod\nspec:\n  gpus: 1\n";
  struct Row { std::string what, output, source, wanted, expected; };
  for (const Row& row : std::vector<Row>{
           {"two branches, objects of other names", "---\n" + pod, "{{ if .off }}\n" + one + "{{ else }}\n" + pod + "{{ end }}\n", "args", "=18:5-9|    args: [--gpus, all]"},
           {"the name decides, also when both have a separator", "---\n" + pod, "{{ if .off }}\n" + one + "---\n{{ end }}\n" + pod, "limits", "=20:5-11|    limits:"},
           {"two branches of one name", "---\n" + none, "{{ if .off }}\n" + none + "{{ else }}\n" + none + "{{ end }}\n", "gpus", "none"},
           {"a branch within an object: the key around both", "---\n" + none, "kind: Pod\nspec:\n  {{- if .off }}\n  gpus: 1\n  {{- else }}\n  gpus: {{ .gpus }}\n  {{- end }}\n", "gpus", "2:1-5|spec:"},
           {"a branch that cannot print the line", "---\n" + none, "kind: Pod\nspec:\n  {{- if .off }}\n  gpus: 2\n  {{- else }}\n  gpus: {{ .gpus }}\n  {{- end }}\n", "gpus", "6:3-7|  gpus: {{ .gpus }}"},
           {"one dead line only", "---\n" + none, "kind: Pod\nspec:\n  {{- if .off }}\n  gpus: 2\n  {{- end }}\n  {{- toYaml .spec | nindent 2 }}\n", "gpus", "2:1-5|spec:"},
           {"as many lines, of which one was left out and one repeated", "spec:\n- name: a\n- name: b\n- name: c\n",
            "spec:\n{{ if .off }}\n- name: {{ .x }}\n{{ end }}\n- name: a\n{{ range .all }}\n- name: {{ . }}\n{{ end }}\n", "name: b", "1:1-5|spec:"},
           {"a line that is always printed", "spec:\n- name: a\n- name: b\n", "spec:\n- name: a\n{{ range .all }}\n- name: {{ . }}\n{{ end }}\n", "name: a", "=2:3-10|- name: a"},
           {"a loop", "args:\n- run\n- --gpus\n- all\n", "args:\n- run\n{{- range .all }}\n- {{ . }}\n{{- end }}\n", "--gpus", "4:1-10|- {{ . }}"},
           {"all in one branch", "spec:\n- name: a\n- name: a\n", "{{ if .on }}\nspec:\n- name: {{ .x }}\n- name: {{ .y }}\n{{ end }}\n", "name: a\n- name", "3:3-7|- name: {{ .x }}"},
           {"keys of an element of a list", "spec:\n- name: a\n  gpus: 1\n- name: b\n  gpus: 1\n",
            "spec:\n{{ if .on }}\n- name: a\n  gpus: 1\n{{ end }}\n- name: b\n  gpus: 1\n", "gpus: 1\n- ", "=4:3-13|  gpus: 1"},
           {"a comment of two lines is no branch", "spec:\n- name: a\n- name: a\n", "spec:\n{{- /* if\n   range */ -}}\n- name: {{ .x }}\n- name: {{ .y }}\n", "name: a\n- name", "4:3-7|- name: {{ .x }}"},
       }) {
    CAPTURE(row.what);
    CHECK(placed(row.output, row.wanted, row.source) == row.expected);
  }
}

TEST_CASE("what a line of a template may print") {
  struct Row { const char *line, *text; bool expected; };
  for (const Row& row : {Row{"gpus: 1", "gpus: 1", true}, {"gpus: 1", "gpus: 2", false}, {"gpus: {{ .x }}", "gpus: 2", true}, {"gpus: {{- .x }}", "gpus:", true},
                         {"name: {{ .a }}-{{ .b }}-train", "name: x-y-train", true}, {"name: {{ .a }}-train", "name: train", false}, {"- {{ .a -}} : x", "- 1: x", true},
                         {"a: {{ .open", "a: anything", true}, {"spec: {{ .x | nindent 2 }}", "spec:", true}, {"{{ .all }}", "", true}, {"a: {{ .x }} b", "a: 1 c", false}}) {
    CAPTURE(row.line);
    CHECK(may_print(row.line, row.text) == row.expected);
  }
}

TEST_CASE("several objects of one template") {
  const std::string output = "---\nkind: A\nspec:\n  gpus: 1\n---\nkind: B\nspec:\n  gpus: 2\n";
  CHECK(placed(output, "gpus: 2", "kind: A\nspec:\n  gpus: {{ 1 }}\n---\nkind: B\nspec:\n  gpus: {{ 2 }}\n") == "7:3-7|  gpus: {{ 2 }}");
  CHECK_MESSAGE(placed(output, "gpus: 2", "{{ if .off }}\nkind: A\nspec:\n  gpus: {{ 1 }}\n---\n{{ end }}\nkind: B\nspec:\n  gpus: 2\n") == "=9:3-10|  gpus: 2",
                "as many objects");
  CHECK_MESSAGE(placed("---\nkind: B\nspec:\n  gpus: 2\n", "gpus: 2", "kind: A\nspec:\n  gpus: {{ 1 }}\n---\nkind: B\nspec:\n  gpus: {{ 2 }}\n") == "7:3-7|  gpus: {{ 2 }}",
                "the kind tells which of the two was left out");
  CHECK_MESSAGE(placed("---\nkind: B\nspec:\n  gpus: 2\n", "gpus: 2", "kind: B\nspec:\n  gpus: {{ 1 }}\n---\nkind: B\nspec:\n  gpus: {{ 2 }}\n") == "none",
                "which of the two was left out is not known");
}

TEST_CASE("places out of range and texts without lines") {
  const KeyedLines lines("a: 1\n"), none("");
  CHECK_FALSE(place_in_template(none, {{1, 1}, {1, 2}}, lines));
  CHECK_FALSE(place_in_template(lines, {{7, 1}, {7, 2}}, lines));
  CHECK_FALSE(place_in_template(lines, {{1, 1}, {1, 2}}, none));
  CHECK(place_in_template(lines, {{1, 4}, {1, 5}}, lines)->range.start == Position{1, 4});
}
