// The catalogue page, from metadata and samples: for reading from front to back, and for landing on one rule from a link.
#include <fmt/core.h>

#include <array>
#include <vector>

#include "rules/engine/documentation.h"
#include "rules/engine/engine.h"
#include "rules/engine/preset_table.h"

namespace gpulint {
namespace {

constexpr std::array kGroups = {Group::resources, Group::runtime, Group::visibility, Group::command, Group::scheduling,
                                Group::memory, Group::components, Group::node, Group::input};

std::string_view introduction(Group group) {
  switch (group) {
    case Group::resources: return "What a container asks the scheduler for: names, quantities, quotas and claims.";
    case Group::runtime: return "How the container runtime gets devices into a container, and which fields of the pod it depends on.";
    case Group::visibility: return "Which GPUs a process sees, whether it asked for them or not, and what stands between two tenants of one node.";
    case Group::command: return "What the command line and the image say, compared with what the pod asks for.";
    case Group::scheduling: return "Why GPU pods stay pending, and why a rollout stops half way.";
    case Group::memory: return "Shared memory and fast networks that multi-GPU programs need.";
    case Group::components: return "Device plugins, operators and their configuration.";
    case Group::node: return "Docker, containerd, CRI-O and toolkit files of a node, as `gpulint node` reads them.";
    case Group::input: break;
  }
  return "What keeps a manifest from being judged, and suppressions that do nothing.";
}

std::string anchor(std::string_view title) {
  std::string out;
  for (const char c : title)
    if (c == ' ') out += '-';
    else out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::vector<const Rule*> rules_of(Group group) {
  std::vector<const Rule*> list;
  for (const Rule* rule : all_rules())
    if (rule->group == group) list.push_back(rule);
  return list;
}

/// `|` would end a table's cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
  return out;
}

std::string_view type_words(Parameter::Type type) {
  switch (type) {
    case Parameter::Type::boolean: return "true or false";
    case Parameter::Type::integer: return "number";
    case Parameter::Type::strings: break;
  }
  return "list";
}

std::string parameters(const Rule& rule) {
  if (rule.parameters.empty()) return {};
  std::string out = "**Parameters**\n\n| parameter | value | default | meaning |\n|---|---|---|---|\n";
  for (const Parameter& p : rule.parameters) {
    const std::string usual = p.default_value.empty() ? std::string("–") : fmt::format("`{}`", cell(p.default_value));
    out += fmt::format("| `{}` | {} | {} | {} |\n", p.name, type_words(p.type), usual, cell(p.description));
  }
  return out + "\n";
}

std::string sample(std::string_view title, std::string_view text) {
  if (text.empty()) return {};
  return fmt::format("**{}**\n\n```yaml\n{}{}```\n\n", title, text, text.ends_with('\n') ? "" : "\n");
}

/// owner/repository#n becomes a link; fields and documents stay as they are.
std::string source_words(std::string_view source) {
  const auto hash = source.find('#'), slash = source.find('/');
  if (hash == std::string_view::npos || slash == std::string_view::npos || slash > hash || source.find_first_of(" :", 0) != std::string_view::npos ||
      source.find('/', slash + 1) != std::string_view::npos || source.find_first_not_of("0123456789", hash + 1) != std::string_view::npos)
    return std::string(source);
  return fmt::format("[{0}](https://github.com/{1}/issues/{2})", source, source.substr(0, hash), source.substr(hash + 1));
}

std::string chapter(const Rule& rule) { return fmt::format("### {}\n\n{}", rule.id, rule_markdown(rule)); }

std::string contents(Group group) {
  std::string out = "| rule | severity | fix | when it fires |\n|---|---|---|---|\n";
  for (const Rule* rule : rules_of(group))
    out += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} |\n", rule->id, name_of(rule->severity), name_of(rule->fixability), cell(rule->summary));
  return out + "\n";
}

}  // namespace

std::string_view fix_words(Fixability fixability) {
  switch (fixability) {
    case Fixability::no: return "by hand";
    case Fixability::unsafe: return "a JSON Patch in `--output json`; unsafe, it may change what the program does";
    case Fixability::safe: break;
  }
  return "a JSON Patch in `--output json`; safe, the webhook applies it where `webhook.mutate` lists the rule";
}

std::string rule_markdown(const Rule& rule) {
  std::string out = fmt::format("{}\n\n- Severity: {}\n- Fix: {}\n\n", rule.summary, name_of(rule.severity), fix_words(rule.fixability));
  if (!rule.rationale.empty()) out += fmt::format("**Why.** {}\n\n", rule.rationale);
  if (!rule.details.empty()) out += fmt::format("{}\n\n", rule.details);
  if (rule.shows_presets) out += preset_table_markdown() + "\n";
  if (!rule.remediation.empty()) out += fmt::format("**What to do.** {}\n\n", rule.remediation);
  out += parameters(rule);
  const Samples samples = samples_of(rule);
  out += sample("Reported", samples.bad) + sample("Fine", samples.good);
  if (!rule.sources.empty()) {
    out += "**Sources:** ";
    for (std::size_t i = 0; i < rule.sources.size(); ++i) out += (i ? "; " : "") + source_words(rule.sources[i]);
    out += "\n\n";
  }
  return out;
}

std::string catalogue_markdown() {
  std::string out =
      "# Rules\n\n"
      "<!-- Generated by `gpulint rules --output markdown` from the rules themselves. Edit rules/checks/<rule>.cc and testdata/rules/<rule>. -->\n\n"
      "One file a rule; this page is made from them. A severity is the highest that the rule has; many findings are milder where less is known.\n"
      "**error**: the manifest will not work, or is not what its author means; `gpulint lint` exits with 1, the webhook denies in mode `enforce`.\n"
      "**warning**: shown, and let through. **info**: counted, shown with `--show info`. `.gpulint.yaml` changes any of them:\n\n"
      "```yaml\nrules:\n  missing-spread: off\n  small-shared-memory: error\n```\n\n"
      "One finding is set aside where it stands, with a reason: annotation `ignore.gpulint.dev/<rule>: \"<reason>\"` on the object or its pod\n"
      "template, `<container>.ignore.gpulint.dev/<rule>` for one container.\n\n"
      "Samples are the smallest manifest with this finding and a near miss without it; the tests judge the same files.\n\n";
  for (const Group group : kGroups) {
    const std::size_t count = rules_of(group).size();
    if (count) out += fmt::format("- [{}](#{}), {} {}\n", title_of(group), anchor(title_of(group)), count, count == 1 ? "rule" : "rules");
  }
  for (const Group group : kGroups) {
    const auto rules = rules_of(group);
    if (rules.empty()) continue;
    out += fmt::format("\n## {}\n\n{}\n\n{}", title_of(group), introduction(group), contents(group));
    for (const Rule* rule : rules) out += chapter(*rule);
    while (out.ends_with("\n\n")) out.pop_back();
  }
  return out;
}

}  // namespace gpulint
