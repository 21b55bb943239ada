// What a program said when it failed, short enough for a summary.
#pragma once
#include <string>
#include <string_view>

namespace gpulint {

/// The first line that begins with `error` or `fatal`, whatever its case; else the first one that is no comment or warning; else the first. Where
/// it only leads up to something (ends in a colon or an open quote) the last line follows. Cut after 300 bytes, between characters. It is
/// shown as foreign text: see visible(). Heads of log lines (time, process) are left out: the same failure reads the same in every run.
std::string first_line(std::string_view text);

}  // namespace gpulint
