#include "rules/kube/shell.h"

#include <algorithm>
#include <string>

namespace gpulint {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_operator(char c) { return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '\n'; }

/// One pass over a script. Nothing is expanded: `$X`, `$(...)` and backquotes stay in the word as they are written.
class ShellScanner {
 public:
  ShellScanner(std::string_view text, const Node* node) : text_(text), node_(node) {}

  /// The commands: the words between two operators.
  std::vector<std::vector<Word>> commands() {
    while (at_ < text_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (is_blank(c)) return end_word(), void(++at_);
    if (c == '\n') return end_command(), void(++at_), skip_here_documents();
    if (c == '#' && !in_word_) return skip_comment();
    if (c == '&' && at_ + 1 < text_.size() && text_[at_ + 1] == '>') return void(++at_);  // `&>` redirects
    if (is_operator(c)) return end_command(), void(++at_);
    if (c == '<' || c == '>') return redirection();
    word_part();
  }

  void word_part() {
    const char c = text_[at_];
    in_word_ = true;
    if (c == '\'') return single_quoted();
    if (c == '"') return double_quoted();
    if (c == '\\') return escaped();
    plain_or_substitution();
  }

  void plain_or_substitution() {
    const char c = text_[at_];
    const char following = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == '`') copy_through(closing_backquote(at_));
    else if (c == '$' && (following == '(' || following == '{')) copy_through(closing_bracket(at_ + 1));
    else word_ += c, ++at_;
  }

  void escaped() {
    if (at_ + 1 >= text_.size()) return void(++at_);
    // A line end behind the backslash disappears with it; it neither starts nor ends a word.
    const bool windows = text_.substr(at_ + 1).starts_with("\r\n");
    if (windows || text_[at_ + 1] == '\n') {
      in_word_ = !word_.empty() || quoted_;
      at_ += windows ? 3 : 2;
      return;
    }
    word_ += text_[at_ + 1];
    at_ += 2;
  }

  void single_quoted() {
    quoted_ = true;
    const std::size_t close = std::min(text_.find('\'', at_ + 1), text_.size());
    word_ += text_.substr(at_ + 1, close - at_ - 1);
    at_ = std::min(close + 1, text_.size());
  }

  void double_quoted() {
    quoted_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != '"';) {
      const char c = text_[at_];
      const char following = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      if (c == '\\' && following == '\n') at_ += 2;
      else if (c == '\\' && (following == '"' || following == '\\' || following == '$' || following == '`')) word_ += following, at_ += 2;
      else plain_or_substitution();
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  /// What has no end is text like any other (`last` is the size then), and is not looked for again.
  void copy_through(std::size_t last) {
    if (last >= text_.size()) last = at_;
    word_ += text_.substr(at_, last - at_ + 1);
    at_ = last + 1;
  }

  std::size_t closing_backquote(std::size_t open) {
    if (no_more_backquotes_) return text_.size();
    std::size_t close = open + 1;
    while (close < text_.size() && text_[close] != '`') close += text_[close] == '\\' ? 2 : 1;
    no_more_backquotes_ = close >= text_.size();
    return close;
  }

  /// Quotes inside count: `$(echo ")")` ends at the last bracket.
  std::size_t closing_bracket(std::size_t open) {
    if (no_more_brackets_) return text_.size();
    std::string stack;
    for (std::size_t i = open; i < text_.size(); ++i) {
      const char c = text_[i];
      const bool in_quotes = !stack.empty() && stack.back() == '"';
      if (c == '\\') ++i;
      else if (!stack.empty() && c == stack.back()) stack.pop_back();
      else if (c == '\'' && !in_quotes) i = std::min(text_.find('\'', i + 1), text_.size());
      else if (c == '(') stack += ')';
      else if (c == '{') stack += '}';
      else if (c == '"') stack += '"';
      if (stack.empty()) return i;
    }
    no_more_brackets_ = true;
    return text_.size();
  }

  /// `>file`, `2>&1`, `<<EOF`: neither the operator nor its target is a word of the program.
  void redirection() {
    if (!quoted_ && !word_.empty() && std::all_of(word_.begin(), word_.end(), [](char c) { return c >= '0' && c <= '9'; })) drop_word();
    end_word();
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<<<")) at_ += 3;
    else if (rest.starts_with("<<")) return here_document();
    else if (rest[0] == '<' && rest.starts_with("<(")) return copy_process();
    else while (at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '>' || text_[at_] == '&' || text_[at_] == '|')) ++at_;
    skip_target();
  }

  void copy_process() {
    in_word_ = true;
    copy_through(closing_bracket(at_ + 1));
  }

  void skip_target() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_operator(text_[at_]) && text_[at_] != '<' && text_[at_] != '>') word_part();
    drop_word();
  }

  void here_document() {
    at_ += 2;
    const bool strip = at_ < text_.size() && text_[at_] == '-';
    if (strip) ++at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_operator(text_[at_])) word_part();
    here_documents_.push_back({word_, strip});
    drop_word();
  }

  void skip_here_documents() {
    for (const auto& [delimiter, strip] : here_documents_)
      while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (strip) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        if (line == delimiter) break;
      }
    here_documents_.clear();
  }

  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void drop_word() {
    word_.clear();
    in_word_ = quoted_ = false;
  }
  void end_word() {
    if (in_word_) words_.push_back(Word{word_, node_, true});
    drop_word();
  }
  void end_command() {
    end_word();
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  std::string_view text_;
  const Node* node_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false, quoted_ = false;
  bool no_more_brackets_ = false, no_more_backquotes_ = false;
  std::vector<Word> words_;
  std::vector<std::vector<Word>> commands_;
  struct HereDocument { std::string delimiter; bool strip; };
  std::vector<HereDocument> here_documents_;
};

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  std::string_view name = word.substr(0, equals);
  if (name.ends_with('+')) name.remove_suffix(1);
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

constexpr std::string_view kLeadingKeywords[] = {"if", "then", "else", "elif", "while", "until", "do", "!", "{", "time"};
constexpr std::string_view kNoCommands[] = {"for", "case", "select", "function", "fi", "done", "esac", "}"};

template <class List>
bool holds(const List& list, std::string_view word) { return std::find(std::begin(list), std::end(list), word) != std::end(list); }

}  // namespace

std::vector<Word> split_words(std::string_view text, const Node* node) {
  std::vector<Word> words;
  for (auto& command : ShellScanner(text, node).commands()) words.insert(words.end(), command.begin(), command.end());
  return words;
}

void append_script(std::string_view script, const Node* node, int depth, std::vector<Invocation>& invocations) {
  for (std::vector<Word>& words : ShellScanner(script, node).commands()) {
    const auto first = std::find_if(words.begin(), words.end(), [](const Word& word) { return !holds(kLeadingKeywords, word.text) && !is_assignment(word.text); });
    words.erase(words.begin(), first);
    if (words.empty() || holds(kNoCommands, words.front().text)) continue;
    append_invocations(std::move(words), depth, invocations);
  }
}

std::vector<Invocation> parse_shell(std::string_view script, const Node* node) {
  std::vector<Invocation> invocations;
  append_script(script, node, 0, invocations);
  return invocations;
}

}  // namespace gpulint
