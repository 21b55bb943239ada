#include "rules/engine/finding.h"
#include "rules/engine/rule.h"

namespace gpulint {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: break;
  }
  return "error";
}

std::string_view name_of(Safety safety) { return safety == Safety::safe ? "safe" : "unsafe"; }

std::string_view name_of(Fixability fixability) {
  switch (fixability) {
    case Fixability::no: return "no";
    case Fixability::unsafe: return "unsafe";
    case Fixability::safe: break;
  }
  return "safe";
}

std::string_view name_of(Group group) {
  switch (group) {
    case Group::resources: return "resources";
    case Group::runtime: return "runtime";
    case Group::visibility: return "visibility";
    case Group::command: return "command";
    case Group::scheduling: return "scheduling";
    case Group::memory: return "memory";
    case Group::components: return "components";
    case Group::node: return "node";
    case Group::input: break;
  }
  return "input";
}

std::string_view title_of(Group group) {
  switch (group) {
    case Group::resources: return "GPU resources";
    case Group::runtime: return "Runtime";
    case Group::visibility: return "Visibility and isolation";
    case Group::command: return "Command and images";
    case Group::scheduling: return "Scheduling and rollout";
    case Group::memory: return "Memory and network";
    case Group::components: return "Cluster components";
    case Group::node: return "Node configuration";
    case Group::input: break;
  }
  return "Input";
}

std::string_view name_of(PatchOp::Kind kind) {
  switch (kind) {
    case PatchOp::Kind::add: return "add";
    case PatchOp::Kind::remove: return "remove";
    case PatchOp::Kind::replace: return "replace";
    case PatchOp::Kind::move: return "move";
    case PatchOp::Kind::test: break;
  }
  return "test";
}

}  // namespace gpulint
