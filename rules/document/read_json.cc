#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rules/document/document.h"
#include "rules/document/refusal.h"
#include "rules/document/scalar.h"
#include "rules/document/tree_builder.h"

namespace gpulint {
namespace {

/// nlohmann's parser says nothing of places: what it has taken from this iterator is where it is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  CountingIterator(const char* at, const char** taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *taken_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** taken_;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonReader(const Source& source, Document& document, std::pmr::memory_resource& arena, std::size_t max_nodes)
      : text_(source.bytes()), document_(document), builder_(arena, document, max_nodes) {
    if (text_.starts_with(kByteOrderMark)) before_ = static_cast<std::uint32_t>(kByteOrderMark.size());
  }

  void run() {
    taken_ = text_.data() + before_;
    const char* const end = text_.data() + text_.size();
    if (!nlohmann::json::sax_parse(CountingIterator(taken_, &taken_), CountingIterator(end, &taken_), this)) return;
    document_.root = builder_.root();
    document_.state = DocumentState::parsed;
  }

  bool null() override { return scalar(NodeKind::null, {}); }
  bool boolean(bool value) override { return scalar(NodeKind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool binary(binary_t&) override { return false; }

  bool string(string_t& value) override {
    Node node = make_node(NodeKind::string, NodeStyle::double_quoted, token());
    node.text = keep(value, node.span);
    return builder_.add_scalar(node);
  }
  bool key(string_t& value) override {
    const Span span = token();
    builder_.set_key(keep(value, span), span);
    return true;
  }
  bool start_object(std::size_t) override { return open(NodeKind::mapping); }
  bool start_array(std::size_t) override { return open(NodeKind::sequence); }
  bool end_object() override { return builder_.close(token().end); }
  bool end_array() override { return builder_.close(token().end); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& exception) override {
    constexpr int number_out_of_range = 406;
    const std::uint32_t begin = next_token();
    if (exception.id == number_out_of_range) return fail(begin, "the number is too large for a double");
    const auto taken = static_cast<std::uint32_t>(taken_ - text_.data());
    return explain(begin, taken);
  }

 private:
  std::uint32_t next_token() const {
    std::uint32_t at = before_;
    while (at < text_.size() && (is_blank(text_[at]) || text_[at] == ',' || text_[at] == ':')) ++at;
    return at;
  }

  /// The token just reported: it ends where the parser is, but for a number, which ends only at the byte behind it.
  Span token() {
    const std::uint32_t begin = next_token();
    auto end = static_cast<std::uint32_t>(taken_ - text_.data());
    if (text_[begin] == '-' || (text_[begin] >= '0' && text_[begin] <= '9'))
      for (end = begin; end < text_.size() && is_of_number(text_[end]);) ++end;
    before_ = end;
    return {begin, end};
  }

  std::string_view keep(const std::string& value, Span span) {
    const std::string_view written = text_.substr(span.begin + 1, span.end - span.begin - 2);
    return written == value ? written : builder_.keep(value);
  }

  bool scalar(NodeKind kind, std::string_view text) {
    Node node = make_node(kind, NodeStyle::plain, token());
    node.text = text;
    return builder_.add_scalar(node);
  }

  bool number() {
    Node node;
    node.span = token();
    const std::string_view written = text_.substr(node.span.begin, node.span.end - node.span.begin);
    const Scalar resolved = resolve_json_number(written, buffer_);
    if (!resolved.problem.empty()) return builder_.fail(node.span, std::string(resolved.problem));
    node.kind = resolved.kind;
    node.text = resolved.text.data() == buffer_.data() ? builder_.keep(resolved.text) : resolved.text;
    return builder_.add_scalar(node);
  }

  bool open(NodeKind kind) { return builder_.open(make_node(kind, NodeStyle::flow, token())); }

  bool fail(std::uint32_t begin, std::string text, std::string advice = {}) {
    const auto size = static_cast<std::uint32_t>(text_.size());
    return builder_.fail({std::min(begin, size), std::min(begin + 1, size)}, std::move(text), std::move(advice));
  }

  bool explain(std::uint32_t begin, std::uint32_t taken) {
    const std::string_view rest = text_.substr(std::min<std::size_t>(begin, text_.size()));
    const std::string_view skipped = text_.substr(before_, begin - before_);
    if (builder_.is_complete()) return fail(begin, "more text follows the end of the JSON value", "put `---` between documents");
    if (rest.empty()) return fail(last_token(), "the text ends before the JSON value does", "close its brackets, braces and quotes");
    if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#')) return fail(begin, "JSON has no comments");
    if ((rest[0] == '}' || rest[0] == ']') && skipped.find(',') != skipped.npos) return fail(before_ + comma(skipped), "a comma stands behind the last value", "remove it");
    if (rest[0] == '}' || rest[0] == ']') return fail(begin, fmt::format("`{}` closes what another bracket opened, or a value is missing", rest[0]));
    if (rest[0] == '\'') return fail(begin, "JSON quotes with `\"` only");
    if (rest[0] == '"') return explain_string(begin, taken);
    if (skipped.find_first_of(",:") == skipped.npos && before_ > 0 && !opens(text_[before_ - 1])) return fail(begin, "a comma or colon is missing");
    return fail(begin, "no JSON value begins here", "quote text with `\"`");
  }

  /// A string that ends too late, or stands where none can.
  bool explain_string(std::uint32_t begin, std::uint32_t taken) {
    const auto last = taken > 0 ? taken - 1 : 0;
    const std::string_view written = text_.substr(begin, taken - begin);
    const bool closed = written.size() > 1 && written.ends_with('"');
    if (closed) return fail(begin, "a comma or colon is missing");
    if (taken >= text_.size() && written.find('\n') == written.npos) return fail(begin, "the quote that opens here is never closed", "close it");
    const auto c = static_cast<unsigned char>(text_[last]);
    if (c == '\n' || c == '\r') return fail(begin, "a string goes on over the end of its line", "close its quote, or write a line break as \\n");
    if (c < 0x20) return fail(last, "a control character stands in a string", "write it as an escape");
    if (c >= 0x80) return fail(last, "the text is not valid UTF-8", "save it as UTF-8");
    return fail(last, "no escape of JSON is written so", "double the backslash");
  }

  static bool opens(char c) { return c == '{' || c == '['; }
  static std::uint32_t comma(std::string_view skipped) { return static_cast<std::uint32_t>(skipped.find(',')); }
  std::uint32_t last_token() const {
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    return last == text_.npos ? 0 : static_cast<std::uint32_t>(last);
  }

  std::string_view text_;
  Document& document_;
  TreeBuilder builder_;
  std::string buffer_;
  std::uint32_t before_ = 0;  ///< the end of the token before
  const char* taken_ = nullptr;
};

}  // namespace

Documents read_json(const Source& source, const ReadOptions& options) {
  Documents documents = make_documents(source);
  if (refuse(source, documents)) return documents;
  Document& document = documents.list.emplace_back();
  document.span = {0, static_cast<std::uint32_t>(source.bytes().size())};
  document.state = DocumentState::skipped;
  if (may_matter(source.bytes(), options.words)) JsonReader(source, document, *documents.arena, options.max_nodes).run();
  return documents;
}

}  // namespace gpulint
