// TimeOrder: merges many sorted runs of events into one sequence. merge sorts the runs; assemble
// reads the sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/batch.h"

namespace tracebraid {

class HostAllocator;  // base/pages.h

// The number of events that stay valid after TimeOrder::next() returned them.
inline constexpr size_t kEventsInUse = size_t{1} << 16;
// The largest number of compact events that next() returns together.
inline constexpr size_t kMostCompact = 512;

// The events of one stream of one batch, sorted by time. At equal times the lower `rank` is first
// (file, then stream, then segment).
//
// Alternatively all compact scheduler events of a batch, sorted by time and rank.
struct Run {
  const Event* at;
  const Event* end;
  uint32_t batch;  // index of the batch, chosen by the consumer
  uint64_t rank;
  // Whether to release the memory of read events, except the last kEventsInUse; released events
  // read as zeros. Nothing is released after the last event of the run was returned, so that the
  // owner can free all of it.
  bool is_consumed = false;
  HostAllocator* allocator = nullptr;  // of the events; may be null
  // Compact events, which replace `at` and `end`; their facts, and the rank of the stream of each
  // CPU.
  std::span<const SchedRecord> sched = {};
  std::span<const SchedFact> facts = {};
  std::span<const uint64_t> ranks = {};

  size_t size() const { return sched.empty() ? static_cast<size_t>(end - at) : sched.size(); }
};

// Events in the order (ts, rank, position). O(log runs) only where the runs interleave.
class TimeOrder {
 public:
  explicit TimeOrder(std::span<const Run> runs);

  // Returns the next event, or consecutive compact events; neither at the end.
  struct Next {
    const Event* event = nullptr;
    std::span<const SchedRecord> sched;
    uint32_t batch = 0;
  };
  Next next() {
    if (left_ == 0 && !switch_run()) return {};
    Head& from = current_;
    if (from.is_sched) {
      const std::span all(from.sched(), left_);
      from.at += left_ * sizeof(SchedRecord);
      left_ = 0;
      return {nullptr, all, from.run.batch};
    }
    const Event* const event = from.event();
    from.at += sizeof(Event);
    --left_;
    return {event, {}, from.run.batch};
  }

  // Returns a second reader of the remaining events, which releases no memory.
  TimeOrder ahead() const {
    TimeOrder copy = *this;
    copy.current_.run.is_consumed = false;
    for (Head& head : copy.waiting_) head.run.is_consumed = false;
    return copy;
  }

 private:
  struct Head {  // the state of a run
    int64_t ts;
    uint64_t rank;  // rank of the next event
    const char *at, *end;
    const char* held;  // first event whose memory is not released
    uint32_t stride;   // distance of events, bytes
    bool is_sched;
    Run run;

    const Event* event() const { return reinterpret_cast<const Event*>(at); }
    const SchedRecord* sched() const { return reinterpret_cast<const SchedRecord*>(at); }
    size_t left() const { return static_cast<size_t>(end - at) / stride; }
    int64_t ts_of(size_t event) const;
    uint64_t rank_of(size_t event) const;
    void look() {
      ts = ts_of(0);
      rank = rank_of(0);
    }
    bool goes_before(const Head& other) const {
      return ts != other.ts ? ts < other.ts : rank < other.rank;
    }
  };
  bool switch_run();
  void settle_top();
  static void give_back(Head& head);

  std::vector<Head> waiting_;  // a heap, the next run at the front
  Head current_{};
  size_t left_ = 0;  // events until another run may be next, or memory is released
};

}  // namespace tracebraid
