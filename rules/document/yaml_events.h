// YamlEvents: libyaml's parser over one text, with its current event.
#pragma once
#include <yaml.h>

#include <string_view>

namespace gpulint {

class YamlEvents {
 public:
  explicit YamlEvents(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlEvents() {
    release();
    yaml_parser_delete(&parser_);
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

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

}  // namespace gpulint
