#include "rules/engine/preset_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rules/cluster/cluster.h"

namespace gpulint {
namespace {

using Row = std::array<std::string, 4>;

std::string need_words(const Cluster& cluster) {
  switch (cluster.needs_runtime_class()) {
    case Answer::no: return "no";
    case Answer::yes: return "yes";
    case Answer::unknown: break;
  }
  return "depends";
}

std::string_view injection_words(Injection injection) {
  switch (injection) {
    case Injection::envvar: return "NVIDIA_VISIBLE_DEVICES";
    case Injection::cdi: return "CDI";
    case Injection::own: return "the platform's plugin";
    case Injection::unknown: break;
  }
  return "not known";
}

std::string class_words(const Preset& preset) {
  if (!preset.runtime_classes.empty()) return fmt::format("{}", fmt::join(preset.runtime_classes, ", "));
  return preset.has_only_those_classes == Answer::yes ? "none" : "not known";
}

Row row_of(const Cluster& cluster) {
  return {cluster.name(), need_words(cluster), class_words(cluster.preset()), std::string(injection_words(cluster.injection()))};
}

std::vector<Row> rows() {
  std::vector<Row> rows{{"cluster", "class needed", "NVIDIA classes there", "devices come by"}};
  for (const Preset& preset : presets()) {
    Cluster cluster;
    cluster.set(preset);
    rows.push_back(row_of(cluster));
  }
  for (const AddOn add_on : {AddOn::dra, AddOn::hami, AddOn::kai, AddOn::volcano}) {
    Cluster cluster;
    cluster.add(add_on);
    rows.push_back(row_of(cluster));
  }
  return rows;
}

}  // namespace

std::string preset_table() {
  const std::vector<Row> table = rows();
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : table) text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2], row[3]);
  return text;
}

std::string preset_table_markdown() {
  std::string text;
  for (const Row& row : rows()) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (text.find('\n') + 1 == text.size()) text += "|---|---|---|---|\n";
  }
  return text;
}

}  // namespace gpulint
