#include "rules/engine/policy_reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rules/cluster/closest_word.h"
#include "rules/engine/engine.h"

namespace gpulint {
namespace {

const char* form_of(const Node& node) {
  if (node.is_mapping()) return "a mapping";
  if (node.is_sequence()) return "a list";
  return node.is_null() ? "nothing" : "a single value";
}

}  // namespace

void PolicyReader::problem(const Node& node, std::string message, bool at_key, std::string rule) {
  const bool has_key = node.key_span.begin != node.key_span.end;
  const bool no_value = node.span.begin == node.span.end;
  problems.push_back({source_.position(has_key && (at_key || no_value) ? node.key_span.begin : node.span.begin), std::move(message), std::move(rule)});
}

bool PolicyReader::check_names(const Node& node, std::string_view where, const std::vector<std::string>& known) {
  if (!node.is_mapping()) {
    problem(node, fmt::format("{} must be a mapping ({}), not {}", where, fmt::join(known, ", "), form_of(node)));
    return false;
  }
  for (const Node& member : node) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::string meant = meant_instead(member.key, known);
    problem(member, fmt::format("unknown key \"{}\" in {}{}", member.key, where, !meant.empty() ? meant : fmt::format("; it has {}", fmt::join(known, ", "))), true);
  }
  return true;
}

bool PolicyReader::check_list(const Node& node, std::string_view what) {
  if (node.is_sequence()) return true;
  problem(node, fmt::format("{} must be a list, not {}", what, form_of(node)));
  return false;
}

std::optional<std::string> PolicyReader::text(const Node& node, std::string_view what) {
  if (node.is_scalar() && !node.is_null()) return std::string(node.text);
  problem(node, fmt::format("{} must be a text, not {}", what, form_of(node)));
  return std::nullopt;
}

std::optional<std::vector<std::string>> PolicyReader::texts(const Node& node, std::string_view what) {
  std::vector<std::string> values;
  if (node.is_scalar() && !node.is_null()) return std::vector<std::string>{std::string(node.text)};
  if (!check_list(node, what)) return std::nullopt;
  for (const Node& element : node) {
    auto value = text(element, fmt::format("an entry of {}", what));
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

std::optional<std::vector<std::string>> PolicyReader::globs(const Node& node, std::string_view what) {
  auto patterns = texts(node, what);
  if (!patterns) return std::nullopt;
  for (std::size_t i = 0; i < patterns->size(); ++i) {
    const std::string& pattern = (*patterns)[i];
    if (pattern.empty()) problem(place(node, i), fmt::format("{} holds an empty pattern, which matches nothing", what));
    if (pattern.starts_with('!')) problem(place(node, i), fmt::format("{} knows no negation: \"{}\"", what, pattern));
  }
  return patterns;
}

std::string PolicyReader::origin(const Node& node) const {
  const bool has_key = node.key_span.begin != node.key_span.end;
  return fmt::format("{}:{}", source_.name(), source_.position(has_key ? node.key_span.begin : node.span.begin).line);
}

const Node& PolicyReader::place(const Node& node, std::size_t index) {
  const Node* element = node.element(index);
  return element ? *element : node;
}

const Rule* PolicyReader::known_rule(std::string_view id, const Node& node, bool at_key) {
  if (const Rule* rule = find_rule(id)) return rule;
  const std::string meant = meant_instead(id, rule_ids());
  problem(node, fmt::format("there is no rule \"{}\"{}", id, !meant.empty() ? meant : "; `gpulint rules` lists them"), at_key, "unknown-rule");
  return nullptr;
}

void PolicyReader::reject_choice(const Node& node, std::string_view what, const std::vector<std::string>& choices) {
  if (!node.is_scalar() || node.is_null()) return problem(node, fmt::format("{} must be one of {}, not {}", what, fmt::join(choices, ", "), form_of(node)));
  const std::string meant = meant_instead(node.text, choices);
  problem(node, fmt::format("unknown {} \"{}\"{}", what, node.text, !meant.empty() ? meant : fmt::format("; there are {}", fmt::join(choices, ", "))));
}

std::vector<PolicyProblem> read_policy(const Source& source, Policy& policy) {
  const Documents documents = read_yaml(source, {});
  PolicyReader reader(source, policy);
  const Document* read = nullptr;
  for (const Document& document : documents.list) {
    if (document.state == DocumentState::empty) continue;
    if (document.state != DocumentState::parsed) {
      const std::string what = document.state == DocumentState::unrendered ? "a configuration is no template" : document.problem;
      const std::string advice = document.advice.empty() ? "" : "; " + document.advice;
      reader.problems.push_back({source.position(document.problem_span.begin), what + advice, "invalid-manifest"});
    } else if (read) {
      const Node* second = document.root;
      reader.problems.push_back({source.position(second ? second->span.begin : document.span.begin),
                                 "a configuration is one document; this is a second one", "invalid-manifest"});
    } else {
      read = &document;
      for (const DuplicateKey& twice : document.duplicates)
        reader.problems.push_back({source.position(twice.lost->key_span.begin), fmt::format("key \"{}\" is given twice", twice.lost->key), "duplicate-key"});
      if (document.root && !document.root->is_null()) reader.read(*document.root);
    }
  }
  if (reader.problems.empty()) policy.rebuild_words();
  std::stable_sort(reader.problems.begin(), reader.problems.end(), [](const PolicyProblem& left, const PolicyProblem& right) {
    return std::pair(left.position.line, left.position.column) < std::pair(right.position.line, right.position.column);
  });
  return std::move(reader.problems);
}

}  // namespace gpulint
