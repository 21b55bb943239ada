#include "lint/keyed_lines.h"

#include <algorithm>

namespace gpulint {
namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}";

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

/// Follows the control actions of a template from line to line.
class Branches {
 public:
  void read(std::string_view line) {
    while (!line.empty()) {
      const std::string_view awaited = in_action_ ? kClose : kOpen;
      const std::size_t at = line.find(awaited);
      if (at == line.npos) return;
      line.remove_prefix(at + awaited.size());
      if (!in_action_) begin_action(line);
      in_action_ = !in_action_;
    }
  }
  std::size_t current() const { return open_.empty() ? 0 : open_.back().number; }
  bool repeats() const {
    return std::any_of(open_.begin(), open_.end(), [](const Branch& one) { return one.repeats; });
  }

 private:
  struct Branch {
    std::size_t number = 0;
    bool repeats = false;
  };

  void begin_action(std::string_view action) {
    if (action.starts_with('-')) action.remove_prefix(1);
    action.remove_prefix(std::min(action.find_first_not_of(' '), action.size()));
    const std::string_view word = action.substr(0, std::min(action.find_first_of(" -}("), action.size()));
    if (word == "if" || word == "with" || word == "range" || word == "define" || word == "block") open_.push_back({++count_, word == "range"});
    else if (word == "else" && !open_.empty()) open_.back().number = ++count_;
    else if (word == "end" && !open_.empty()) open_.pop_back();
  }

  std::vector<Branch> open_;
  std::size_t count_ = 0;
  bool in_action_ = false;
};

/// Takes line by line.
class Nesting {
 public:
  explicit Nesting(std::vector<KeyedLines::Line>& lines) : lines_(lines) {}

  void add(std::string_view whole) {
    KeyedLines::Line line;
    line.indent = std::min(whole.find_first_not_of(' '), whole.size());
    line.text = whole.substr(line.indent);
    line.branch = branches_.current();
    line.repeats = branches_.repeats();
    branches_.read(whole);
    const bool separates = whole.starts_with("---");
    if (separates) begin_object();
    const bool says_nothing = line.text.empty() || line.text.starts_with('#') || line.text.starts_with(kOpen) || separates;
    if (!says_nothing) nest(whole, line);
    line.object = object_;
    lines_.push_back(std::move(line));
  }

 private:
  struct Around {
    std::size_t line = 0, column = 0;
    bool is_element = false;
    std::string path;
  };

  void begin_object() {
    around_.clear();
    ++object_;
    has_metadata_ = false;
  }

  void nest(std::string_view whole, KeyedLines::Line& line) {
    std::size_t at = line.indent;
    while (whole.substr(at).starts_with("- ")) at = std::min(whole.find_first_not_of(' ', at + 1), whole.size());
    // The dash of an element may stand right below the key of its list.
    const bool element = at > line.indent || line.text == "-";
    while (!around_.empty() && (around_.back().column > line.indent || (around_.back().column == line.indent && (!element || around_.back().is_element))))
      around_.pop_back();
    const std::string path = around_.empty() ? std::string() : around_.back().path;
    if (!around_.empty()) line.parent = around_.back().line;
    if (element) around_.push_back({lines_.size(), line.indent, true, path});
    const std::size_t end = key_end(whole, at);
    if (end == whole.npos) return;
    line.key_column = at;
    line.key_size = end - at;
    line.path = path + (path.empty() ? "" : "/") + std::string(whole.substr(at, end - at));
    around_.push_back({lines_.size(), at, false, line.path});
    // Two branches of a template hold two objects without a `---` between them.
    if (line.path != "metadata") return;
    object_ += has_metadata_;
    has_metadata_ = true;
  }

  std::vector<KeyedLines::Line>& lines_;
  Branches branches_;
  std::vector<Around> around_;
  std::size_t object_ = 0;
  bool has_metadata_ = false;
};

}  // namespace

KeyedLines::KeyedLines(std::string_view text) {
  Nesting nesting(lines_);
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    std::string_view whole = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    if (whole.ends_with('\r')) whole.remove_suffix(1);
    nesting.add(whole);
  }
  for (const Line& line : lines_) {
    if (objects_.size() <= line.object) objects_.resize(line.object + 1);
    if (line.path == "kind") objects_[line.object].kinds.push_back(line.text);
    if (line.path == "metadata/name") objects_[line.object].names.push_back(line.text);
  }
}

bool may_print(std::string_view line, std::string_view text) {
  std::size_t open = line.find(kOpen);
  if (open == line.npos) return line == text;
  bool first = true, trims = false;
  while (open != line.npos) {
    std::string_view literal = line.substr(0, open);
    line.remove_prefix(open + kOpen.size());
    if (trims) literal.remove_prefix(std::min(literal.find_first_not_of(' '), literal.size()));
    if (line.starts_with('-')) literal = literal.substr(0, literal.find_last_not_of(' ') + 1);
    if (text == literal.substr(0, literal.find_last_not_of(' ') + 1)) return true;  // what the action prints begins on the next line
    const std::size_t at = first ? (text.starts_with(literal) ? 0 : text.npos) : text.find(literal);
    if (at == text.npos) return false;
    text.remove_prefix(at + literal.size());
    first = false;
    const std::size_t close = line.find(kClose);
    if (close == line.npos) return true;
    trims = close > 0 && line[close - 1] == '-';
    line.remove_prefix(close + kClose.size());
    open = line.find(kOpen);
  }
  if (trims) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  // An action that prints several lines leaves what stands behind it to the last of them.
  return text.empty() || text.ends_with(line);
}

}  // namespace gpulint
