// Judging a run: every named input through the engine, on several threads, to one Report in an order that does not depend on them.
#pragma once
#include <string>
#include <vector>

#include "lint/files.h"
#include "lint/progress.h"
#include "lint/render.h"
#include "rules/engine/engine.h"

namespace gpulint {

struct JudgeOptions {
  unsigned threads = 1;
  InputOptions input = {};
  RenderOptions render = {};
  Trace wanted = {};
  bool list_files = false;  ///< fill Report::files
  Progress* progress = nullptr;  ///< told of each file, where there is one
};

struct Judgement {
  Report report;  ///< with what could not be read and what was passed over
  Trace trace;    ///< what `wanted` asked for; its evidence in the order of chance
  std::vector<std::string> git_troubles;  ///< why .gitignore was not respected
};

/// `paths` as read_files takes them. Memory grows with what is found and with the files that mention a GPU, not with the tree.
Judgement judge(const std::vector<std::string>& paths, const Policy& policy, const JudgeOptions& options = {});

}  // namespace gpulint
