#include "lint/child_groups.h"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace gpulint {
namespace {

// A handler may neither lock nor allocate. More threads than --threads allows do not run children.
constexpr std::size_t kPlaces = 1024;
std::array<std::atomic<pid_t>, kPlaces> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

extern "C" void end_all(int signal_number) {
  for (const std::atomic<pid_t>& group : running)
    if (const pid_t number = group.load(); number > 0) kill(-number, SIGKILL);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void handle_interruptions() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    if (sigaction(number, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = end_all;
    sigaction(number, &action, nullptr);
  }
}

}  // namespace

ChildGroup::ChildGroup(pid_t group) : place_(kPlaces) {
  static std::once_flag once;
  std::call_once(once, handle_interruptions);
  for (std::size_t i = 0; i < kPlaces; ++i) {
    pid_t free = 0;
    if (!running[i].compare_exchange_strong(free, group)) continue;
    place_ = i;
    return;
  }
}

ChildGroup::~ChildGroup() {
  if (place_ < kPlaces) running[place_] = 0;
}

}  // namespace gpulint
