#include "rules/kube/command_line.h"

#include <algorithm>

#include "rules/kube/path_text.h"
#include "rules/kube/placeholder.h"
#include "rules/kube/shell.h"

namespace gpulint {
namespace {

constexpr int kScriptDepth = 4;  // scripts within scripts that are opened

/// A program that runs the program behind it. The options named take a value of their own; then so many words follow before the program.
struct Wrapper {
  std::string_view name, options_with_value;  // blank-separated, with a blank at both ends
  int operands = 0;
};
constexpr Wrapper kWrappers[] = {
    {"exec", " -a ", 0},
    {"env", " -u --unset -C --chdir ", 0},
    {"sudo", " -u -g -h -p -C -D -R -T --user --group ", 0},
    {"time", " -f -o --format --output ", 0},
    {"timeout", " -k -s --kill-after --signal ", 1},
    {"nohup", " ", 0},
    {"nice", " -n --adjustment ", 0},
    {"ionice", " -c -n -p --class --classdata ", 0},
    {"stdbuf", " -i -o -e --input --output --error ", 0},
    {"setsid", " ", 0},
    {"numactl", " -N -m -C -i -p ", 0},
    {"tini", " -p -e ", 0},
    {"dumb-init", " -r --rewrite ", 0},
};
constexpr std::string_view kShells[] = {"sh", "bash", "dash", "ash", "zsh", "ksh"};

const Wrapper* wrapper_of(std::string_view program) {
  const auto found = std::find_if(std::begin(kWrappers), std::end(kWrappers), [&](const Wrapper& w) { return w.name == program; });
  return found == std::end(kWrappers) ? nullptr : found;
}

bool is_assignment_operand(const Wrapper& wrapper, std::string_view word) {
  return (wrapper.name == "env" || wrapper.name == "sudo") && word.find('=') != std::string_view::npos;
}

/// Where the real program stands: behind wrappers, their options and operands. The end when nothing is behind them.
std::size_t program_index(const std::vector<Word>& words) {
  std::size_t at = 0;
  while (at < words.size()) {
    const Wrapper* wrapper = wrapper_of(base_name(words[at].text));
    if (!wrapper) break;
    std::size_t next = at + 1;
    for (; next < words.size(); ++next) {
      const std::string& word = words[next].text;
      if (word == "--") { ++next; break; }
      if (word.starts_with('-')) next += wrapper->options_with_value.find(" " + word + " ") != std::string_view::npos ? 1 : 0;
      else if (!is_assignment_operand(*wrapper, word)) break;
    }
    at = next + static_cast<std::size_t>(wrapper->operands);
  }
  return std::min(at, words.size());
}

/// The index of a shell's script word (`sh -c SCRIPT`, `bash -lc`, `bash -o pipefail -ec`), or nothing.
std::optional<std::size_t> script_index(const std::vector<Word>& words) {
  if (std::find(std::begin(kShells), std::end(kShells), base_name(words[0].text)) == std::end(kShells)) return std::nullopt;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (!word.starts_with('-') && !word.starts_with('+')) return std::nullopt;
    if (word.starts_with("--") || word.starts_with('+')) continue;
    if (word.find('c') != std::string::npos) {
      const std::size_t script = words[i + 1].text == "--" ? i + 2 : i + 1;  // `sh -c -- SCRIPT`
      return script < words.size() ? std::optional(script) : std::nullopt;
    }
    if (word.ends_with('o')) ++i;
  }
  return std::nullopt;
}

void append_words(const Node* list, CommandLine& line, std::vector<Word>& words) {
  if (!list || list->is_null()) return;
  if (list->is_string()) {
    line.unknown = line.unknown || holds_placeholder(list->text);
    const std::vector<Word> split = split_words(list->text, list);
    words.insert(words.end(), split.begin(), split.end());
    return;
  }
  if (!list->is_sequence()) {
    line.unknown = true;
    return;
  }
  for (const Node& element : *list) {
    if (!element.is_string()) line.unknown = true;
    words.push_back(Word{std::string(element.text), &element, false});
  }
}

bool is_set(const Node* list) { return list && (list->is_sequence() ? list->size > 0 : list->is_string() && !list->text.empty()); }

bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

/// The name of an option word without its dashes and value; `dashes` says how many it has.
std::string_view option_name(std::string_view word, std::size_t& dashes) {
  dashes = std::min(word.find_first_not_of('-'), word.size());
  word.remove_prefix(dashes);
  return word.substr(0, word.find('='));
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return (x == '_' ? '-' : x) == (y == '_' ? '-' : y); });
}

}  // namespace

void append_invocations(std::vector<Word> words, int depth, std::vector<Invocation>& invocations) {
  const std::size_t start = program_index(words);
  if (start == words.size()) return;
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(start));
  if (const auto script = script_index(words); script && depth < kScriptDepth)
    return append_script(words[*script].text, words[*script].node, depth + 1, invocations);
  Invocation invocation;
  invocation.program = base_name(words[0].text);
  invocation.words = std::move(words);
  invocations.push_back(std::move(invocation));
}

CommandLine CommandLine::parse(const Node* command, const Node* args) {
  CommandLine line;
  line.has_command = is_set(command);
  std::vector<Word> words;
  append_words(command, line, words);
  append_words(args, line, words);
  if (words.empty()) return line;
  // Shell scripts expand `$X` themselves; in other words it is the kubelet's `$(X)` or a value that somebody fills in later.
  const std::size_t start = program_index(words);
  std::vector<Word> rest(words.begin() + static_cast<std::ptrdiff_t>(start), words.end());
  const bool script = !rest.empty() && script_index(rest);
  if (!script)
    line.unknown = line.unknown || std::any_of(rest.begin(), rest.end(), [](const Word& word) { return holds_placeholder(word.text); });
  if (line.has_command || script) append_invocations(std::move(words), 0, line.invocations);
  else line.invocations.push_back(Invocation{"", std::move(words)});
  return line;
}

bool CommandLine::names_program(std::span<const std::string_view> programs) const {
  return std::any_of(invocations.begin(), invocations.end(), [&](const Invocation& invocation) {
    return std::any_of(invocation.words.begin(), invocation.words.end(),
                       [&](const Word& word) { return std::find(programs.begin(), programs.end(), base_name(word.text)) != programs.end(); });
  });
}

std::vector<CommandLine::Option> CommandLine::options(std::string_view name) const {
  std::size_t wanted_dashes = 0;
  const std::string_view wanted = option_name(name, wanted_dashes);
  if (wanted_dashes == 0) wanted_dashes = 2;
  std::vector<Option> found;
  for (const Invocation& invocation : invocations)
    for (std::size_t i = 0; i < invocation.words.size(); ++i) {
      const Word& word = invocation.words[i];
      std::size_t dashes = 0;
      if (!is_option(word.text) || !same_name(option_name(word.text, dashes), wanted) || dashes != wanted_dashes) continue;
      Option option{&invocation, &word, "", nullptr};
      if (const std::size_t equals = word.text.find('='); equals != std::string::npos) {
        option.value = word.text.substr(equals + 1);
      } else if (i + 1 < invocation.words.size() && !is_option(invocation.words[i + 1].text)) {
        option.value_word = &invocation.words[i + 1];
        option.value = option.value_word->text;
      }
      found.push_back(std::move(option));
    }
  return found;
}

}  // namespace gpulint
