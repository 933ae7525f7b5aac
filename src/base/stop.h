// Stop: asks running work to end early.
#pragma once

#include <atomic>
#include <cstdint>

namespace tracebraid {

// A request stays until clear(), so that work that begins later ends at once.
class Stop {
 public:
  // Safe on any thread and in a signal handler.
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept {
    if (request_at_ != 0) count();
    return requested_.load(std::memory_order_relaxed);
  }
  // Clears the request. For an owner that uses one Stop for several runs: call it between runs.
  void clear() noexcept { requested_.store(false, std::memory_order_relaxed); }

  // For tests of work that checks it: makes the request at a call of requested(), the first of
  // which has the number 1, and counts the calls. Call it between runs.
  void request_at(uint64_t call) noexcept {
    clear();
    calls_ = 0;
    request_at_ = call;
  }
  uint64_t calls() const noexcept { return calls_; }

 private:
  void count() const noexcept {
    if (++calls_ >= request_at_) requested_.store(true, std::memory_order_relaxed);
  }

  mutable std::atomic<bool> requested_{false};
  mutable std::atomic<uint64_t> calls_{0};
  uint64_t request_at_ = 0;  // 0: never
};

}  // namespace tracebraid
