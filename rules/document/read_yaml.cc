#include <yaml.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rules/document/document.h"
#include "rules/document/refusal.h"
#include "rules/document/scalar.h"
#include "rules/document/split.h"
#include "rules/document/template_text.h"
#include "rules/document/tree_builder.h"
#include "rules/document/yaml_events.h"
#include "rules/document/yaml_problem.h"
#include "rules/document/yaml_spans.h"

namespace gpulint {
namespace {

NodeStyle style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return NodeStyle::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return NodeStyle::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE: return NodeStyle::literal;
    case YAML_FOLDED_SCALAR_STYLE: return NodeStyle::folded;
    default: return NodeStyle::plain;
  }
}

/// kubectl ends the last line where the file does not, which a block scalar there can tell. Empty: it is ended.
std::string with_line_end(std::string_view text) { return text.empty() || text.ends_with('\n') ? std::string() : std::string(text) + '\n'; }

/// One document of a stream: events in, tree out.
class DocumentReader {
 public:
  DocumentReader(const Source& source, Span parsed, std::pmr::memory_resource& arena, Document& document, std::size_t max_nodes)
      : source_(source), spans_(source, parsed), document_(document), builder_(arena, document, max_nodes),
        ended_(with_line_end(source.text(parsed))), events_(ended_.empty() ? source.text(parsed) : ended_) {}

  void run() {
    while (events_.next()) {
      const yaml_event_t& event = events_.event();
      if (event.type == YAML_STREAM_END_EVENT) return finish();
      if (!take(event)) return look_for_template();
    }
    set_problem(document_, explain(events_.parser(), source_, spans_));
    look_for_template();
  }

 private:
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT: return start_document(event);
      case YAML_SCALAR_EVENT: return builder_.wants_key() ? take_key(event) : take_scalar(event);
      case YAML_ALIAS_EVENT: return take_alias(event);
      case YAML_SEQUENCE_START_EVENT: {
        const auto& start = event.data.sequence_start;
        return open(NodeKind::sequence, start.style == YAML_FLOW_SEQUENCE_STYLE, spans_.properties(event, start.anchor, start.tag));
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& start = event.data.mapping_start;
        return open(NodeKind::mapping, start.style == YAML_FLOW_MAPPING_STYLE, spans_.properties(event, start.anchor, start.tag));
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return builder_.close(end_of_collection(event));
      default: return true;
    }
  }

  /// A problem is at least one byte wide, so that there is something to point at.
  bool fail(Span span, std::string text, std::string advice = {}) {
    if (span.begin == span.end) span.end = std::min(span.end + 1, spans_.parsed().end);
    return builder_.fail(span, std::move(text), std::move(advice));
  }

  bool start_document(const yaml_event_t& event) {
    if (!builder_.root()) return true;
    return fail(spans_.of(event), "another document begins here, but not at the start of a line", "put `---` on a line of its own");
  }

  /// The scalar as it stands in the source where that is its value, else a copy.
  std::string_view keep(std::string_view value, Span span, NodeStyle style) {
    const bool quoted = style == NodeStyle::single_quoted || style == NodeStyle::double_quoted;
    if (quoted && span.end - span.begin >= 2) span = {span.begin + 1, span.end - 1};
    const std::string_view written = source_.text(span);
    return written == value ? written : builder_.keep(value);
  }

  Scalar resolve(const yaml_event_t& event, std::string_view tag, std::string_view text) {
    if (!tag.empty()) return resolve_tagged(text, tag, buffer_);
    if (event.data.scalar.plain_implicit) return resolve_plain(text, buffer_);
    return {NodeKind::string, text, {}};
  }

  bool take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const Properties properties = spans_.properties(event, scalar.anchor, scalar.tag);
    Node node = make_node(NodeKind::string, style_of(scalar.style), spans_.of_scalar(event, properties, builder_.text_end()));
    node.has_anchor = !properties.anchor.empty();
    node.has_tag = !properties.tag.empty();
    const std::string_view value(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const std::string_view text = keep(value, node.span, node.style);
    const Scalar resolved = resolve(event, properties.tag, text);
    if (!resolved.problem.empty()) return fail(node.span, fmt::format("`{}` is not possible here: {}", text, resolved.problem));
    node.kind = resolved.kind;
    node.text = resolved.text.data() == buffer_.data() ? builder_.keep(resolved.text) : resolved.text;
    if (!builder_.add_scalar(node)) return false;
    remember(properties.anchor);
    return true;
  }

  bool take_key(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const Properties properties = spans_.properties(event, scalar.anchor, scalar.tag);
    const NodeStyle style = style_of(scalar.style);
    const Span span = spans_.of_scalar(event, properties, builder_.text_end());
    const std::string_view text = keep({reinterpret_cast<const char*>(scalar.value), scalar.length}, span, style);
    if (text == kMergeKey && (scalar.plain_implicit || properties.tag == "tag:yaml.org,2002:merge")) {
      builder_.set_key(kMergeKey, span);
      return remember_key(properties, event, span, text);
    }
    Scalar key{NodeKind::string, text, {}};
    if (!properties.tag.empty()) key = resolve_tagged_key(text, properties.tag, buffer_);
    else if (scalar.plain_implicit) key = resolve_plain_key(text, buffer_);
    if (!key.problem.empty()) return fail(span, std::string(key.problem));
    builder_.set_key(key.text.data() == buffer_.data() ? builder_.keep(key.text) : key.text, span);
    return remember_key(properties, event, span, text);
  }

  bool take_alias(const yaml_event_t& event) {
    const std::string_view name = view(event.data.alias.anchor);
    const Span span = spans_.of(event);
    const auto found = anchors_.find(std::string(name));
    if (found == anchors_.end())
      return fail(span, fmt::format("`*{}` refers to an anchor that is not defined above", name), fmt::format("define `&{}`, or quote the value", name));
    const Node& anchored = *found->second;
    if (builder_.is_open(&anchored)) return fail(span, fmt::format("`*{}` stands inside the value that `&{}` names", name, name));
    if (!builder_.wants_key()) return builder_.add_copy(anchored, span);
    if (!anchored.is_scalar()) return fail_complex_key(span);
    if (anchored.is_null()) return fail(span, "a key must not be null");
    builder_.set_key(anchored.text, span);
    return true;
  }

  bool open(NodeKind kind, bool flow, const Properties& properties) {
    const Span span = properties.value;
    if (builder_.wants_key()) return fail_complex_key(span);
    Node node = make_node(kind, flow ? NodeStyle::flow : NodeStyle::block, span);
    node.has_anchor = !properties.anchor.empty();
    node.has_tag = !properties.tag.empty();
    if (!builder_.open(node)) return false;
    remember(properties.anchor);
    return true;
  }

  /// Brackets end a flow collection; libyaml ends all others at the next token, the one pair of `[a: b]` among them.
  std::uint32_t end_of_collection(const yaml_event_t& event) {
    const char first = source_.bytes()[builder_.innermost().span.begin];
    const bool bracket = builder_.innermost().style == NodeStyle::flow && (first == '[' || first == '{');
    return bracket ? spans_.byte_of(event.end_mark) : 0;
  }

  bool fail_complex_key(Span span) {
    return fail(span, "a mapping or a list stands as a key", "keys of manifests are text: quote it");
  }

  void remember(std::string_view anchor) {
    if (!anchor.empty()) anchors_[std::string(anchor)] = builder_.latest();
  }

  bool remember_key(const Properties& properties, const yaml_event_t& event, Span span, std::string_view text) {
    if (properties.anchor.empty()) return true;
    Node node = make_node(NodeKind::string, style_of(event.data.scalar.style), span);
    const Scalar value = resolve(event, properties.tag, text);
    if (value.problem.empty()) node.kind = value.kind;
    node.text = builder_.keep(value.problem.empty() ? value.text : text);
    const Node* kept = builder_.detached(node);
    anchors_[std::string(properties.anchor)] = kept;
    return kept != nullptr;
  }

  /// What a template engine still has to fill in need not be YAML.
  void look_for_template() {
    const std::uint32_t begin = spans_.parsed().begin;
    const std::string_view text = source_.text(spans_.parsed());
    auto found = find_template(text);
    if (!found) found = find_variable(text, document_.problem_span.begin - begin);
    if (!found) return;
    const Span span{begin + found->begin, begin + found->end};
    set_problem(document_, {span, std::string(source_.text(span)), {}});
    document_.state = DocumentState::unrendered;
  }

  void finish() {
    document_.root = builder_.root();
    document_.state = builder_.root() ? DocumentState::parsed : DocumentState::empty;  // empty: line breaks that only YAML knows
  }

  const Source& source_;
  YamlSpans spans_;
  Document& document_;
  TreeBuilder builder_;
  std::string ended_;
  YamlEvents events_;
  std::unordered_map<std::string, const Node*> anchors_;
  std::string buffer_;
};

