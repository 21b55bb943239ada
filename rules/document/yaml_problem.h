// What is wrong in a text that libyaml cannot read, as a person understands it.
#pragma once
#include <yaml.h>

#include "rules/document/source.h"
#include "rules/document/tree_builder.h"
#include "rules/document/yaml_spans.h"

namespace gpulint {

Problem explain(const yaml_parser_t& parser, const Source& source, YamlSpans& spans);

}  // namespace gpulint
