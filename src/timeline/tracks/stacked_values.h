// StackedValues: the series of one counter over common times.
//
// In: the index of a track with a line for each series. Out: values and totals. Called by
// timeline/timeline.h, which keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tables/store.h"
#include "timeline/index/row_lists.h"
#include "timeline/index/value_tree.h"
#include "timeline/tracks/track_index.h"

namespace tracebraid::timeline {

// Immutable.
struct StackedValues {
  size_t series = 0;
  std::vector<int64_t> times;  // of all events; each time once, ascending
  // By time, then series. 0 of a series that has no event at the time; of several the last applies.
  std::vector<double> values;
  ValueTree totals{{}};  // by time

  size_t memory() const;  // bytes
};

StackedValues stack_values(const TrackIndex& index, const RowLists& lists,
                           const CounterTable& counters);

}  // namespace tracebraid::timeline
