// Progress: a line on a terminal's standard error while a run takes longer than half a second, gone before anything else is written.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace gpulint {

class Progress {
 public:
  /// Shows nothing unless `wanted`, and starts no thread then.
  explicit Progress(bool wanted);
  /// Takes the line away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more file was read; from any thread.
  void file_read() { files_.fetch_add(1, std::memory_order_relaxed); }
  /// What goes on now that every file was read.
  void begin_rendering() { rendering_ = true; }

 private:
  void run();
  std::string line() const;

  std::atomic<std::size_t> files_ = 0;
  std::atomic<bool> rendering_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::jthread thread_;  // the last member: it uses the others
};

/// Whether standard error is a terminal that can take a line back.
bool can_show_progress();

}  // namespace gpulint
