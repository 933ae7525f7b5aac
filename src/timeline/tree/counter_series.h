// Series of counters: one counter of a JSON trace has a row of `track` for each of its series.
//
// In: rows of `track` with counter events. Out: one group for each counter. Called by
// timeline/tree/tree_track.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tables/store.h"

namespace tracebraid::timeline {

// A counter with more series is not stacked: each of its series is a group of its own.
inline constexpr size_t kMostSeries = 64;

struct CounterGroup {
  // "name" or "name[id]", followed by the series unless there are several or it is called "value".
  std::string title;
  std::vector<uint32_t> rows;    // of `track`, in the order in which the series appear in the file
  std::vector<StringId> series;  // names, by row
};

// Groups the rows whose source args name a counter and a series by file, process, thread, counter
// and id. Leaves out others.
std::vector<CounterGroup> group_counters(const Store& store, std::span<const uint32_t> rows);

}  // namespace tracebraid::timeline
