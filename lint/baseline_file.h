// The baseline on disk: read before a run, written after one, and what is said about it.
#pragma once
#include <memory>
#include <string>

#include "rules/engine/baseline.h"

namespace gpulint {

/// Null when it cannot be read or is wrong; standard error says where and what to do. `paths` says where its files are looked for.
std::shared_ptr<const Baseline> read_baseline(const std::string& path, const PathBase& paths);

/// Whether it could be written; says so, or what came in between, on standard error. `is_named`: settings name this file, so that the next
/// run reads it.
bool write_baseline(const std::string& path, const Report& report, bool is_named, bool quiet);

/// Tells of entries that are found no more, and how the baseline gets rid of them.
void tell_stale_entries(const Report& report, const std::string& path);

}  // namespace gpulint
