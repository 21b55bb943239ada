#include "rules/document/yaml_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace gpulint {
namespace {

struct Wording {
  std::string_view found;    ///< yaml_parser_t::problem
  std::string_view text;
  std::string_view advice;
};

/// Problems that mean the same wherever they are met.
constexpr Wording kWordings[] = {
    {"control characters are not allowed", "a control character stands in the text", "remove it, or write it as an escape in double quotes"},
    {"found unknown escape character", "no escape of YAML begins so", "double the backslash, or use single quotes"},
    {"did not find expected hexdecimal number", "an escape lacks hexadecimal digits", "double the backslash, or use single quotes"},
    {"found invalid Unicode character escape code", "an escape names no character", "write the character itself, or its \\U form of eight digits"},
    {"did not find expected comment or line break", "text stands behind `|` or `>`", "begin the text in the next line, or quote the value"},
    {"found an indentation indicator equal to 0", "the indentation indicator of a block scalar cannot be 0", "use 1 to 9, or none"},
    {"found undefined tag handle", "the tag has a prefix that no %TAG defines", "quote the value if no tag is meant"},
    {"found unexpected ':'", "a `:` stands inside a value between brackets", "quote the value"},
    {"found duplicate %YAML directive", "a second %YAML stands above the document", ""},
    {"found duplicate %TAG directive", "a second %TAG defines the same prefix", ""},
    {"found incompatible YAML document", "the text says it is another version of YAML than 1", "remove the %YAML line"},
};

class Explanation {
 public:
  Explanation(const yaml_parser_t& parser, const Source& source, YamlSpans& spans) : source_(source), parsed_(spans.parsed()) {
    problem_ = parser.problem ? parser.problem : "";
    context_ = parser.context ? parser.context : "";
    reader_ = parser.error == YAML_READER_ERROR;
    if (reader_) {
      at_ = context_at_ = clamp(parsed_.begin + parser.problem_offset);
      return;
    }
    at_ = spans.byte_of(parser.problem_mark);
    context_at_ = context_.empty() ? at_ : spans.byte_of(parser.context_mark);
  }

  Problem get() const {
    if (const auto bad = find_invalid_utf8(); bad != kNone) return {{bad, bad + 1}, "the text is not valid UTF-8", "save it as UTF-8"};
    for (const Wording& wording : kWordings)
      if (problem_ == wording.found) return {one(at_), std::string(wording.text), std::string(wording.advice)};
    if (is("quoted scalar")) return {line_from(context_at_), "the quote that opens here is never closed", "close it"};
    if (const auto tab = find_tab(); tab != kNone) return {one(tab), "a tab is used for indentation", "use spaces"};
    if (problem_ == "found character that cannot start any token") return bad_start();
    if (is("scanning an alias") || is("scanning an anchor")) return unnamed_reference();
    if (is("scanning a tag")) return {one(context_at_), "what follows the `!` is no tag", "quote the value"};
    if (is("scanning a directive")) return {line_from(context_at_), "a line that begins with `%` must be a directive", "quote the value"};
    if (is("parsing a flow node") || is("parsing a block node")) return no_value();
    if (is("flow sequence")) return unclosed("[", "]", "list");
    if (is("flow mapping")) return unclosed("{", "}", "mapping");
    if (problem_ == "mapping values are not allowed in this context") return misplaced_colon();
    if (problem_ == "could not find expected ':'") return {line_from(context_at_), "a key has no `: ` behind it", "add it, or indent the line if it continues the text above"};
    if (problem_ == "block sequence entries are not allowed in this context") return misplaced_dash();
    return misplaced();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t clamp(std::size_t at) const { return static_cast<std::uint32_t>(std::min<std::size_t>(at, parsed_.end)); }
  bool is(std::string_view context) const { return context_.find(context) != context_.npos; }
  std::string_view text() const { return source_.bytes().substr(0, parsed_.end); }

  /// The code point there; behind the text: the last line of it that says something.
  Span one(std::uint32_t at) const {
    const std::string_view all = text();
    if (at >= all.size()) {
      const std::size_t last = all.find_last_not_of(" \t\r\n");
      at = last == all.npos || last < parsed_.begin ? parsed_.begin : static_cast<std::uint32_t>(last);
    }
    const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(utf8_length(all, at), 1));
    return {at, std::min(at + length, std::max(at, parsed_.end))};
  }
  /// From there to the end of the line.
  Span line_from(std::uint32_t at) const {
    const std::string_view all = text();
    const auto end = static_cast<std::uint32_t>(std::min(all.find_first_of("\r\n", at), all.size()));
    return end > at ? Span{at, end} : one(at);
  }
  std::uint32_t line_begin(std::uint32_t at) const {
    const std::size_t newline = at == 0 ? text().npos : text().rfind('\n', at - 1);
    return newline == text().npos ? 0 : static_cast<std::uint32_t>(newline + 1);
  }
  bool is_first_of_line(std::uint32_t at) const {
    const std::string_view before = text().substr(0, at).substr(line_begin(at));
    return before.find_first_not_of(" \t") == before.npos;
  }

