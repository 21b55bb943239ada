#include "lint/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "lint/output.h"
#include "lint/summary_text.h"

namespace gpulint {
namespace {

constexpr std::chrono::milliseconds kSilence{500};   // who waits no longer does not need to know
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

Progress::Progress(bool wanted) {
  if (wanted) thread_ = std::jthread([this] { run(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
  show_status({});
}

std::string Progress::line() const {
  return fmt::format("gpulint: {} read{}", count_of(files_.load(std::memory_order_relaxed), "file", "files"), rendering_ ? ", rendering" : "");
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  for (auto wait = kSilence; !ended_.wait_for(lock, wait, [this] { return over_; }); wait = kInterval) show_status(line());
}

bool can_show_progress() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

}  // namespace gpulint
