// SearchRun: a search of a trace and its hits, from the request that starts it until nobody asks
// for it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/timeline.h"
#include "server/api/tracked_run.h"

namespace tracebraid::api {

// Any thread may use it.
class SearchRun : public TrackedRun {
 public:
  SearchRun(uint64_t with_id, uint64_t of_trace, std::shared_ptr<const TraceTimeline> over,
            timeline::SearchQuery what, size_t most_hits)
      : id(with_id),
        trace(of_trace),
        timeline(std::move(over)),
        query(std::move(what)),
        most(most_hits) {}

  const uint64_t id, trace;
  const std::shared_ptr<const TraceTimeline> timeline;
  const timeline::SearchQuery query;
  const size_t most;
  Stop stop;

  // Runs the search to its end, then orders the hits by time.
  void run();

  // Returns the state and counts as JSON.
  std::string json() const;
  // Returns hits from a number on, or from the first one at or after a time, and the total.
  struct Page {
    uint64_t total = 0, offset = 0;
    std::vector<timeline::SearchHit> hits;
  };
  Page page(uint64_t offset, std::optional<int64_t> from, size_t limit) const;
  // Returns the numbers of the tracks with hits, in order, each once.
  std::vector<uint32_t> tracks() const;
  // Returns the times of the hits, in order.
  std::shared_ptr<const std::vector<timeline::HitTime>> hit_times() const;

  void touch() const { used_ = Clock::now().time_since_epoch().count(); }
  Clock::time_point used() const { return Clock::time_point(Clock::duration(used_)); }

 private:
  mutable std::atomic<Clock::rep> used_{Clock::now().time_since_epoch().count()};
  mutable std::mutex mutex_;  // guards the following members
  std::vector<timeline::SearchHit> hits_;
  uint64_t total_ = 0;  // with those beyond `most`
  mutable std::shared_ptr<const std::vector<timeline::HitTime>> times_;
  mutable size_t times_of_ = 0;  // number of hits that times_ has
};

}  // namespace tracebraid::api
