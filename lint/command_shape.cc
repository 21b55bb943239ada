#include "lint/command_shape.h"

#include <algorithm>
#include <sstream>

#include "lint/commands.h"
#include "lint/report.h"
#include "rules/cluster/cluster.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Values that are data of the program rather than written at the option.
std::vector<std::string> known_values(const Slot& slot, const CLI::App& program) {
  std::vector<std::string> values;
  const bool is_cluster = !slot.names.empty() && slot.names.back() == "--cluster";
  if (is_cluster)
    for (const Preset& preset : presets()) values.emplace_back(preset.name);
  else if (slot.value.starts_with("FORMAT["))
    for (const ReportFormat& format : report_formats()) values.emplace_back(format.name);
  else if (slot.value == "RULE")
    for (const Rule* rule : all_rules()) values.emplace_back(rule->id);
  else if (slot.value == "COMMAND")
    for (const CLI::App* command : program.get_subcommands(nullptr)) values.push_back(command->get_name());
  return values;
}

Slot slot_of(CLI::Option& option, const CLI::App& program) {
  Slot slot;
  for (const std::string& name : option.get_snames()) slot.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) slot.names.push_back("--" + name);
  slot.description = option.get_description();
  slot.required = option.get_required();
  slot.repeatable = option.get_positional() ? option.get_expected_max() > 1 : option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.get_positional()) slot.value = option.get_name();
  else if (option.get_items_expected_max() > 0) slot.value = option.get_type_name();
  slot.takes_files = slot.value == "FILE" || slot.value == "PATH";
  slot.choices = words_in(choices_of(option));
  if (slot.choices.empty()) slot.choices = known_values(slot, program);
  return slot;
}

CommandShape shape_of(CLI::App& app, const CLI::App& program, const std::string& name) {
  CommandShape shape;
  shape.name = name;
  shape.description = app.get_description();
  shape.footer = app.get_footer();
  const auto all = [](CLI::Option*) { return true; };
  for (CLI::Option* option : app.get_options(all)) (option->get_positional() ? shape.arguments : shape.options).push_back(slot_of(*option, program));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) shape.commands.push_back(command->get_name());
  return shape;
}

void add_shapes(CLI::App& app, const CLI::App& program, const std::string& name, std::vector<CommandShape>& shapes) {
  shapes.push_back(shape_of(app, program, name));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    add_shapes(*command, program, name.empty() ? command->get_name() : name + " " + command->get_name(), shapes);
}

}  // namespace

std::vector<CommandShape> shapes_of(CLI::App& program) {
  std::vector<CommandShape> shapes;
  add_shapes(program, program, "", shapes);
  return shapes;
}

const CommandShape& shape_named(const std::vector<CommandShape>& shapes, std::string_view name) {
  return *std::find_if(shapes.begin(), shapes.end(), [&](const CommandShape& shape) { return shape.name == name; });
}

}  // namespace gpulint
