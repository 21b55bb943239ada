// The twenty cases of testdata/cases: well-known mistakes, and what must and must not be said of them on which cluster.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "rules/engine/engine.h"
#include "tests/corpus/manifests.h"
#include "tests/support/golden.h"

namespace gpulint {
namespace {

constexpr std::string_view kFolder = "testdata/cases/";

struct Row {
  std::string file, cluster, rule, severity, pointer, expect, why;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  std::istringstream lines(testing::read_file(fmt::format("{}expected.tsv", kFolder)));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row row;
    std::istringstream cells(line);
    for (std::string* cell : {&row.file, &row.cluster, &row.rule, &row.severity, &row.pointer, &row.expect, &row.why}) std::getline(cells, *cell, '\t');
    REQUIRE_MESSAGE((row.expect == "must" || row.expect == "mustnot"), line);
    all.push_back(row);
  }
  return all;
}

bool reaches(const Finding& finding, const Row& row) {
  constexpr std::string_view kOrder[] = {"info", "warning", "error"};
  if (row.severity == "*") return true;
  const auto wanted = std::find(std::begin(kOrder), std::end(kOrder), row.severity) - std::begin(kOrder);
  const auto actual = static_cast<std::ptrdiff_t>(finding.severity);
  return row.expect == "must" ? actual == wanted : actual >= wanted;
}

bool is_meant(const Finding& finding, const Row& row) {
  const JsonPointer place(row.pointer == "/" ? "" : row.pointer);
  return (row.rule == "*" || finding.rule->id == row.rule) && place.contains(finding.pointer) && reaches(finding, row);
}

TEST_CASE("each case has the findings it must have, and none it must not") {
  const std::vector<Row> all = rows();
  CHECK(all.size() >= 20);
  for (const Row& row : all) {
    const std::string path = fmt::format("{}{}", kFolder, row.file);
    const Source source(path, testing::read_file(path));
    const FileReport report = inspect(source, testing::policy_for(row.cluster));
    std::string found;
    for (const Finding& finding : report.findings) found += fmt::format("  {} {} {}\n", name_of(finding.severity), finding.rule->id, finding.pointer.text());
    // A rule that is not built yet has nothing to say.
    if (row.expect == "must" && !find_rule(row.rule)) continue;
    const bool any = std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) { return is_meant(finding, row); });
    CHECK_MESSAGE(any == (row.expect == "must"),
                  fmt::format("{} [{}] {} {} {} {}: {}\nfound:\n{}", row.file, row.cluster, row.expect, row.rule, row.severity, row.pointer, row.why, found));
  }
}

}  // namespace
}  // namespace gpulint
