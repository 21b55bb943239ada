#include "rules/engine/variable_patch.h"

#include <algorithm>

namespace gpulint {
std::vector<PatchOp> set_variable(const Container& container, const PodTemplate& pod, std::string_view name, std::string_view value, const Context& context) {
  const std::string text = json_string(value);
  if (const EnvironmentVariable* variable = container.variable(name)) {
    const Node* literal = variable->node->is_mapping() ? variable->node->find("value") : variable->node;
    if (!literal || !literal->is_scalar()) return {};
    return {replace_op(context.pointer(*literal), text)};
  }
  const std::string element = fmt::format(R"({{"name":{},"value":{}}})", json_string(name), text);
  const Node* env = container.env_node;
  if (env && env->is_sequence()) return {add_op(context.pointer(*env).append("-"), element)};
  if (env && env->is_mapping()) return {add_op(context.pointer(*env).append(name), text)};
  if (env || pod.partial) return {};
  return {add_op(context.pointer(*container.node).append("env"), "[" + element + "]")};
}

std::vector<PatchOp> remove_variable(const Container& container, std::string_view name, const Context& context) {
  const auto is_it = [&](const EnvironmentVariable& variable) { return variable.name == name; };
  if (std::count_if(container.env.begin(), container.env.end(), is_it) != 1) return {};
  return {remove_op(context.pointer(*container.variable(name)->node))};
}

}  // namespace gpulint
