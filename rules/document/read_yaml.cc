#include <yaml.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rules/document/code_points.h"
#include "rules/document/document.h"
#include "rules/document/refusal.h"
#include "rules/document/scalar.h"
#include "rules/document/split.h"
#include "rules/document/template_text.h"
#include "rules/document/tree_builder.h"
#include "rules/document/yaml_problem.h"

namespace gpulint {
namespace {

std::string_view view(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : std::string_view(); }

/// libyaml's parser over one text, with its current event.
class Events {
 public:
  explicit Events(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Events() {
    release();
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  bool next() {
    release();
    held_ = yaml_parser_parse(&parser_, &event_) != 0;
    return held_;
  }
  const yaml_event_t& event() const { return event_; }
  const yaml_parser_t& parser() const { return parser_; }

 private:
  void release() {
    if (held_) yaml_event_delete(&event_);
    held_ = false;
  }
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool held_ = false;
};

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
      : source_(source), parsed_(parsed), places_(source.text(parsed)), document_(document), builder_(arena, document, max_nodes), ended_(with_line_end(source.text(parsed))),
        events_(ended_.empty() ? source.text(parsed) : ended_) {}

  void run() {
    while (events_.next()) {
      const yaml_event_t& event = events_.event();
      if (event.type == YAML_STREAM_END_EVENT) return finish();
      if (!take(event)) return;
    }
    stop_at_syntax_error();
  }

 private:
  struct Properties {
    std::string_view anchor, tag;
    bool any() const { return !anchor.empty() || !tag.empty(); }
  };

  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT: return start_document(event);
      case YAML_SCALAR_EVENT: return builder_.wants_key() ? take_key(event) : take_scalar(event);
      case YAML_ALIAS_EVENT: return take_alias(event);
      case YAML_SEQUENCE_START_EVENT: {
        const auto& start = event.data.sequence_start;
        return open(event, NodeKind::sequence, start.style == YAML_FLOW_SEQUENCE_STYLE, {view(start.anchor), view(start.tag)});
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& start = event.data.mapping_start;
        return open(event, NodeKind::mapping, start.style == YAML_FLOW_MAPPING_STYLE, {view(start.anchor), view(start.tag)});
      }
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return builder_.close(end_of_collection(event));
      default: return true;
    }
  }

  bool start_document(const yaml_event_t& event) {
    if (!builder_.root()) return true;
    return builder_.fail(span_of(event), "another document begins here, but not at the start of a line", "put `---` on a line of its own");
  }

  std::uint32_t byte_of(const yaml_mark_t& mark) { return std::min(parsed_.begin + places_.byte_of(mark.index), parsed_.end); }
  Span span_of(const yaml_event_t& event) {
    const std::uint32_t begin = byte_of(event.start_mark);
    return {begin, byte_of(event.end_mark)};
  }

  /// libyaml begins a node at its anchor or tag.
  std::uint32_t skip_properties(std::uint32_t at, std::uint32_t limit) const {
    const std::string_view text = source_.bytes().substr(0, limit);
    const auto until = [&](std::string_view stops) { at = static_cast<std::uint32_t>(std::min(text.find_first_of(stops, at), text.size())); };
    while (at < limit) {
      const char c = text[at];
      if (c == '#') until("\r\n");
      else if (c == '!' && text.substr(at).starts_with("!<")) until(">");
      else if (c == '&' || c == '!') until(" \t\r\n,[]{}");
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '>') ++at;
      else break;
    }
    return at;
  }

  Span value_span(const yaml_event_t& event, const Properties& properties) {
    Span span = span_of(event);
    if (properties.any()) span.begin = skip_properties(span.begin, span.end);
    return span;
  }

  Span scalar_span(const yaml_event_t& event, const Properties& properties) {
    Span span = value_span(event, properties);
    const auto style = event.data.scalar.style;
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
      const std::size_t last = source_.text(span).find_last_not_of(" \t\r\n");
      if (last != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(last) + 1;
    } else if (span.begin == span.end && !properties.any()) {
      // libyaml puts a missing value where it noticed: behind the indicator, or at the next token.
      const char before = span.begin > parsed_.begin ? source_.bytes()[span.begin - 1] : '\0';
      const bool behind_indicator = before == ':' || before == '-' || before == '?';
      if (!behind_indicator && builder_.text_end() > 0) span.begin = span.end = builder_.text_end();
    }
    return span;
  }

  /// The scalar as it stands in the source where that is its value, else a copy.
  std::string_view keep(std::string_view value, Span span, NodeStyle style) {
    const bool quoted = style == NodeStyle::single_quoted || style == NodeStyle::double_quoted;
    if (quoted && span.end - span.begin >= 2) span = {span.begin + 1, span.end - 1};
    const std::string_view written = source_.text(span);
    return written == value ? written : builder_.keep(value);
  }

  Scalar resolve(const yaml_event_t& event, std::string_view text) {
    const auto& scalar = event.data.scalar;
    if (scalar.tag) return resolve_tagged(text, view(scalar.tag), buffer_);
    if (scalar.plain_implicit) return resolve_plain(text, buffer_);
    return {NodeKind::string, text, {}};
  }

