// KeyedLines: the lines of a YAML text, or of a template of one, each with the keys and the template's actions that it lies under.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

class KeyedLines {
 public:
  struct Line {
    std::string_view text;     ///< without indentation and line end
    std::size_t indent = 0;    ///< of the text
    std::size_t key_column = 0, key_size = 0;  ///< of the key, from 0; size 0: the line has none
    std::string path;          ///< `spec/template/spec/containers/name`, with the line's own key; empty where it has none
    std::optional<std::size_t> parent;  ///< the line of the key, or the first line of the list's element, that it lies under
    std::size_t object = 0;    ///< which of objects() it is a part of
    std::size_t branch = 0;    ///< lines of one number are printed together or not at all; 0: always
    bool repeats = false;      ///< lies in a `range`
  };

  /// The lines that say what an object is, as they stand; branches of a template may hold several.
  struct Object {
    std::vector<std::string_view> kinds, names;
  };

  /// The text must outlive this.
  explicit KeyedLines(std::string_view text);
  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Object>& objects() const { return objects_; }

 private:
  std::vector<Line> lines_;
  std::vector<Object> objects_;
};

/// Whether a line of a template may become this text: its actions print anything, what stands around them stands there.
bool may_print(std::string_view line, std::string_view text);

}  // namespace gpulint
