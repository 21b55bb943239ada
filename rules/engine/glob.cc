// Globs of the configuration, as .gitignore users know them, compiled to RE2 once a pattern.
#include <re2/re2.h>

#include <mutex>
#include <unordered_map>

#include "rules/engine/policy.h"

namespace gpulint {
namespace {

/// `[abc]`, `[!a-z]` at `begin`; gives the index behind it, or `begin` when the bracket is never closed (then it is a plain character).
std::size_t translate_set(std::string_view glob, std::size_t begin, std::string& pattern) {
  std::size_t i = begin + 1;
  const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  if (negated) ++i;
  const std::size_t first = i;
  const std::size_t close = glob.find(']', first + 1);
  if (first >= glob.size() || close == std::string_view::npos) return begin;
  std::string members;
  for (; i < close; ++i) {
    if (glob[i] == '\\' || glob[i] == '[' || glob[i] == ']' || glob[i] == '^') members += '\\';
    members += glob[i];
  }
  pattern += (negated ? "[^/" : "[") + members + "]";
  return close + 1;
}

std::string translate(std::string_view glob) {
  std::string pattern;
  for (std::size_t i = 0; i < glob.size();) {
    const std::string_view rest = glob.substr(i);
    const bool at_folder = i == 0 || glob[i - 1] == '/';
    if (at_folder && rest.starts_with("**/")) {
      pattern += "(?:.*/)?";
      i += 3;
    } else if (rest.starts_with("**")) {
      pattern += ".*";
      i += 2;
    } else if (rest[0] == '*' || rest[0] == '?') {
      pattern += rest[0] == '*' ? "[^/]*" : "[^/]";
      ++i;
    } else if (const std::size_t behind = rest[0] == '[' ? translate_set(glob, i, pattern) : i; behind != i) {
      i = behind;
    } else {
      pattern += RE2::QuoteMeta(re2::StringPiece(rest.data(), 1));
      ++i;
    }
  }
  return pattern;
}

std::shared_ptr<const RE2> compile(std::string_view glob) {
  const std::string literal(glob);
  if (glob.starts_with("./")) glob.remove_prefix(2);
  const bool only_inside = glob.ends_with('/'), from_top = glob.starts_with('/');  // `lab/`: what is in such a folder; `/lab`: not at any depth
  if (only_inside) glob.remove_suffix(1);
  if (from_top && !glob.empty()) glob.remove_prefix(1);
  const bool any_depth = !from_top && glob.find('/') == std::string_view::npos;
  const std::string text = (any_depth ? "(?:.*/)?" : "/?") + translate(glob) + (only_inside ? "/.*" : "(?:/.*)?");
  RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  auto compiled = std::make_shared<const RE2>(text, options);
  if (compiled->ok()) return compiled;
  return std::make_shared<const RE2>(RE2::QuoteMeta(literal), options);  // `[z-a]`: taken literally
}

std::shared_ptr<const RE2> compiled(std::string_view glob) {
  constexpr std::size_t kMost = 4096;  // a server that reloads its configuration for years must not keep every pattern it ever saw
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<const RE2>> cache;
  const std::lock_guard lock(mutex);
  if (cache.size() > kMost) cache.clear();
  std::shared_ptr<const RE2>& entry = cache[std::string(glob)];
  if (!entry) entry = compile(glob);
  return entry;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return false;
  if (path.starts_with("./")) path.remove_prefix(2);
  return RE2::FullMatch(re2::StringPiece(path.data(), path.size()), *compiled(pattern));
}

}  // namespace gpulint
