#include "lint/report.h"
#include "lint/xml_text.h"

namespace gpulint {

// The version is that of Checkstyle whose form this is; readers look at nothing else of it.
void write_checkstyle(const Report& report, const ReportOptions& options, Output& out) {
  out.write(std::string(kXmlHead) + "<checkstyle version=\"4.3\">\n");
  const std::string* file = nullptr;
  for (const Finding* finding : open_findings(report, options)) {
    if (!file || *file != finding->file) {
      out.write((file ? "  </file>\n" : "") + std::string("  <file") + xml_attribute("name", finding->file) + ">\n");
      file = &finding->file;
    }
    out.write("    <error" + xml_attribute("line", finding->range.start.line) + xml_attribute("column", finding->range.start.column) +
              xml_attribute("severity", name_of(finding->severity)) + xml_attribute("message", finding->message) +
              xml_attribute("source", "gpulint." + std::string(finding->rule->id)) + "/>\n");
  }
  if (file) out.write("  </file>\n");
  out.write("</checkstyle>\n");
}

}  // namespace gpulint
