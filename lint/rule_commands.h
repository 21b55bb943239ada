// `gpulint rules` and `gpulint explain`: what the rules' own metadata says.
#pragma once
#include <string>

namespace gpulint {

/// `format` is table, json or markdown.
int list_rules(const std::string& format);
int explain(const std::string& rule);

}  // namespace gpulint
