#include "lint/report.h"

namespace gpulint {

void write_compact(const Report& report, const ReportOptions& options, Output& out) {
  for (const Finding& finding : report.findings) {
    if (!is_shown(finding, options)) continue;
    out.write(compiler_line(finding));
    out.write("\n");
  }
}

}  // namespace gpulint
