// Judging a run: every named input through the engine, on several threads, to one Report in an order that does not depend on them.
#pragma once
#include <string>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {

struct UnreadableInput {
  std::string path, reason;
};

struct Judgement {
  Report report;
  std::vector<UnreadableInput> unreadable;  ///< ordered by path
  Trace trace;                              ///< what `wanted` asked for; its evidence in the order of chance
};

/// `paths` as read_files takes them. Memory grows with what is found and with the files that mention a GPU, not with the tree.
Judgement judge(const std::vector<std::string>& paths, const Policy& policy, unsigned threads, const Trace& wanted = {});

}  // namespace gpulint
