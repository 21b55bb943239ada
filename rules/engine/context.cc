#include "rules/engine/context.h"

#include <algorithm>
#include <charconv>

#include "rules/engine/engine.h"
#include "rules/kube/embedded_text.h"

namespace gpulint {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view value = trimmed(text.substr(begin, end - begin));
    if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
    if (!value.empty()) values.emplace_back(value);
    begin = end + 1;
  }
  return values;
}

ObjectRef object_ref(const ObjectView& object) {
  return {std::string(object.api_version), std::string(object.kind), std::string(object.name_space), std::string(object.name)};
}

FindingBuilder& FindingBuilder::in(const Container& container) {
  if (finding_) finding_->container = std::string(container.name.value_or({}));
  return *this;
}

FindingBuilder& FindingBuilder::fix(Safety safety, std::string title, std::vector<PatchOp> ops) {
  if (finding_ && fixable_ && !ops.empty()) finding_->fix = Fix{std::move(title), safety, std::move(ops)};
  return *this;
}

FindingBuilder& FindingBuilder::range(Range range) {
  if (finding_) finding_->range = range;
  return *this;
}

Context::Context(const Rule& rule, const Policy& policy, const Cluster& cluster, const Source& source, const Document& document,
                 const ObjectView* object, FileReport& report)
    : rule(rule), policy(policy), cluster(cluster), accelerators(policy.accelerators), source(source), document(document), object(object),
      report_(report) {}

/// Whether a fix may be offered at the node: it is no text inside a string.
static bool is_place(const Node* node) { return !node || &place_of(*node) == node; }

Finding Context::make(Severity severity, const Node* node, std::string message) const {
  const RuleSettings* settings = policy.settings(rule.id);
  Finding finding;
  finding.rule = &rule;
  finding.severity = settings && settings->severity ? *settings->severity : severity;
  finding.message = std::move(message);
  finding.file = std::string(source.name());
  finding.document = document.index;
  if (!node) node = object ? object->root : document.root;
  const Node* place = node ? &place_of(*node) : nullptr;
  if (place) {
    if (document.root) finding.pointer = JsonPointer::to(*place, *document.root);
    finding.range = range_of(source, *place);
  } else {
    finding.range = {source.position(document.span.begin), source.position(document.span.begin)};
  }
  if (object) finding.object = object_ref(*object);
  if (container_) finding.container = std::string(container_->name.value_or({}));
  return finding;
}

FindingBuilder Context::report(Severity severity, const Node* node, std::string message) {
  if (policy.is_off(rule)) return FindingBuilder(nullptr, false);
  report_.findings.push_back(make(severity, node, std::move(message)));
  return FindingBuilder(&report_.findings.back(), is_place(node));
}

void Context::note(std::string_view kind, std::string key) { report_.facts.push_back({&rule, std::string(kind), std::move(key)}); }

FindingBuilder Context::propose(std::string join_key, Severity severity, const Node* node, std::string message) {
  Finding finding = make(severity, node, std::move(message));
  finding.join_key = std::move(join_key);
  report_.proposed.push_back(std::move(finding));
  return FindingBuilder(&report_.proposed.back(), is_place(node));
}

void Context::undecided() {
  if (std::exchange(undecided_, true)) return;
  ++report_.undecided[std::string(rule.id)];
}

std::vector<std::string> Context::strings(std::string_view parameter) const {
  if (const RuleSettings* settings = policy.settings(rule.id))
    if (const auto set = settings->parameters.find(parameter); set != settings->parameters.end()) return set->second;
  for (const Parameter& known : rule.parameters)
    if (known.name == parameter) return split_list(known.default_value);
  return {};
}

bool Context::flag(std::string_view parameter) const {
  const auto values = strings(parameter);
  return !values.empty() && values.front() == "true";
}

std::int64_t Context::integer(std::string_view parameter) const {
  const auto values = strings(parameter);
  std::int64_t number = 0;
  if (!values.empty()) std::from_chars(values.front().data(), values.front().data() + values.front().size(), number);
  return number;
}

JsonPointer Context::pointer(const Node& node) const { return document.root ? JsonPointer::to(node, *document.root) : JsonPointer(); }

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out.append(1, '\\').append(1, c);
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else if (byte < 0x20) out += fmt::format("\\u{:04x}", byte);
    else out += c;
  }
  return out + "\"";
}

}  // namespace gpulint