  bool take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const Properties properties{view(scalar.anchor), view(scalar.tag)};
    Node node = make_node(NodeKind::string, style_of(scalar.style), scalar_span(event, properties));
    node.has_anchor = scalar.anchor != nullptr;
    node.has_tag = scalar.tag != nullptr;
    const std::string_view value(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const std::string_view text = keep(value, node.span, node.style);
    const Scalar resolved = resolve(event, text);
    if (!resolved.problem.empty()) return builder_.fail(node.span, fmt::format("`{}` is not possible here: {}", text, resolved.problem));
    node.kind = resolved.kind;
    node.text = resolved.text.data() == buffer_.data() ? builder_.keep(resolved.text) : resolved.text;
    if (!builder_.add_scalar(node)) return false;
    remember(properties.anchor);
    return true;
  }

  bool take_key(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const Properties properties{view(scalar.anchor), view(scalar.tag)};
    const NodeStyle style = style_of(scalar.style);
    const Span span = scalar_span(event, properties);
    const std::string_view text = keep({reinterpret_cast<const char*>(scalar.value), scalar.length}, span, style);
    if (text == kMergeKey && (scalar.plain_implicit || properties.tag == "tag:yaml.org,2002:merge")) {
      builder_.set_key(kMergeKey, span);
      return true;
    }
    Scalar key{NodeKind::string, text, {}};
    if (scalar.tag) key = resolve_tagged_key(text, properties.tag, buffer_);
    else if (scalar.plain_implicit) key = resolve_plain_key(text, buffer_);
    if (!key.problem.empty()) return builder_.fail(span, std::string(key.problem));
    if (!properties.anchor.empty()) remember_key(properties.anchor, event, span, text);
    builder_.set_key(key.text.data() == buffer_.data() ? builder_.keep(key.text) : key.text, span);
    return true;
  }

  bool take_alias(const yaml_event_t& event) {
    const std::string_view name = view(event.data.alias.anchor);
    const Span span = span_of(event);
    const auto found = anchors_.find(std::string(name));
    if (found == anchors_.end())
      return builder_.fail(span, fmt::format("`*{}` refers to an anchor that is not defined above", name), fmt::format("define `&{}`, or quote the value", name));
    const Node& anchored = *found->second;
    if (builder_.is_open(&anchored)) return builder_.fail(span, fmt::format("`*{}` stands inside the value that `&{}` names", name, name));
    if (!builder_.wants_key()) return builder_.add_copy(anchored, span);
    if (!anchored.is_scalar()) return fail_complex_key(span);
    if (anchored.is_null()) return builder_.fail(span, "a key must not be null");
    builder_.set_key(anchored.text, span);
    return true;
  }

  bool open(const yaml_event_t& event, NodeKind kind, bool flow, const Properties& properties) {
    Span span = span_of(event);
    const auto limit = properties.any() && !flow ? parsed_.end : span.end;
    if (properties.any()) span.begin = skip_properties(span.begin, limit);
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
    return bracket ? byte_of(event.end_mark) : 0;
  }

  bool fail_complex_key(Span span) {
    const std::string_view text = source_.bytes();
    const std::size_t outer = span.begin > 0 ? span.begin - 1 : 0;
    if (text.substr(outer, 2) == "{{") {
      leave_unrendered(template_span(text.substr(0, parsed_.end), outer));
      return false;
    }
    return builder_.fail(span, "a mapping or a list stands as a key", "keys of manifests are text: quote it");
  }

  void remember(std::string_view anchor) {
    if (!anchor.empty()) anchors_[std::string(anchor)] = builder_.latest();
  }

  void remember_key(std::string_view anchor, const yaml_event_t& event, Span span, std::string_view text) {
    Node node = make_node(NodeKind::string, style_of(event.data.scalar.style), span);
    std::string buffer;
    std::swap(buffer, buffer_);
    const Scalar value = resolve(event, text);
    node.kind = value.kind;
    node.text = builder_.keep(value.text);
    std::swap(buffer, buffer_);
    anchors_[std::string(anchor)] = builder_.detached(node);
  }

  void leave_unrendered(Span span) {
    set_problem(document_, {span, std::string(source_.text(span)), {}});
    document_.state = DocumentState::unrendered;
  }

  void stop_at_syntax_error() {
    Problem problem = explain(events_.parser(), source_, parsed_, places_);
    const std::string_view text = source_.text(parsed_);
    const auto found = find_template(text);
    if (found) return leave_unrendered({parsed_.begin + found->begin, parsed_.begin + found->end});
    set_problem(document_, std::move(problem));
  }

  void finish() {
    document_.root = builder_.root();
    document_.state = DocumentState::parsed;
  }

  const Source& source_;
  Span parsed_;
  CodePoints places_;
  Document& document_;
  TreeBuilder builder_;
  std::string ended_;
  Events events_;
  std::unordered_map<std::string, const Node*> anchors_;
  std::string buffer_;
};

Span without_mark(const Source& source, Span span) {
  if (source.text(span).starts_with(kByteOrderMark)) span.begin += static_cast<std::uint32_t>(kByteOrderMark.size());
  return span;
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
    DocumentReader(source, without_mark(source, text.parsed), *documents.arena, document, options.max_nodes).run();
  }
  return documents;
}

}  // namespace gpulint
