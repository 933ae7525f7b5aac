#include "assemble/rows/bounds.h"

#include <algorithm>
#include <limits>
#include <span>

#include "assemble/saturate.h"

namespace tracebraid {
namespace {

struct Bounds {
  int64_t start = std::numeric_limits<int64_t>::max();
  int64_t end = std::numeric_limits<int64_t>::min();

  // Requires: times are in order.
  template <class Times>
  void include(const Times& ts) {
    if (ts.size() == 0) return;
    start = std::min(start, ts[0]);
    end = std::max(end, ts[ts.size() - 1]);
  }
  void include_unsorted(const Column<int64_t>& ts) {
    for (const int64_t at : ts.values()) {
      start = std::min(start, at);
      end = std::max(end, at);
    }
  }
  // A row that never ended counts with its start only.
  void include(const Column<int64_t>& ts, const Column<int64_t>& dur) {
    include(ts);
    for (size_t i = 0; i < ts.size(); ++i) include_row(ts[i], dur[i]);
  }
  void include(const PackedColumn<int64_t>& ts, const PackedColumn<int64_t>& dur) {
    include(ts);
    // Starts with the last rows, because most earlier rows end before them.
    for (size_t block = dur.ints().blocks(); block-- > 0;) {
      const size_t first = block * PackedInts::kBlockRows;
      const size_t behind = std::min(first + PackedInts::kBlockRows, ts.size());
      const int64_t longest = dur.ints().none_above(block);
      if (longest <= 0 || end_of(ts[behind - 1], longest) <= end) continue;
      for (size_t i = first; i < behind; ++i) include_row(ts[i], dur[i]);
    }
  }
  void include_row(int64_t ts, int64_t dur) {
    if (dur > 0) end = std::max(end, end_of(ts, dur));
  }
};

}  // namespace

void find_bounds(Store& store) {
  Bounds bounds;
  bounds.include(store.ftrace_events.ts);
  bounds.include(store.counters.ts);
  bounds.include(store.logs.ts);
  bounds.include(store.profiler_samples.ts);
  bounds.include(store.heap_profile_allocations.ts);
  bounds.include_unsorted(store.heap_graphs.ts);
  bounds.include_unsorted(store.profiler_smaps.ts);
  bounds.include(store.slices.ts, store.slices.dur);
  bounds.include(store.states.ts, store.states.dur);
  bounds.include(store.sched.ts, store.sched.dur);
  bounds.include(store.thread_states.ts, store.thread_states.dur);
  if (bounds.start > bounds.end) {
    store.trace_start = store.trace_end = 0;
    return;
  }
  store.trace_start = bounds.start;
  store.trace_end = bounds.end;
  if (bounds.start == bounds.end && bounds.end < std::numeric_limits<int64_t>::max())
    ++store.trace_end;
}

}  // namespace tracebraid
