// Other programs are run with bounds: whatever they do, they end, and nothing of them is left behind.
#include "lint/child_process.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/support/golden.h"
#include "tests/support/process.h"

using namespace gpulint;
using gpulint::testing::TemporaryFolder;
using Clock = std::chrono::steady_clock;

namespace {

ChildCommand shell(const std::string& script, std::size_t limit = 1 << 20, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  return {.words = {"sh", "-c", script}, .timeout = timeout, .output_limit = limit};
}

/// Whether a process of that number, written to a file by a script, is gone (soon).
bool is_gone(const std::string& file) {
  const pid_t number = std::stoi(testing::read_file(file));
  for (int i = 0; i < 500 && kill(number, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return kill(number, 0) != 0;
}

}  // namespace

TEST_CASE("output, status and what was said") {
  struct Row { const char* script; ChildEnd end; int status; const char *out, *err; };
  for (const Row& row : {Row{"echo out; echo err >&2", ChildEnd::exited, 0, "out\n", "err\n"}, {"exit 3", ChildEnd::exited, 3, "", ""},
                         {"kill -TERM $$", ChildEnd::killed, SIGTERM, "", ""}, {"cat", ChildEnd::exited, 0, "", ""},
                         {"exec >&- 2>&-; sleep 0.2; exit 4", ChildEnd::exited, 4, "", ""}, {"echo $GIVEN$TAKEN", ChildEnd::exited, 0, "yes\n", ""}}) {
    CAPTURE(row.script);
    ChildCommand command = shell(row.script);
    setenv("TAKEN", "no", 1);
    command.environment = {{"GIVEN", "yes"}, {"TAKEN", std::nullopt}};
    const ChildResult result = run_child(command);
    CHECK(result.end == row.end);
    CHECK(result.status == row.status);
    CHECK(result.out == row.out);
    CHECK(result.err == row.err);
  }
  const TemporaryFolder folder;
  ChildCommand elsewhere = shell("pwd -P");
  elsewhere.directory = folder.path();
  CHECK(run_child(elsewhere).out == folder.path() + "\n");
}

TEST_CASE("a program that is not there, or is none") {
  const TemporaryFolder folder;
  CHECK(run_child({.words = {"no-such-program"}}).end == ChildEnd::not_found);
  testing::write_file(folder / "text", "x");
  const ChildResult result = run_child({.words = {folder / "text"}});
  CHECK(result.end == ChildEnd::not_started);
  CHECK(result.status == EACCES);
  CHECK_FALSE(is_installed("no-such-program"));
  CHECK(is_installed("sh"));
}

TEST_CASE("too much output ends the program, much of it on standard error does not") {
  CHECK(run_child(shell("printf 1234567890", 10)).out == "1234567890");
  CHECK(run_child(shell("printf 12345678901", 10)).end == ChildEnd::too_much_output);
  const auto begin = Clock::now();
  CHECK(run_child(shell("yes", 1 << 20)).end == ChildEnd::too_much_output);
  CHECK(Clock::now() - begin < std::chrono::seconds(10));
  const ChildResult chatty = run_child(shell("yes | head -c 1000000 >&2; echo done"));
  CHECK(chatty.out == "done\n");
  CHECK(chatty.err.size() == 65536);
}

TEST_CASE("when the time is up the program is ended with all it started") {
  const TemporaryFolder folder;
  for (const char* rest : {"wait", "exec >&- 2>&-; wait", "trap '' TERM INT; wait"}) {
    CAPTURE(rest);
    const auto begin = Clock::now();
    const ChildResult result = run_child(shell("sleep 100 & echo $! > '" + (folder / "number") + "'; " + rest, 100, std::chrono::milliseconds(400)));
    CHECK(result.end == ChildEnd::timed_out);
    CHECK(Clock::now() - begin < std::chrono::seconds(10));
    CHECK(is_gone(folder / "number"));
  }
}

TEST_CASE("what a program leaves running when it ends is ended, also where it holds the output open") {
  const TemporaryFolder folder;
  for (const char* output : {" >&- 2>&-", ""}) {
    const auto begin = Clock::now();
    const ChildResult result = run_child(shell(std::string("sleep 100") + output + " & echo $! > '" + (folder / "number") + "'; echo done"));
    CHECK(result.out == "done\n");
    CHECK(result.succeeded());
    CHECK(is_gone(folder / "number"));
    CHECK(Clock::now() - begin < std::chrono::seconds(10));
  }
}
