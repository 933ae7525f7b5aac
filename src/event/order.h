// TimeOrder: the events of many sorted runs as one sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "event/batch.h"

namespace tracebraid {

// How many events may still be looked at after they were given by TimeOrder::next().
inline constexpr size_t kEventsInUse = size_t{1} << 16;

// Events of one stream of one batch, sorted by time. `rank` breaks ties: the
// lower goes first (file, then stream, then piece).
struct Run {
  const Event* at;
  const Event* end;
  uint32_t batch;  // index that the consumer gave the batch
  uint64_t rank;
  // The memory of events is given back, but for the last kEventsInUse: they are zeros
  // then. Never once the last of the run was given, so that its owner can free them.
  bool is_consumed = false;
};

// Order: (ts, rank, position). O(log runs) only where the runs interleave.
class TimeOrder {
 public:
  explicit TimeOrder(std::vector<Run> runs);

  // The next event and its batch; null at the end.
  const Event* next(uint32_t& batch) {
    if (current_.run.at == limit_) {
      if (!switch_run()) return nullptr;
    }
    batch = current_.run.batch;
    return current_.run.at++;
  }

 private:
  struct Head {  // a run by its first event
    int64_t ts;
    Run run;
    const Event* kept;  // first event whose memory was not given back
    bool goes_before(const Head& other) const {
      return ts != other.ts ? ts < other.ts : run.rank < other.run.rank;
    }
  };
  bool switch_run();
  void settle_top();
  static void give_back(Head& head);

  std::vector<Head> waiting_;  // a heap, the next run at the front
  Head current_{};
  const Event* limit_ = nullptr;  // where another run must go on, or memory is given back
};

}  // namespace tracebraid
