// A place to try renderings in: a folder to stand in, and programs that are found before all others.
#pragma once
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/gpulint_program.h"

namespace gpulint::testing {

using nlohmann::json;

/// One error once it is rendered.
inline const std::string kTemplate =
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  containers:\n    - name: main\n      image: example/train:1.0\n"
    "      resources:\n        requests:\n          nvidia.com/gpu: {{ .Values.gpus }}\n";
struct Place {
  Place() { std::filesystem::create_directory(programs); }
  void install(const std::string& name, const std::string& script) const {
    write_file(programs + "/" + name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(programs + "/" + name, std::filesystem::perms::all);
  }
  void link(const std::string& name, const std::string& program) const {
    std::filesystem::remove(programs + "/" + name);
    std::filesystem::create_symlink(program, programs + "/" + name);
  }
  void chart(const std::string& folder, const std::string& text = kTemplate, const std::string& more = "") const {
    write_file(here / (folder + "/Chart.yaml"), fmt::format("apiVersion: v2\nname: {}\nversion: 0.1.0\n{}", folder.substr(folder.rfind('/') + 1), more));
    if (!text.empty()) write_file(here / (folder + "/templates/pod.yaml"), text);
  }
  Outcome lint(std::vector<std::string> words, bool others = true, Command command = {}) const {
    words.insert(words.begin(), "lint");
    command.directory = here.path();
    command.environment["PATH"] = programs + (others ? std::string(":") + std::getenv("PATH") : std::string());
    return program(words, std::move(command));
  }
  json report(std::vector<std::string> words, bool others = true) const {
    words.insert(words.begin(), {"--output", "json"});
    return json::parse(lint(words, others).out);
  }
  TemporaryFolder here, tools;
  std::string programs = tools / "bin";
};

/// `file:line rule`, errors and warnings only, one a line.
inline std::string found(const json& report) {
  std::string text;
  for (const json& finding : report["findings"])
    if (finding["severity"] != "info")
      text += fmt::format("{}:{} {}\n", finding["file"].get<std::string>(), finding["range"]["start"]["line"].get<int>(), finding["rule"].get<std::string>());
  return text;
}

inline std::string not_judged(const json& report) {
  std::string text;
  for (const json& one : report["summary"]["notJudged"]) text += fmt::format("{}: {}\n", one["file"].get<std::string>(), one["reason"].get<std::string>());
  return text;
}

}  // namespace gpulint::testing
