// The parts of the configuration that are about files: overrides, exclude, render, baseline.
#include <fmt/core.h>

#include <charconv>

#include "rules/engine/policy_reader.h"

namespace gpulint {

void PolicyReader::read_overrides(const Node& node) {
  if (!check_list(node, "overrides")) return;
  policy_.overrides.clear();
  std::size_t index = 0;
  for (const Node& element : node) read_override(element, index++);
}

void PolicyReader::read_override(const Node& node, std::size_t index) {
  if (!check_keys(node, "an override", settings::kOverride)) return;
  Override entry;
  entry.origin = entry.cluster_origin = fmt::format("{}, overrides[{}]", origin(node), index);
  const Node *paths = node.find("paths"), *cluster = node.find("cluster"), *rules = node.find("rules");
  if (!paths) problem(node, "an override needs paths: the files it is for");
  else if (auto patterns = globs(*paths, "paths")) entry.paths = std::move(*patterns);
  if (paths && paths->is_sequence() && paths->size == 0) problem(*paths, "paths is empty, so the override is for no file");
  if (cluster && !cluster->is_null()) entry.cluster = read_cluster(*cluster);
  if (rules && !rules->is_null()) read_rules(*rules, entry.rules, false);
  if (!cluster && !rules) problem(node, "an override changes nothing without cluster or rules");
  policy_.overrides.push_back(std::move(entry));
}

void PolicyReader::read_exclude(const Node& node) {
  auto patterns = globs(node, "exclude");
  if (!patterns) return;
  note_origin("exclude", node);
  policy_.exclude = std::move(*patterns);
}

void PolicyReader::read_render(const Node& node) {
  if (!check_keys(node, "render", settings::kRender)) return;
  if (const Node* enabled = node.find("enabled")) {
    note_origin("render.enabled", *enabled);
    if (enabled->kind == NodeKind::boolean) policy_.render.enabled = enabled->text == "true";
    else problem(*enabled, "render.enabled must be true or false");
  }
  if (const Node* timeout = node.find("timeout")) read_timeout(*timeout);
  if (const Node* charts = node.find("charts"); charts && check_list(*charts, "render.charts")) {
    note_origin("render.charts", *charts);
    policy_.render.charts.clear();
    for (const Node& chart : *charts) read_chart(chart);
  }
}

void PolicyReader::read_timeout(const Node& node) {
  int seconds = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, fault] = std::from_chars(node.text.data(), end, seconds);
  if (node.kind != NodeKind::integer || fault != std::errc() || stop != end || seconds < 1 || seconds > kMostSeconds)
    return problem(node, fmt::format("render.timeout must be a whole number of seconds from 1 to {}", kMostSeconds));
  note_origin("render.timeout", node);
  policy_.render.timeout = seconds;
}

void PolicyReader::read_chart(const Node& node) {
  if (!check_keys(node, "an entry of render.charts", settings::kChart)) return;
  RenderSettings::Chart chart;
  const Node *paths = node.find("paths"), *values = node.find("values");
  if (!paths) problem(node, "an entry of render.charts needs paths: the folders of its charts");
  else if (auto patterns = globs(*paths, "paths")) chart.paths = std::move(*patterns);
  if (paths && paths->is_sequence() && paths->size == 0) problem(*paths, "paths is empty, so the entry is for no chart");
  if (values)
    if (auto files = texts(*values, "render.charts.values")) chart.values = std::move(*files);
  policy_.render.charts.push_back(std::move(chart));
}

void PolicyReader::read_baseline(const Node& node) {
  const auto file = text(node, "baseline");
  if (!file) return;
  if (file->empty()) return problem(node, "baseline is empty; leave it out to set nothing aside");
  note_origin("baseline", node);
  policy_.baseline = *file;
}

}  // namespace gpulint
