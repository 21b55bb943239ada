// Templates: what is recognised as text still to be rendered, and what is data that only looks like it.
#include "rules/document/template_text.h"

#include <doctest/doctest.h>

#include <string_view>

#include "rules/document/document.h"

using namespace gpulint;

TEST_CASE("template actions are found outside comments, quotes and block scalars") {
  struct Row {
    std::string_view what, text, found;
  };
  constexpr Row rows[] = {
      {"a value", "a: {{ .Values.x }}\n", "{{ .Values.x }}"},
      {"an action on a line of its own", "a: b\n{{- if .Values.x }}\nc: d\n{{- end }}\n", "{{- if .Values.x }}"},
      {"within a plain scalar", "a: x-{{ .n }}-y\n", "{{ .n }}"},
      {"a key", "{{ .key }}: x\n", "{{ .key }}"},
      {"not closed on its line", "a: {{ .Values.x\n  }}\n", "{{ .Values.x"},
      {"Jinja", "a: b\n{% if x %}\n", "{% if x %}"},
      {"Terraform", "%{ for x in y ~}\na: b\n%{ endfor ~}\n", "%{ for x in y ~}"},
      {"in a comment", "a: b # {{ x }}\n# {{ y }}\n", ""},
      {"a number sign within a word begins no comment", "a: b#{{ x }}\n", "{{ x }}"},
      {"in double quotes", "a: \"{{ x }}\"\nb: [\"{{ y }}\"]\n", ""},
      {"in single quotes", "a: '{{ x }} it''s {{ y }}'\n- '{{ z }}'\n", ""},
      {"quotes that span lines", "a: \"x\n  {{ y }}\"\nb: c\n", ""},
      {"behind escaped quotes", "a: \"\\\" {{ x }}\"\n", ""},
      {"an action that its own quotes end", "a: \"{{ .x | default \"y\" }}\"\n", "{{ .x | default \"y\" }}"},
      {"the same in single quotes", "a: '{{ index .x 'y' }}'\n", "{{ index .x 'y' }}"},
      {"two actions in quotes that hold", "a: \"{{ x }} {{ y }}\"\nb: }}\n", ""},
      {"a quote within a plain scalar begins nothing", "a: it's {{ x }}\n", "{{ x }}"},
      {"a quote that is never closed ends with its line", "a: \"x\nb: {{ y }}\n", "{{ y }}"},
      {"a literal block scalar", "a: |\n  {{ x }}\n\n  {{ y }}\nb: c\n", ""},
      {"a folded one with indicators", "a: >2-\n    {{ x }}\nb: c\n", ""},
      {"a block scalar with a comment behind it", "a: | # why\n  {{ x }}\n", ""},
      {"a block scalar with a tag", "a: !!str |\n  {{ x }}\n", ""},
      {"a block scalar in a list", "- |\n {{ x }}\n- a: |\n    {{ y }}\n  b: {{ z }}\n", "{{ z }}"},
      {"behind a block scalar", "a: |\n  x\n{{ y }}\n", "{{ y }}"},
      {"at the indentation of the key above", "a:\n  b: |\n    x\n  {{ y }}\n", "{{ y }}"},
      {"a bar within a value opens no block", "a: x | y\n  {{ z }}\n", "{{ z }}"},
      {"braces apart", "a: { { x } }\n", ""},
      {"a shell's variable is no template of these", "a: ${x}\n", ""},
  };
  for (const Row& row : rows) {
    const auto found = find_template(row.text);
    const std::string_view text = found ? row.text.substr(found->begin, found->end - found->begin) : std::string_view();
    CHECK_MESSAGE(text == row.found, row.what);
  }
}

TEST_CASE("a document that cannot be read for a template is unrendered, any other is judged by YAML") {
  struct Row {
    std::string_view what, text;
    DocumentState state;
    std::string_view problem;
  };
  constexpr Row rows[] = {
      {"a value that YAML reads as a mapping", "a: {{ .x }}\n", DocumentState::unrendered, "{{ .x }}"},
      {"a line that YAML rejects", "a: b\n{{- end }}\n", DocumentState::unrendered, "{{- end }}"},
      {"a value with text behind it", "a: {{ .x }}-y\n", DocumentState::unrendered, "{{ .x }}"},
      {"alone", "{{ template \"x\" . }}\n", DocumentState::unrendered, "{{ template \"x\" . }}"},
      {"a syntax error elsewhere counts for nothing then", "a: {{ .x }}\nb: c: d\n", DocumentState::unrendered, "{{ .x }}"},
      {"a variable on the line that cannot be read", "a:\n  b: c\n  ${MORE}\n", DocumentState::unrendered, "${MORE}"},
      {"a variable in a value that can", "a: ${x}\nb: {x: ${y}}\n", DocumentState::unrendered, "${y}"},
      {"an alias that is none", "a: *{{ .x }}\n", DocumentState::unrendered, "{{ .x }}"},
      {"data in quotes", "a: \"{{ x }}\"\n", DocumentState::parsed, ""},
      {"data in a plain scalar", "a: echo {{ x }}\n", DocumentState::parsed, ""},
      {"data in a block scalar", "a: |\n  {{ x }}\n", DocumentState::parsed, ""},
      {"a variable as a value", "a: ${x}\n", DocumentState::parsed, ""},
      {"a syntax error where the only action is in quotes", "a: \"{{ x }}\"\nb: c: d\n", DocumentState::invalid, "a second `: ` stands in the line"},
      {"a syntax error where the only action is in a block scalar", "a: |\n  {{ x }}\nb: c: d\n", DocumentState::invalid, "a second `: ` stands in the line"},
      {"a syntax error where the only action is in a comment", "a: b # {{ x }}\nb: c: d\n", DocumentState::invalid, "a second `: ` stands in the line"},
      {"a syntax error with a quoted variable", "a: \"${x}\" y\n", DocumentState::invalid, "something follows where a value has ended"},
  };
  for (const Row& row : rows) {
    const Source source("test", std::string(row.text));
    const Documents documents = read_manifest(source, {});
    const Document& document = documents.list.at(0);
    CHECK_MESSAGE(document.state == row.state, row.what, ": state ", static_cast<int>(document.state));
    CHECK_MESSAGE(document.problem == row.problem, row.what, ": ", document.problem);
    if (row.state == DocumentState::unrendered) CHECK_MESSAGE(source.text(document.problem_span) == row.problem, row.what);
  }
}

TEST_CASE("the neighbours of a template are read") {
  const Source source("test", "a: b\n---\n{{ if .x }}\n---\nc: {{ .y }}\n---\n{{ end }}\n---\nd: e\n");
  const Documents documents = read_yaml(source, {});
  REQUIRE(documents.list.size() == 5);
  CHECK(to_json(*documents.list[0].root) == R"({"a":"b"})");
  for (std::size_t i = 1; i < 4; ++i) CHECK(documents.list[i].state == DocumentState::unrendered);
  CHECK(to_json(*documents.list[4].root) == R"({"d":"e"})");
}
