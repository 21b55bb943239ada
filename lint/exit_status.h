// Exit statuses: what scripts rely on.
#pragma once

namespace gpulint {

enum ExitStatus : int {
  kExitClean = 0,     ///< nothing at or above --fail-on
  kExitFindings = 1,  ///< something is
  kExitTrouble = 2,   ///< wrong usage, unreadable input, broken configuration, a report that could not be written
};

}  // namespace gpulint
