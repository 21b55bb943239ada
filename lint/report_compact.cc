#include "lint/report.h"

namespace gpulint {

void write_compact(const Report& report, const ReportOptions& options, Output& out) {
  for (const Finding* finding : listed_findings(report, options, options.max_findings)) {
    out.write(compiler_line(*finding));
    out.write("\n");
  }
  out.write(left_out_line(report, options));
}

}  // namespace gpulint
