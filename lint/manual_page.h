// `gpulint man`: the manual page, written from the commands themselves, in the man macros of roff.
#pragma once
#include <string>
#include <vector>

#include "lint/command_shape.h"

namespace gpulint {

/// `date` as YYYY-MM-DD; empty where it is not known.
std::string manual_page(const std::vector<CommandShape>& shapes, const std::string& date);
int print_manual_page(CLI::App& program);

}  // namespace gpulint
