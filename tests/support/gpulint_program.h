// The program `gpulint`, run as people and scripts run it.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/process.h"

namespace gpulint::testing {

inline constexpr const char* kProgram = GPULINT_BINARY_DIR "/gpulint";
/// Without a limit: one error everywhere, and infos.
inline constexpr const char* kBad =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n    - name: main\n      image: example/train:1.0\n"
    "      resources:\n        requests: {nvidia.com/gpu: 1}\n";
inline constexpr const char* kGood = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {key: value}\n";

inline Outcome program(std::vector<std::string> words, Command command = {}) {
  command.words = {kProgram};
  command.words.insert(command.words.end(), words.begin(), words.end());
  return run(command);
}

/// A folder to stand in, as a user does: names in reports are then short and the same everywhere.
struct Workplace {
  Workplace() {
    write_file(folder / "bad.yaml", kBad);
    write_file(folder / "good.yaml", kGood);
    write_file(folder / "list.txt", kBad);
    write_file(folder / "sub/good.json", R"({"apiVersion": "v1", "kind": "ConfigMap"})");
    write_file(folder / "rules/good.yaml", kGood);
  }
  Outcome program(std::vector<std::string> words, Command command = {}) const {
    command.directory = folder.path();
    return testing::program(std::move(words), std::move(command));
  }
  TemporaryFolder folder;
};

}  // namespace gpulint::testing
