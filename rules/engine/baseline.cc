#include "rules/engine/baseline.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>

namespace gpulint {
namespace {

constexpr std::string_view kVersion = "1";

std::string object_words(const ObjectRef& object) {
  std::string words = object.api_version;
  if (!object.kind.empty()) words += (words.empty() ? "" : " ") + object.kind;
  const std::string name = object.name_space.empty() ? object.name : object.name_space + "/" + object.name;
  return name.empty() ? words : words + (words.empty() ? "" : " ") + name;
}

/// The text of a member, empty where there is none; a required one that is missing and a value that is no text are problems.
std::string text_of(const Node& entry, std::string_view key, bool required, const Source& source, std::vector<PolicyProblem>& problems) {
  const Node* member = entry.find(key);
  if (member && member->is_string()) return std::string(member->text);
  if (member || required)
    problems.push_back({source.position((member ? *member : entry).span.begin),
                        fmt::format("{} of a finding must be a text{}", key, member ? "" : "; there is none"), "invalid-manifest"});
  return {};
}

/// The list of findings; null, and a problem, where the document is no baseline that this program reads.
const Node* findings_of(const Document& document, const Source& source, std::vector<PolicyProblem>& problems) {
  const auto wrong = [&](const Node& node, std::string message) {
    problems.push_back({source.position(node.span.begin), std::move(message), "invalid-manifest"});
    return nullptr;
  };
  const Node& root = *document.root;
  const Node *version = root.find("schemaVersion"), *findings = root.find("findings");
  if (!version || !findings || !findings->is_sequence())
    return wrong(root, "this is no baseline: it has no schemaVersion and list of findings; --write-baseline writes one");
  if (version->text != kVersion)
    return wrong(*version, fmt::format("schemaVersion is {}, and this gpulint reads {}; write the baseline anew with --write-baseline", version->text, kVersion));
  return findings;
}

}  // namespace

std::vector<PolicyProblem> Baseline::read(const Source& source) {
  std::vector<PolicyProblem> problems;
  if (source.bytes().find_first_not_of(" \t\r\n") == std::string_view::npos)
    return {{Position{}, "the file is empty; --write-baseline writes a baseline", "invalid-manifest"}};
  const Documents documents = read_json(source, {});
  const Document& document = documents.list.front();
  if (!document.root) return {{source.position(document.problem_span.begin), document.problem, "invalid-manifest"}};
  const Node* findings = findings_of(document, source, problems);
  if (!findings) return problems;
  for (const Node& node : *findings) {
    const auto text = [&](std::string_view key, bool required) { return text_of(node, key, required, source, problems); };
    BaselineEntry entry;
    entry.fingerprint = text("fingerprint", true);
    entry.rule = text("rule", true);
    entry.file = text("file", true);
    entry.object = text("object", false);
    entry.container = text("container", false);
    entry.message = text("message", false);
    entries.push_back(std::move(entry));
  }
  return problems;
}

std::vector<BaselineEntry> set_aside(const Baseline& baseline, const PathBase& paths, const std::set<std::string>& read, std::vector<Finding>& findings) {
  std::unordered_map<std::string_view, std::vector<const BaselineEntry*>> left;
  for (const BaselineEntry& entry : baseline.entries) left[entry.fingerprint].push_back(&entry);
  const auto match = [&](Finding& finding, auto fits) {
    const auto listed = left.find(finding.fingerprint);
    if (listed == left.end()) return;
    const auto entry = std::find_if(listed->second.begin(), listed->second.end(), fits);
    if (entry == listed->second.end()) return;
    listed->second.erase(entry);
    finding.suppressed = Suppression{"baseline", {}};
  };
  for (Finding& finding : findings) {
    if (finding.suppressed) continue;
    const std::string file = paths.relative(finding.file);
    match(finding, [&](const BaselineEntry* entry) { return entry->file == file; });
  }
  // Findings without an object (unreadable texts, values of charts) are told apart by their file alone.
  for (Finding& finding : findings)
    if (!finding.suppressed) match(finding, [&](const BaselineEntry* entry) { return entry->gone || (read.contains(entry->file) && !entry->object.empty()); });
  std::vector<BaselineEntry> stale;
  for (const BaselineEntry& entry : baseline.entries) {
    const std::vector<const BaselineEntry*>& rest = left[entry.fingerprint];
    if ((entry.gone || read.contains(entry.file)) && std::find(rest.begin(), rest.end(), &entry) != rest.end()) stale.push_back(entry);
  }
  return stale;
}

std::vector<BaselineEntry> baseline_of(const std::vector<Finding>& findings, const Policy& policy) {
  const Severity least = std::min(policy.fail_on, Severity::warning);
  std::vector<BaselineEntry> entries;
  for (const Finding& finding : findings)
    if (!finding.suppressed && finding.severity >= least)
      entries.push_back({finding.fingerprint, std::string(finding.rule->id), policy.paths.relative(finding.file), object_words(finding.object),
                         finding.container, finding.message});
  return entries;
}

std::string baseline_text(std::vector<BaselineEntry> entries) {
  using Json = nlohmann::ordered_json;
  const auto key = [](const BaselineEntry& e) { return std::tie(e.file, e.object, e.rule, e.container, e.fingerprint, e.message); };
  std::sort(entries.begin(), entries.end(), [&](const BaselineEntry& a, const BaselineEntry& b) { return key(a) < key(b); });
  std::string text = fmt::format("{{\"schemaVersion\": {},\n \"findings\": [", kVersion);
  const char* separator = "\n  ";
  for (const BaselineEntry& entry : entries) {
    Json json{{"fingerprint", entry.fingerprint}, {"rule", entry.rule}, {"file", entry.file}};
    if (!entry.object.empty()) json["object"] = entry.object;
    if (!entry.container.empty()) json["container"] = entry.container;
    json["message"] = entry.message;
    text += separator + json.dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n  ";
  }
  return text + "]}\n";
}

}  // namespace gpulint
