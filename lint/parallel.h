// Independent pieces of work on a few threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace gpulint {

/// Calls work(0) ... work(count - 1), at most `threads` at a time. What one of them throws comes out when all have ended.
template <class Work>
void for_each_in_parallel(std::size_t count, unsigned threads, Work work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gpulint
