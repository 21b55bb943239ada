// ChildGroups: the process groups of programs that run for this process, so that an interruption ends them too.
#pragma once
#include <sys/types.h>

#include <cstddef>

namespace gpulint {

/// One running process group, for as long as it runs. The first one makes SIGINT, SIGTERM and SIGHUP end all groups before they end this
/// process (where they would have ended it; a signal that is ignored or handled stays so).
class ChildGroup {
 public:
  explicit ChildGroup(pid_t group);
  ~ChildGroup();
  ChildGroup(const ChildGroup&) = delete;
  ChildGroup& operator=(const ChildGroup&) = delete;

 private:
  std::size_t place_;
};

}  // namespace gpulint