Span without_mark(const Source& source, Span span) {
  if (source.text(span).starts_with(kByteOrderMark)) span.begin += static_cast<std::uint32_t>(kByteOrderMark.size());
  return span;
}

/// libyaml compares every %TAG with every other one.
bool has_too_many_directives(std::string_view text) {
  constexpr int most = 100;
  int count = 0;
  for (std::size_t at = 0; at < text.size() && (text[at] == '%' || text[at] == '#' || text[at] == '\r' || text[at] == '\n');) {
    if (text[at] == '%' && ++count > most) return true;
    const std::size_t end = text.find('\n', at);
    at = end == text.npos ? text.size() : end + 1;
  }
  return false;
}

void read_document(const Source& source, Span parsed, std::pmr::memory_resource& arena, Document& document, std::size_t max_nodes) {
  if (has_too_many_directives(source.text(parsed))) return set_problem(document, {{parsed.begin, parsed.begin + 1}, "more than 100 directives stand above the document", {}});
  DocumentReader(source, parsed, arena, document, max_nodes).run();
}

}  // namespace

Documents read_yaml(const Source& source, const ReadOptions& options) {
  Documents documents = make_documents(source);
  if (refuse(source, documents)) return documents;
  const bool any = may_matter(source.bytes(), options.words);
  for (const DocumentText& text : split(source.bytes())) {
    Document& document = documents.list.emplace_back();
    document.index = documents.list.size() - 1;
    document.span = text.content;
    if (text.empty) continue;
    document.state = DocumentState::skipped;
    if (!any || !may_matter(source.text(text.parsed), options.words)) continue;
    read_document(source, without_mark(source, text.parsed), *documents.arena, document, options.max_nodes);
  }
  return documents;
}

}  // namespace gpulint
