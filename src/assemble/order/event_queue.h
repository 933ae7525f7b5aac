// EventQueue: a bounded queue of blocks of events, from the thread that orders them to the thread
// that builds tables.
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

// One thread calls push, end and serve; one thread calls pop, ask and close.
class EventQueue {
 public:
  static constexpr size_t kBlock = 4096;  // events

  // The pushing thread calls `help` when the queue is full, and after an ask(), as long as it
  // returns true.
  explicit EventQueue(std::function<bool()> help) : help_(std::move(help)) {}

  void push(const OrderedEvent& event) {
    filling_.push_back(event);
    filled_events_ += std::max(event.compact, uint32_t{1});
    if (filled_events_ >= kBlock) send();
  }
  // Ends the queue: no more events will be pushed.
  void end() {
    send();
    const std::lock_guard lock(mutex_);
    ended_ = true;
    filled_.notify_one();
  }
  // Calls `help` until the queue is closed.
  void serve() {
    std::unique_lock lock(mutex_);
    while (!closed_) help_or_wait(lock);
  }
  void ask() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    emptied_.notify_one();
  }
  // Closes the queue: drops events that are pushed from now on.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    emptied_.notify_one();
  }
  // Returns the next events; empty at the end.
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
  // A full queue wakes the pushing thread only when there is room for several blocks, because
  // waking is slow.
  static constexpr size_t kMaxBlocks = 8, kFewBlocks = 3;
  // The block being filled, the waiting blocks, and the block being read.
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

  std::vector<OrderedEvent> filling_;  // used by the pushing thread
  size_t filled_events_ = 0;
  const std::function<bool()> help_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;  // for the popping and the pushing thread
  std::deque<std::vector<OrderedEvent>> blocks_;
  bool asked_ = false, ended_ = false, closed_ = false;
};

}  // namespace tracebraid
