#include "lint/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "lint/exit_status.h"
#include "lint/output.h"

namespace gpulint {

int print(std::string_view text) {
  Output out(STDOUT_FILENO);
  out.write(text);
  const int error = out.flush();
  if (!error) return kExitClean;
  complain(fmt::format("gpulint: cannot write standard output: {}", std::strerror(error)));
  return kExitTrouble;
}

}  // namespace gpulint
