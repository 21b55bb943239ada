// The progress line: on a terminal, for runs above half a second, gone before anything else is written.
#include "lint/progress.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"

using namespace gpulint::testing;

namespace {

/// What a terminal gets of a run that waits a second for its last file, both outputs as they come.
std::string on_terminal(const std::string& words, const std::string& terminal = "xterm") {
  const TemporaryFolder folder;
  write_file(folder / "bad.yaml", kBad);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const std::string command = "cd " + folder.path() + " && (sleep 1; echo a: 1 > pipe) & cd " + folder.path() + " && " + kProgram +
                              " bad.yaml pipe missing.yaml --threads 1 " + words;
  return run({.words = {"script", "-qec", "bash -c '" + command + "'", "/dev/null"}, .environment = {{"TERM", terminal}}}).out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a long run says how far it is, and takes that away before it says anything else") {
  const std::string text = on_terminal("");
  REQUIRE(has(text, "gpulint: 1 file read"));
  const std::size_t last = text.rfind("file read"), erased = text.find("\r\x1b[K", last);
  REQUIRE(erased != std::string::npos);
  for (const char* said : {"gpulint: cannot read missing.yaml", "bad.yaml:9:36:", "Checked 2 files"}) {
    CAPTURE(said);
    CHECK(text.find(said) != std::string::npos);
    CHECK(text.find(said) > erased);
  }
}

TEST_CASE("no progress where nobody could read it or wants it") {
  CHECK_FALSE(has(on_terminal("--quiet"), "file read"));
  CHECK_FALSE(has(on_terminal("2>/dev/null"), "file read"));
  CHECK_FALSE(has(on_terminal("", "dumb"), "file read"));
  CHECK(has(on_terminal(">/dev/null"), "file read"));
}

TEST_CASE("a short run, and standard input, show none") {
  const Workplace place;
  for (const std::string& command : {std::string(kProgram) + " bad.yaml", "(sleep 1; cat bad.yaml) | " + std::string(kProgram) + " -"}) {
    const Outcome outcome =
        run({.words = {"script", "-qec", "cd " + place.folder.path() + " && " + command, "/dev/null"}, .environment = {{"TERM", "xterm"}}});
    CHECK(has(outcome.out, "Checked 1 file"));
    CHECK_FALSE(has(outcome.out, "file read"));
  }
}
