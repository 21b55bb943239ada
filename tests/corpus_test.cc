// The public manifests of ../shared: nothing crashes, the output is the same bytes however it is made, and every warning and error
// on them has been read by a person, whose verdict stands in tests/corpus/verdicts.tsv. A new finding fails until it is read:
// GPULINT_UPDATE=1 adds it as `unread`, and drops what is no longer found.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <set>
#include <sstream>

#include "lint/judge.h"
#include "lint/report.h"
#include "rules/engine/engine.h"
#include "tests/corpus/manifests.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"

namespace gpulint {
namespace {

constexpr std::string_view kTable = "tests/corpus/verdicts.tsv";

std::string json_of(const Report& report) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "report.json";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(descriptor >= 0);
  {
    Output out(descriptor);
    write_json(report, {}, out);
    CHECK(out.flush() == 0);
  }
  close(descriptor);
  return testing::read_file(path);
}

TEST_CASE("every public manifest is judged, and twice gives the same bytes on one thread and on eight") {
  if (!testing::has_corpus("determinism on public manifests")) return;
  const std::vector<std::string> files = testing::files_below(testing::kCorpus);
  CHECK(files.size() == 708);
  const Policy policy;
  const std::string one = json_of(judge(files, policy, {.threads = 1}).report);
  CHECK(one.size() > 100'000);
  CHECK(testing::difference(one, json_of(judge(files, policy, {.threads = 8}).report)).empty());
  CHECK(testing::difference(one, json_of(judge(files, policy, {.threads = 8}).report)).empty());
}

TEST_CASE("every public manifest is judged under every preset and add-on") {
  if (!testing::has_corpus("presets on public manifests")) return;
  const std::vector<std::string> files = testing::files_below(testing::kCorpus);
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    const Report report = judge(files, testing::policy_for(fmt::format("{}+dra+kai+taint:nvidia.com/gpu=present:NoSchedule", preset.name)), {.threads = 2}).report;
    CHECK(report.counts.files == files.size());
    for (const Finding& finding : report.findings) CHECK_MESSAGE(finding.range.start.line <= finding.range.end.line, finding.file, ": ", finding.message);
  }
}

using Key = std::string;  // file, cluster, pointer, rule, severity, joined by tabs
struct Verdict {
  std::string verdict, why;
};

std::map<Key, Verdict> read_table() {
  std::map<Key, Verdict> table;
  if (!std::filesystem::exists(kTable)) return table;
  std::istringstream lines(testing::read_file(kTable));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t why = line.rfind('\t'), verdict = line.rfind('\t', why - 1);
    REQUIRE_MESSAGE(verdict != std::string::npos, line);
    table[line.substr(0, verdict)] = {line.substr(verdict + 1, why - verdict - 1), line.substr(why + 1)};
  }
  return table;
}

// The message is kept beside the key: it is what a reader judges.
std::map<Key, std::string> found_now() {
  std::map<Key, std::string> found;
  for (const std::string& file : testing::files_below(testing::kCorpus))
    for (const std::string_view cluster : {std::string_view("generic"), testing::cluster_of(file)}) {
      if (cluster.empty()) continue;
      const Report report = judge({file}, testing::policy_for(cluster)).report;
      for (const Finding& finding : report.findings)
        if (finding.severity != Severity::info && !finding.suppressed)
          found[fmt::format("{}\t{}\tdoc{}:{}\t{}\t{}", testing::corpus_name(file), cluster, finding.document, finding.pointer.text(),
                            finding.rule->id, name_of(finding.severity))] = finding.message;
    }
  return found;
}

void write_table(const std::map<Key, Verdict>& table) {
  std::string text =
      "# Every warning and error on the public manifests, and what a reader said of it. tests/README.md explains the columns.\n"
      "# file\tcluster\tpointer\trule\tseverity\tverdict\twhy\n";
  for (const auto& [key, verdict] : table) text += fmt::format("{}\t{}\t{}\n", key, verdict.verdict, verdict.why);
  testing::write_file(kTable, text);
}

TEST_CASE("every warning and error on the public manifests has been read") {
  if (!testing::has_corpus("verdicts on public manifests")) return;
  const std::map<Key, Verdict> table = read_table();
  const std::map<Key, std::string> found = found_now();
  std::map<Key, Verdict> updated;
  for (const auto& [key, message] : found) {
    const auto known = table.find(key);
    updated[key] = known == table.end() ? Verdict{"unread", message} : known->second;
    if (known == table.end() && !testing::updating_goldens()) FAIL_CHECK("new: ", key, "\n", message, "\n(GPULINT_UPDATE=1 adds it, to be read)");
  }
  for (const auto& [key, verdict] : table)
    if (!found.contains(key) && !testing::updating_goldens()) FAIL_CHECK("no longer found: ", key, " (", verdict.verdict, ": ", verdict.why, ")");
  if (testing::updating_goldens() && updated.size() + table.size() > 0) write_table(updated);
  const std::set<std::string> known_verdicts{"right", "debatable"};
  for (const auto& [key, verdict] : updated) {
    CHECK_MESSAGE(known_verdicts.contains(verdict.verdict), key, ": ", verdict.verdict, ": ", verdict.why);
    CHECK_MESSAGE(!verdict.why.empty(), key, ": a verdict has a reason");
  }
}

}  // namespace
}  // namespace gpulint
