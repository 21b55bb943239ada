#include "lint/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpulint_version.h"
#include "lint/environment.h"
#include "lint/print.h"
#include "lint/version.h"

namespace gpulint {
namespace {

// A backslash begins an escape, a hyphen is not the minus sign of an option.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
  }
  return out;
}

// As above, for a line of its own: one that begins with a dot or an apostrophe would be a request. `quoted words` are bold.
std::string paragraph(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    if (c == '`') out += (bold = !bold) ? "\\fB" : "\\fR";
    else out += roff(std::string_view(&c, 1));
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out + "\n";
}

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string heading(const Slot& slot) {
  std::string text;
  for (const std::string& name : slot.names) text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ", roff(name));
  if (!slot.value.empty()) text += fmt::format("{}\\fI{}\\fR", text.empty() ? "" : " ", roff(slot.value));
  return text;
}

std::string described(const Slot& slot) { return fmt::format(".TP\n{}\n{}", heading(slot), paragraph(slot.description + ".")); }

// Help is an option of every command; it is described once.
bool is_help(const Slot& option) { return option.names.back() == "--help"; }

std::string usage(const CommandShape& shape) {
  std::string text = fmt::format("\\fBgpulint{}{}\\fR", shape.name.empty() ? "" : " ", roff(shape.name));
  const bool options = std::any_of(shape.options.begin(), shape.options.end(), [](const Slot& option) { return !is_help(option); });
  if (options) text += " [\\fIOPTION\\fR]...";
  for (const Slot& argument : shape.arguments) {
    const std::string word = fmt::format("\\fI{}\\fR", roff(argument.value));
    text += " " + (argument.required ? word : "[" + word + "]") + (argument.repeatable ? "..." : "");
  }
  return text;
}

std::string synopsis(const std::vector<CommandShape>& shapes) {
  std::string text = section("SYNOPSIS");
  for (const CommandShape& shape : shapes)
    if (shape.commands.empty()) text += fmt::format("{}{}\n", text.ends_with("SYNOPSIS\n") ? "" : ".br\n", usage(shape));
  return text;
}

std::string commands(const std::vector<CommandShape>& shapes) {
  std::string text = section("COMMANDS");
  for (const CommandShape& shape : shapes)
    if (shape.commands.empty()) text += fmt::format(".TP\n\\fB{}\\fR\n{}", roff(shape.name), paragraph(shape.description + "."));
  return text;
}

std::string options(const std::vector<CommandShape>& shapes) {
  std::string text = section("OPTIONS");
  for (const CommandShape& shape : shapes) {
    std::string entries;
    for (const auto* list : {&shape.arguments, &shape.options})
      for (const Slot& slot : *list)
        if (shape.name.empty() || slot.names.empty() || !is_help(slot)) entries += described(slot);
    if (entries.empty()) continue;
    text += shape.name.empty() ? entries : fmt::format(".SS {}\n{}", roff(shape.name), entries);
  }
  return text;
}

std::string environment(const std::vector<CommandShape>& shapes) {
  std::string text = section("ENVIRONMENT");
  for (const Slot& option : shape_named(shapes, "lint").options)
    if (!is_help(option))
      text += fmt::format(".TP\n\\fB{}\\fR\n{}", roff(variable_of(option.names.back())), paragraph(fmt::format("As `{}`, which wins.", option.names.back())));
  return text + ".TP\n\\fBNO_COLOR\\fR\n" + paragraph("When set and not empty, `--color auto` means never.");
}

constexpr std::string_view kExitStatus =
    ".TP\n\\fB0\\fR\nNothing at or above the severity of \\fB\\-\\-fail\\-on\\fR.\n"
    ".TP\n\\fB1\\fR\nSomething is.\n"
    ".TP\n\\fB2\\fR\nWrong usage, unreadable input or a broken configuration; with \\fB\\-\\-strict\\-input\\fR also anything that was not judged.\n";

constexpr std::string_view kFiles =
    ".TP\n\\fB.gpulint.yaml\\fR\nThe configuration, found upward from the working directory. \\fBgpulint init\\fR writes one, "
    "\\fBgpulint config schema\\fR describes it.\n";

struct Example {
  std::string_view command, what;
};
constexpr Example kExamples[] = {
    {"gpulint clusters/ charts/", "Judge the manifests and charts of two folders"},
    {"kubectl get deployments -A -o yaml | gpulint lint --cluster gke -", "Judge what runs in a cluster"},
    {"gpulint lint --output text --output sarif=gpulint.sarif --fail-on warning", "Judge the working directory, keep a report, fail on warnings"},
    {"gpulint explain rollout-deadlock", "Say why a rule is one"},
};

std::string examples() {
  std::string text = section("EXAMPLES");
  for (const Example& example : kExamples) text += fmt::format(".TP\n{}\\fB{}\\fR\n", paragraph(fmt::format("{}:", example.what)), roff(example.command));
  return text;
}

}  // namespace

std::string manual_page(const std::vector<CommandShape>& shapes, const std::string& date) {
  const CommandShape& program = shapes.front();
  std::string text = fmt::format(".TH GPULINT 1 \"{}\" \"gpulint {}\" \"User Commands\"\n", date, kVersion);
  text += section("NAME") + "gpulint \\- find GPU mistakes in Kubernetes manifests\n";
  text += synopsis(shapes);
  text += section("DESCRIPTION") + paragraph(program.description) + ".PP\n" + paragraph(program.footer);
  text += commands(shapes) + options(shapes) + section("EXIT STATUS");
  text += kExitStatus;
  text += environment(shapes) + section("FILES");
  text += kFiles;
  text += examples();
  return text + section("SEE ALSO") + "\\fBkubectl\\fR(1), \\fBhelm\\fR(1), \\fBgit\\fR(1)\n";
}

int print_manual_page(CLI::App& program) { return print(manual_page(shapes_of(program), kCommitDate)); }

}  // namespace gpulint
