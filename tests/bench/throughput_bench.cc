// Throughput of the reader, the word filter and the rules on one core, and what each is as a part of two references measured in the
// same run: bare libyaml events (what any YAML tool pays at least) and memchr (what touching the bytes costs).
#include <benchmark/benchmark.h>
#include <yaml.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rules/engine/engine.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

// Manifests in memory: the public ones of ../shared, else those of testdata; repeated up to about 8 MB.
const std::vector<std::unique_ptr<Source>>& manifests() {
  static const auto sources = [] {
    std::vector<std::unique_ptr<Source>> read;
    const fs::path folder = fs::exists("../shared/corpus/files") ? "../shared/corpus/files" : "testdata";
    std::size_t bytes = 0;
    while (bytes < (std::size_t{8} << 20)) {
      const std::size_t before = bytes;
      for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || (entry.path().extension() != ".yaml" && entry.path().extension() != ".yml")) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        read.push_back(std::make_unique<Source>(entry.path().string(), std::string(std::istreambuf_iterator<char>(in), {})));
        bytes += read.back()->bytes().size();
      }
      if (bytes == before) break;
    }
    return read;
  }();
  return sources;
}

template <class Work>
void over_manifests(benchmark::State& state, Work work) {
  std::size_t bytes = 0;
  for (const auto& source : manifests()) bytes += source->bytes().size();
  for (auto _ : state)
    for (const auto& source : manifests()) work(*source);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void memchr_lines(benchmark::State& state) {
  over_manifests(state, [](const Source& source) {
    std::size_t lines = 0;
    const char* at = source.bytes().data();
    const char* const end = at + source.bytes().size();
    while (at < end && (at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))))) ++at, ++lines;
    benchmark::DoNotOptimize(lines);
  });
}

void memchr_rare_byte(benchmark::State& state) {
  over_manifests(state, [](const Source& source) { benchmark::DoNotOptimize(std::memchr(source.bytes().data(), 1, source.bytes().size())); });
}

void word_filter(benchmark::State& state) {
  const Policy policy;
  over_manifests(state, [&](const Source& source) { benchmark::DoNotOptimize(policy.words().found_in(source.bytes())); });
}

// The whole text, as when the word stands nowhere: none of these is in a manifest.
void word_filter_absent(benchmark::State& state) {
  const WordFilter filter({"nvidiq", "amd.con", "habana.aj", "gqu", "cudb", "visible_devjces", "tpv", "neurom"});
  over_manifests(state, [&](const Source& source) { benchmark::DoNotOptimize(filter.found_in(source.bytes())); });
}

void libyaml_events(benchmark::State& state) {
  over_manifests(state, [](const Source& source) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(source.bytes().data()), source.bytes().size());
    for (bool done = false; !done;) {
      yaml_event_t event;
      if (!yaml_parser_parse(&parser, &event)) break;
      done = event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
  });
}

void read_all(benchmark::State& state) {
  over_manifests(state, [](const Source& source) { benchmark::DoNotOptimize(read_yaml(source, {}).list.size()); });
}

void read_with_filter(benchmark::State& state) {
  const Policy policy;
  over_manifests(state, [&](const Source& source) { benchmark::DoNotOptimize(read_yaml(source, {.words = &policy.words()}).list.size()); });
}

void inspect_all_rules(benchmark::State& state) {
  const Policy policy;
  over_manifests(state, [&](const Source& source) { benchmark::DoNotOptimize(inspect(source, policy).findings.size()); });
}

BENCHMARK(memchr_rare_byte);
BENCHMARK(memchr_lines);
BENCHMARK(word_filter_absent);
BENCHMARK(word_filter);
BENCHMARK(libyaml_events);
BENCHMARK(read_all);
BENCHMARK(read_with_filter);
BENCHMARK(inspect_all_rules);

// The usual table, and the ratios below it.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs)
      if (const auto rate = run.counters.find("bytes_per_second"); rate != run.counters.end()) rates_.emplace_back(run.benchmark_name(), rate->second.value);
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    std::map<std::string, double> by_name(rates_.begin(), rates_.end());
    std::printf("\n%-20s %10s %16s %16s\n", "one core", "MB/s", "x libyaml", "x memchr lines");
    for (const auto& [name, rate] : rates_)
      std::printf("%-20s %10.1f %16.2f %16.3f\n", name.c_str(), rate / 1e6, rate / by_name["libyaml_events"], rate / by_name["memchr_lines"]);
  }

 private:
  std::vector<std::pair<std::string, double>> rates_;
};

}  // namespace
}  // namespace gpulint

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  gpulint::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
