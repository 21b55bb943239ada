// Text that a template engine still has to render: Go templates (Helm), Jinja and Terraform directives.
#pragma once
#include <optional>

#include "rules/document/source.h"

namespace gpulint {

/// The first `{{ }}`, `{% %}` or `%{ }` of a YAML text outside comments, block scalars and quoted scalars (unless the quotes end within it).
/// The text need not be valid YAML: this is asked when it is not.
std::optional<Span> find_template(std::string_view text);

/// `${x}` before any quote on the line of `at`: a shell's or Terraform's, when that line is no YAML.
std::optional<Span> find_variable(std::string_view text, std::size_t at);

/// The whole of the action that begins at `begin`: to its closing braces, or to the end of the line.
Span template_span(std::string_view text, std::size_t begin);

}  // namespace gpulint