  std::uint32_t find_invalid_utf8() const {
    const std::string_view all = text();
    for (std::size_t at = parsed_.begin; reader_ && at < all.size();) {
      const std::size_t length = utf8_length(all, at);
      if (length == 0) return static_cast<std::uint32_t>(at);
      at += length;
    }
    return kNone;
  }

  /// A tab in the indentation of the line in question, or where libyaml met it.
  std::uint32_t find_tab() const {
    if (problem_.find("tab character") != problem_.npos) return at_;
    const std::uint32_t begin = line_begin(at_);
    const std::string_view line = text().substr(std::min<std::size_t>(begin, text().size()));
    const std::size_t tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
    return tab == line.npos ? kNone : begin + static_cast<std::uint32_t>(tab);
  }

  Problem no_value() const {
    if (at_ >= parsed_.end) return {one(at_), "the text ends where a value or a closing bracket must follow", {}};
    const Span span = one(at_);
    return {span, fmt::format("a value cannot begin with `{}`", source_.text(span)), "add the value that is missing, or quote it"};
  }

  Problem bad_start() const {
    const Span span = one(at_);
    const std::string_view character = source_.text(span);
    if (character == "\t") return {span, "a tab stands where a value begins", "use spaces"};
    if (character == "`") return {span, "a value cannot begin with a backtick", "quote the value"};
    return {span, fmt::format("a value cannot begin with `{}`", character), "quote the value"};
  }

  Problem unnamed_reference() const {
    const std::string_view sign = source_.text(one(context_at_));
    const std::string_view meaning = sign == "*" ? "refers to an anchor" : "names an anchor";
    return {line_from(context_at_), fmt::format("`{}` at the beginning of a value {}, but no name follows", sign, meaning), "quote the value"};
  }

  Problem unclosed(std::string_view open, std::string_view close, std::string_view what) const {
    if (at_ >= parsed_.end || line_begin(at_) != line_begin(context_at_))
      return {one(context_at_), fmt::format("the {} that `{}` opens here is not closed as it should: a `,` or `{}` is missing", what, open, close), {}};
    return {one(at_), fmt::format("a `,` or `{}` is missing in a {}", close, what), "quote the values that hold brackets, braces or commas"};
  }

  Problem misplaced_colon() const {
    const std::uint32_t begin = line_begin(at_);
    const std::string_view before = text().substr(begin, at_ - begin);
    if (before.find(": ") != before.npos) return {one(at_), "a second `: ` stands in the line", "quote the value"};
    return {one(at_), "a key stands where the value of the line above goes on", "check the indentation"};
  }

  Problem misplaced_dash() const {
    if (!is_first_of_line(at_)) return {one(at_), "a list item stands behind a key in one line", "begin the list in the next line, or quote the value"};
    return {one(at_), "a list item stands where none can", "check the indentation"};
  }

  Problem misplaced() const {
    const Span span = one(at_);
    if (span.begin < at_ || is_first_of_line(span.begin)) return {line_from(span.begin), "the line fits nothing above it", "check the indentation"};
    return {span, "something follows where a value has ended", "quote the whole value"};
  }

  const Source& source_;
  Span parsed_;
  std::string_view problem_, context_;
  bool reader_ = false;  ///< libyaml's reader, which has no marks, found it
  std::uint32_t at_ = 0, context_at_ = 0;
};

}  // namespace

Problem explain(const yaml_parser_t& parser, const Source& source, YamlSpans& spans) {
  return Explanation(parser, source, spans).get();
}

}  // namespace gpulint
