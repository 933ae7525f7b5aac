// TimeOrder: the events of many sorted runs as one sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/batch.h"

namespace tracebraid {

// How many events may still be looked at after they were given by TimeOrder::next().
inline constexpr size_t kEventsInUse = size_t{1} << 16;
// So many compact events it gives together at most.
inline constexpr size_t kMostCompact = 512;

// Events of one stream of one batch, sorted by time. `rank` breaks ties: the
// lower goes first (file, then stream, then piece).
//
// Or all compact scheduler events of a batch, sorted by time and rank.
struct Run {
  const Event* at;
  const Event* end;
  uint32_t batch;  // index that the consumer gave the batch
  uint64_t rank;
  // The memory of events is given back, but for the last kEventsInUse: they are zeros
  // then. Never once the last of the run was given, so that its owner can free them.
  bool is_consumed = false;
  // Of compact events, instead of `at` and `end`; their facts, and by CPU the rank of its stream.
  std::span<const SchedRecord> sched = {};
  std::span<const SchedFact> facts = {};
  std::span<const uint64_t> ranks = {};

  size_t size() const { return sched.empty() ? static_cast<size_t>(end - at) : sched.size(); }
};

// Order: (ts, rank, position). O(log runs) only where the runs interleave.
class TimeOrder {
 public:
  explicit TimeOrder(std::span<const Run> runs);

  // The next event, or compact events that follow one another; neither at the end.
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

  // The same events from here on, to look at: their memory stays.
  TimeOrder ahead() const {
    TimeOrder copy = *this;
    copy.current_.run.is_consumed = false;
    for (Head& head : copy.waiting_) head.run.is_consumed = false;
    return copy;
  }

 private:
  struct Head {  // a run by its first event
    int64_t ts;
    uint64_t rank;  // of the first event
    const char *at, *end;
    const char* kept;  // first event whose memory was not given back
    uint32_t stride;   // from event to event, bytes
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
  size_t left_ = 0;  // until another run must go on, or memory is given back
};

}  // namespace tracebraid
