// rules/new_rule.sh, run in a copy of the layout it writes to: what it makes, and what it refuses.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/golden.h"
#include "tests/support/process.h"

using namespace gpulint::testing;

namespace {

namespace fs = std::filesystem;

/// A folder with the script, one rule and one family of rules.
struct Layout {
  Layout() {
    for (const char* name : {"/rules/checks", "/testdata/rules"}) fs::create_directories(folder.path() + name);
    fs::copy_file("rules/new_rule.sh", folder / "rules/new_rule.sh");
    write_file(folder / "rules/checks/known-rule.cc", "\n");
    write_file(folder / "rules/checks/some_family.rules", "family-rule\n");
  }
  Outcome make(const std::string& id) const { return run({.words = {"bash", folder / "rules/new_rule.sh", id}}); }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("the skeleton names every member of a rule's metadata and both samples") {
  const Layout layout;
  const Outcome outcome = layout.make("missing-node-label");
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  const std::string source = read_file(layout.folder / "rules/checks/missing-node-label.cc");
  CHECK(source.find("extern constinit const Rule missing_node_label{") != std::string::npos);
  for (const char* member : {".id = \"missing-node-label\"", ".group", ".severity", ".fixability", ".summary", ".rationale", ".remediation", ".details", ".parameters",
                             ".sources", ".words", ".check"})
    CHECK_MESSAGE(source.find(member) != std::string::npos, member);
  const std::string samples = layout.folder / "testdata/rules/missing-node-label/";
  CHECK(read_file(samples + "bad.yaml").find("nvidia.com/gpu: 1") != std::string::npos);
  CHECK(read_file(samples + "good.yaml").find("nvidia.com/gpu") == std::string::npos);
}

TEST_CASE("ids that are none, and rules that exist, are refused with nothing written") {
  for (const char* id : {"", "rule", "Missing-label", "missing_label", "missing--label", "-missing-label", "missing-label-", "1-missing", "a b", "../x-y", "known-rule", "family-rule",
                         "a-rule-whose-name-is-so-long-that-the-api-refuses-its-annotation"}) {
    CAPTURE(id);
    const Layout layout;
    const Outcome outcome = layout.make(id);
    CHECK(outcome.status == 2);
    CHECK_FALSE(outcome.err.empty());
    CHECK(fs::is_empty(layout.folder / "testdata/rules"));
  }
}

TEST_CASE("a second run does not overwrite the first") {
  const Layout layout;
  REQUIRE(layout.make("missing-node-label").status == 0);
  write_file(layout.folder / "rules/checks/missing-node-label.cc", "work\n");
  CHECK(layout.make("missing-node-label").status == 2);
  CHECK(read_file(layout.folder / "rules/checks/missing-node-label.cc") == "work\n");
}
