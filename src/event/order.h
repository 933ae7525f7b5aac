// TimeOrder: the events of many sorted runs as one sequence.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "event/batch.h"

namespace tracebraid {

// Events of one stream of one batch, sorted by time. `rank` breaks ties: the
// lower goes first (file, then stream, then piece).
struct Run {
  const Event* at;
  const Event* end;
  uint32_t batch;  // index that the consumer gave the batch
  uint64_t rank;
};

// Order: (ts, rank, position). O(log runs) only where the runs interleave.
class TimeOrder {
 public:
  explicit TimeOrder(std::vector<Run> runs);

  // The next event and its batch; null at the end.
  const Event* next(uint32_t& batch) {
    if (current_.at == limit_) {
      if (!switch_run()) return nullptr;
    }
    batch = current_.batch;
    return current_.at++;
  }

 private:
  struct Later {
    bool operator()(const Run& a, const Run& b) const {
      return a.at->ts != b.at->ts ? a.at->ts > b.at->ts : a.rank > b.rank;
    }
  };
  bool switch_run();

  std::priority_queue<Run, std::vector<Run>, Later> waiting_;
  Run current_{nullptr, nullptr, 0, 0};
  const Event* limit_ = nullptr;  // where another run must go on
};

}  // namespace tracebraid
