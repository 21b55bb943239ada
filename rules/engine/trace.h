// Trace: what a run can be asked to tell beside its report: where its time went (`gpulint lint --profile-rules`) and what each object says of its
// cluster (`--explain-cluster`). Inspecting without one costs nothing; each thread writes into its own.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "rules/document/source.h"

namespace gpulint {

/// Time spent in one place, and how often it was entered.
struct Timing {
  std::chrono::nanoseconds time{};
  std::size_t calls = 0;
  Timing& operator+=(const Timing& other);
};

/// What one object says of the cluster it was written for.
struct ClusterEvidence {
  std::string file;
  std::size_t document = 0;
  Position position;
  std::string conclusion;  ///< "gke", "kai"
  std::string shown_by;    ///< "key cloud.google.com/gke-accelerator"
};

struct Trace {
  bool times = false;    ///< whether the timings are wanted
  bool cluster = false;  ///< whether the evidence is wanted

  std::vector<Timing> rules = {};  ///< in the order of all_rules(); a call is one object, of document rules one document
  Timing reading = {};             ///< text to trees; a call is a file
  Timing decoding = {};            ///< trees to objects, pods and containers
  Timing finishing = {};           ///< suppressions, excerpts, fingerprints
  std::vector<ClusterEvidence> evidence = {};

  Trace& operator+=(Trace&& other);
};

/// Adds the time until the end of its scope; does not look at the clock when there is nothing to add to.
class Stopwatch {
 public:
  explicit Stopwatch(Timing* timing) : timing_(timing) {
    if (timing_) begin_ = std::chrono::steady_clock::now();
  }
  ~Stopwatch() {
    if (timing_) *timing_ += {std::chrono::steady_clock::now() - begin_, 1};
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Timing* timing_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace gpulint
