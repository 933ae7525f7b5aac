// EventQueue: blocks of events on their way from the thread that orders them to the one
// that builds the tables.
//
// Input: runs of events, sorted by time. Output: blocks of events in order. Called by assemble; one
// thread writes, one reads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "event/batch.h"
#include "event/order.h"

namespace tracebraid {

struct OrderedEvent {
  const void* at;  // an Event, or the first of several SchedRecords
  uint32_t batch;
  uint32_t compact;  // SchedRecords; 0: an Event
  uint64_t sequence;

  const Event& event() const { return *static_cast<const Event*>(at); }
  std::span<const SchedRecord> sched() const {
    return {static_cast<const SchedRecord*>(at), compact};
  }
};

// One thread pushes, ends and serves; one pops, asks and closes. Bounded.
class EventQueue {
 public:
  static constexpr size_t kBlock = 4096;  // events

  // `help` is called by the thread that pushes, when it cannot push, after an ask() and for as
  // long as it returns true.
  explicit EventQueue(std::function<bool()> help) : help_(std::move(help)) {}

  void push(const OrderedEvent& event) {
    filling_.push_back(event);
    filled_events_ += std::max(event.compact, uint32_t{1});
    if (filled_events_ >= kBlock) send();
  }
  // No more will be pushed.
  void end() {
    send();
    const std::lock_guard lock(mutex_);
    ended_ = true;
    filled_.notify_one();
  }
  // Helps until it is closed.
  void serve() {
    std::unique_lock lock(mutex_);
    while (!closed_) help_or_wait(lock);
  }
  void ask() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    emptied_.notify_one();
  }
  // No more will be popped: what is pushed from now on is forgotten.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    emptied_.notify_one();
  }
  // The next events. Empty at the end.
  std::vector<OrderedEvent> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !blocks_.empty() || ended_; });
    if (blocks_.empty()) return {};
    std::vector<OrderedEvent> block = std::move(blocks_.front());
    blocks_.pop_front();
    if (blocks_.size() == kFewBlocks) emptied_.notify_one();
    return block;
  }

 private:
  // Who waits for room sleeps until there is room for several: waking up takes its time.
  static constexpr size_t kMaxBlocks = 8, kFewBlocks = 3;
  // The one that fills, those that wait, and the one that is being looked at.
  static_assert((kMaxBlocks + 2) * (kBlock + kMostCompact) <= kEventsInUse);

  void send() {
    std::vector<OrderedEvent> block = std::exchange(filling_, {});
    filling_.reserve(block.size());
    filled_events_ = 0;
    std::unique_lock lock(mutex_);
    while (blocks_.size() >= kMaxBlocks && !closed_) help_or_wait(lock);
    if (!block.empty() && !closed_) blocks_.push_back(std::move(block));
    filled_.notify_one();
  }
  void help_or_wait(std::unique_lock<std::mutex>& lock) {
    if (!asked_) {
      emptied_.wait(lock);
      return;
    }
    asked_ = false;
    lock.unlock();
    const bool goes_on = help_();
    lock.lock();
    asked_ |= goes_on;
  }

  std::vector<OrderedEvent> filling_;  // of the thread that pushes
  size_t filled_events_ = 0;
  const std::function<bool()> help_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;  // waited for by who pops, and by who pushes
  std::deque<std::vector<OrderedEvent>> blocks_;
  bool asked_ = false, ended_ = false, closed_ = false;
};

}  // namespace tracebraid
