#include "lint/work_queue.h"

namespace gpulint {
namespace {

// Enough that no thread waits while another lists a folder.
constexpr std::size_t kBatchesPerThread = 4;

}  // namespace

void WorkQueue::add(Work work) {
  const std::lock_guard lock(mutex_);
  batches_ += !work.names.empty();
  waiting_.push_back(std::move(work));
  if (idle_ > 0) changed_.notify_one();
}

bool WorkQueue::offer(Work& work) {
  const std::lock_guard lock(mutex_);
  if (threads_ == 1 || batches_ >= kBatchesPerThread * threads_) return false;
  ++batches_;
  waiting_.push_back(std::move(work));
  if (idle_ > 0) changed_.notify_one();
  return true;
}

std::optional<Work> WorkQueue::next() {
  std::unique_lock lock(mutex_);
  ++idle_;
  // The last thread that finds nothing ends the run: only working threads add work.
  while (waiting_.empty() && !stopped_ && idle_ < threads_) changed_.wait(lock);
  if (waiting_.empty() || stopped_) {
    stopped_ = true;
    changed_.notify_all();
    return std::nullopt;
  }
  --idle_;
  Work work = std::move(waiting_.back());
  waiting_.pop_back();
  batches_ -= !work.names.empty();
  return work;
}

void WorkQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace gpulint
