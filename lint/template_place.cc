#include "lint/template_place.h"

#include <algorithm>

namespace gpulint {
namespace {

using Line = KeyedLines::Line;

// The end of a key that begins at `begin`; npos where no key stands there. Keys of manifests are words; a `{` begins a template's action.
std::size_t key_end(std::string_view line, std::size_t begin) {
  if (begin >= line.size()) return line.npos;
  if (line[begin] == '"' || line[begin] == '\'') {
    const std::size_t close = line.find(line[begin], begin + 1);
    return close != line.npos && close + 1 < line.size() && line[close + 1] == ':' ? close + 1 : line.npos;
  }
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == ':' && (i + 1 == line.size() || line[i + 1] == ' ')) return i > begin ? i : line.npos;
    if (line[i] == ' ' || line[i] == '{' || line[i] == '#') return line.npos;
  }
  return line.npos;
}

// Finds for lines of an output the lines of the template they come from.
class Matcher {
 public:
  Matcher(const std::vector<Line>& output, const std::vector<Line>& source) : output_(output), source_(source) {
    loops_ = std::any_of(source.begin(), source.end(), [](const Line& line) { return line.text.find("range") != line.text.npos; });
  }

  // Keys around a line come first: a line is looked for below the one they come from.
  std::optional<std::size_t> match(std::size_t at) const {
    const std::optional<std::size_t> here = output_[at].parent;
    const std::optional<std::size_t> there = here ? match(*here) : std::nullopt;
    const auto same_text = [&](const Line& line) { return line.text == output_[at].text; };
    if (const auto found = of_same_number(at, there, same_text)) return found;
    if (output_[at].path.empty()) return std::nullopt;
    const auto any = [](const Line&) { return true; };
    if (const auto found = of_same_number(at, there, any)) return found;
    const std::vector<std::size_t> all = like(source_, output_[at], there, any);
    return all.size() == 1 && loops_ ? std::optional(all.front()) : std::nullopt;
  }

 private:
  template <class Which>
  static std::vector<std::size_t> like(const std::vector<Line>& lines, const Line& wanted, std::optional<std::size_t> parent, Which which) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].path == wanted.path && (!parent || lines[i].parent == parent) && which(lines[i])) found.push_back(i);
    return found;
  }

  template <class Which>
  std::optional<std::size_t> of_same_number(std::size_t at, std::optional<std::size_t> parent, Which which) const {
    const std::vector<std::size_t> here = like(output_, output_[at], parent ? output_[at].parent : std::nullopt, which);
    const std::vector<std::size_t> there = like(source_, output_[at], parent, which);
    if (there.empty() || here.size() != there.size()) return std::nullopt;
    return there[static_cast<std::size_t>(std::find(here.begin(), here.end(), at) - here.begin())];
  }

  const std::vector<Line>&output_, &source_;
  bool loops_ = false;  // one line of the template may be many of the output
};

std::uint32_t number(std::size_t value) { return static_cast<std::uint32_t>(value); }

TemplatePlace place_at(const Line& from, const Line& to, std::size_t to_line, const Range& place, bool itself) {
  const std::uint32_t line = number(to_line) + 1;
  const std::string excerpt = std::string(to.indent, ' ') + std::string(to.text);
  if (itself && from.text == to.text) {
    const std::uint32_t begin = place.start.column + number(to.indent) - number(from.indent), last = number(excerpt.size()) + 1;
    const std::uint32_t end = place.end.line == place.start.line ? place.end.column + number(to.indent) - number(from.indent) : last;
    return {{{line, begin}, {line, end}}, excerpt, true};
  }
  const std::size_t begin = to.key_size > 0 ? to.key_column : to.indent, size = to.key_size > 0 ? to.key_size : to.text.size();
  return {{{line, number(begin) + 1}, {line, number(begin + size) + 1}}, excerpt, false};
}

}  // namespace

KeyedLines::KeyedLines(std::string_view text) {
  std::vector<std::size_t> around;  // lines of the keys that the next line lies under
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    std::string_view whole = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    if (whole.ends_with('\r')) whole.remove_suffix(1);
    Line line;
    line.indent = std::min(whole.find_first_not_of(' '), whole.size());
    line.text = whole.substr(line.indent);
    std::size_t at = line.indent;
    while (whole.substr(at).starts_with("- ")) at = std::min(whole.find_first_not_of(' ', at + 1), whole.size());
    if (whole.starts_with("---")) around.clear();
    const bool says_nothing = line.text.empty() || line.text.starts_with('#') || line.text.starts_with("{{") || whole.starts_with("---");
    if (!says_nothing) {
      // The dash of an element may stand right below the key of its list.
      const bool element = at > line.indent;
      while (!around.empty() && (lines_[around.back()].key_column > line.indent || (!element && lines_[around.back()].key_column == line.indent)))
        around.pop_back();
      if (!around.empty()) line.parent = around.back();
      if (const std::size_t end = key_end(whole, at); end != whole.npos) {
        line.key_column = at;
        line.key_size = end - at;
        line.path = (around.empty() ? "" : lines_[around.back()].path + "/") + std::string(whole.substr(at, end - at));
        around.push_back(lines_.size());
      }
    }
    lines_.push_back(std::move(line));
  }
}

std::optional<TemplatePlace> place_in_template(const KeyedLines& output, const Range& place, const KeyedLines& source) {
  const std::vector<Line>& lines = output.lines();
  if (place.start.line == 0 || place.start.line > lines.size()) return std::nullopt;
  const std::size_t begin = place.start.line - 1;
  const Matcher matcher(lines, source.lines());
  for (std::optional<std::size_t> at = begin; at; at = lines[*at].parent)
    if (const auto found = matcher.match(*at)) return place_at(lines[*at], source.lines()[*found], *found, place, *at == begin);
  return std::nullopt;
}

}  // namespace gpulint
