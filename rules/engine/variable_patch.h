// Patches for one environment variable of a container, in whatever form its variables are written: a list of name and value,
// or a map as chart values have it. Several rules repair a variable; none of them has to know the forms.
#pragma once
#include <string_view>
#include <vector>

#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

/// Sets the variable. Empty where there is no literal value to replace, or no place to add one.
std::vector<PatchOp> set_variable(const Container& container, const PodTemplate& pod, std::string_view name, std::string_view value, const Context& context);

/// Removes the variable. Empty where it is set twice: removing the last would bring back the one it hides.
std::vector<PatchOp> remove_variable(const Container& container, std::string_view name, const Context& context);

}  // namespace gpulint
