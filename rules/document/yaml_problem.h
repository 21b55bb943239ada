// What is wrong in a text that libyaml cannot read, as a person understands it.
#pragma once
#include <yaml.h>

#include "rules/document/code_points.h"
#include "rules/document/source.h"
#include "rules/document/tree_builder.h"

namespace gpulint {

/// `parsed` is the text that the parser was given; its problem becomes a span of `source`.
Problem explain(const yaml_parser_t& parser, const Source& source, Span parsed, CodePoints& places);

}  // namespace gpulint
