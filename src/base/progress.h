// Progress: reports long work to its caller, and lets the caller stop it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tracebraid {

// Counters that any thread may increment; a display polls them. The library itself never prints.
class Progress {
 public:
  // Names the stage ("reading") and its size; 0 is "unknown". `unit` is "B" for bytes. Both texts
  // must outlive the stage, as string literals do.
  void begin(const char* stage, uint64_t total, const char* unit = "B") {
    done_ = 0;
    total_ = total;
    unit_ = unit;
    stage_ = stage;
  }
  void advance(uint64_t amount) { done_.fetch_add(amount, std::memory_order_relaxed); }

  const char* stage() const { return stage_; }
  const char* unit() const { return unit_; }
  uint64_t done() const { return done_; }
  uint64_t total() const { return total_; }

  // Asks the work to end early. Safe in a signal handler. Stages check cancelled() between blocks
  // and return ErrorCode::Cancelled.
  void cancel() { cancelled_ = true; }
  bool cancelled() const {
    if (polls_left_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      count_poll();
    return cancelled_.load(std::memory_order_relaxed);
  }
  // For tests: cancels at the `polls`th call of cancelled(), counted from 1 over all threads.
  void cancel_at_poll(uint64_t polls) { polls_left_ = polls; }

 private:
  void count_poll() const {
    if (polls_left_.fetch_sub(1, std::memory_order_relaxed) == 1) cancelled_ = true;
  }

  std::atomic<const char*> stage_{nullptr};
  std::atomic<const char*> unit_{"B"};
  std::atomic<uint64_t> done_{0};
  std::atomic<uint64_t> total_{0};
  mutable std::atomic<bool> cancelled_{false};
  mutable std::atomic<uint64_t> polls_left_{0};  // until cancelled() cancels; 0: never
};

}  // namespace tracebraid
