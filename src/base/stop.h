// Stop: asks running work to end early.
#pragma once

#include <atomic>

namespace tracebraid {

// A request stays until clear(), so that work that begins later ends at once.
class Stop {
 public:
  // Safe on any thread and in a signal handler.
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }
  // Clears the request. For an owner that uses one Stop for several runs: call it between runs.
  void clear() noexcept { requested_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace tracebraid
