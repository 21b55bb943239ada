#include "lint/template_place.h"

#include <algorithm>

namespace gpulint {
namespace {

using Line = KeyedLines::Line;
using Numbers = std::vector<std::size_t>;

// Finds for lines of an output the lines of the template they come from.
class Matcher {
 public:
  Matcher(const KeyedLines& output, const KeyedLines& source)
      : output_(output.lines()), source_(source.lines()), output_objects_(output.objects()), source_objects_(source.objects()) {}

  // Keys around a line come first: a line is looked for below the one they come from.
  std::optional<std::size_t> match(std::size_t at) const {
    const std::optional<std::size_t> here = output_[at].parent;
    const std::optional<std::size_t> there = here ? match(*here) : std::nullopt;
    const Numbers found = candidates(at, there);
    if (found.size() < 2) return found.empty() ? std::nullopt : std::optional(found.front());
    const Numbers siblings = printed_by(found, at, there ? here : std::nullopt);
    if (const auto paired = of_same_number(at, siblings, found)) return paired;
    return of_same_text(at, siblings, found, there ? source_[*there].branch : 0);
  }

 private:
  // Lines of the template that may have printed one of the output, with all that they lie under.
  Numbers candidates(std::size_t at, std::optional<std::size_t> parent) const {
    Numbers found;
    if (output_[at].path.empty() && !output_[at].parent) return found;
    for (std::size_t i = 0; i < source_.size(); ++i)
      if (source_[i].path == output_[at].path && (!parent || source_[i].parent == parent) && comes_from(i, at)) found.push_back(i);
    return found;
  }

  // Lines of the output, as this one, that one of the candidates may have printed.
  Numbers printed_by(const Numbers& there, std::size_t at, std::optional<std::size_t> parent) const {
    Numbers found;
    for (std::size_t i = 0; i < output_.size(); ++i)
      if (output_[i].path == output_[at].path && (!parent || output_[i].parent == parent) &&
          std::any_of(there.begin(), there.end(), [&](std::size_t from) { return comes_from(from, i); }))
        found.push_back(i);
    return found;
  }

  bool comes_from(std::size_t from, std::size_t to) const { return may_become(from, to) && may_be_object(source_[from].object, output_[to].object); }

  bool may_become(std::optional<std::size_t> from, std::optional<std::size_t> to) const {
    for (; from && to; from = source_[*from].parent, to = output_[*to].parent)
      if (!may_print(source_[*from].text, output_[*to].text)) return false;
    return !from && !to;
  }

  // By kind and name, as far as both have them written down.
  bool may_be_object(std::size_t from, std::size_t to) const {
    const KeyedLines::Object &there = source_objects_[from], &here = output_objects_[to];
    return may_print_one(there.kinds, here.kinds) && may_print_one(there.names, here.names);
  }

  static bool may_print_one(const std::vector<std::string_view>& lines, const std::vector<std::string_view>& texts) {
    return lines.empty() || texts.empty() || std::any_of(lines.begin(), lines.end(), [&](std::string_view line) { return may_print(line, texts.front()); });
  }

  // Lines that no control action separates are all printed, in their order.
  std::optional<std::size_t> of_same_number(std::size_t at, const Numbers& here, const Numbers& there) const {
    if (here.size() != there.size()) return std::nullopt;
    for (std::size_t i = 0; i < here.size(); ++i) {
      const Line& line = source_[there[i]];
      if (line.repeats || line.branch != source_[there[0]].branch || !may_print(line.text, output_[here[i]].text)) return std::nullopt;
    }
    return at_number(at, here, there);
  }

  // A line that is written down, and printed whenever the one around it is, printed itself rather than that an action printed the same.
  std::optional<std::size_t> of_same_text(std::size_t at, Numbers here, Numbers there, std::size_t branch) const {
    const auto differs = [&](const Line& line) { return line.text != output_[at].text; };
    std::erase_if(here, [&](std::size_t i) { return differs(output_[i]); });
    std::erase_if(there, [&](std::size_t i) { return differs(source_[i]); });
    if (here.size() != there.size()) return std::nullopt;
    for (const std::size_t i : there)
      if (source_[i].repeats || source_[i].branch != branch) return std::nullopt;
    return at_number(at, here, there);
  }

  static std::optional<std::size_t> at_number(std::size_t at, const Numbers& here, const Numbers& there) {
    const auto found = std::find(here.begin(), here.end(), at);
    return found == here.end() ? std::nullopt : std::optional(there[static_cast<std::size_t>(found - here.begin())]);
  }

  const std::vector<Line>&output_, &source_;
  const std::vector<KeyedLines::Object>&output_objects_, &source_objects_;
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

std::optional<TemplatePlace> place_in_template(const KeyedLines& output, const Range& place, const KeyedLines& source) {
  const std::vector<Line>& lines = output.lines();
  if (place.start.line == 0 || place.start.line > lines.size()) return std::nullopt;
  const std::size_t begin = place.start.line - 1;
  const Matcher matcher(output, source);
  for (std::optional<std::size_t> at = begin; at; at = lines[*at].parent)
    if (const auto found = matcher.match(*at)) return place_at(lines[*at], source.lines()[*found], *found, place, *at == begin);
  return std::nullopt;
}

}  // namespace gpulint
