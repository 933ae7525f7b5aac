// Dates: evidence from the time of a recording, which its file states to the second. Used only
// where nothing else relates two clocks, so it never contradicts other evidence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/wall_clocks.h"

namespace tracebraid {

// The events of a file in one clock, from the start of the first to the end of the last, ticks.
struct EventRange {
  int64_t first = INT64_MAX, last = INT64_MIN;
  bool is_empty() const { return first > last; }
};
EventRange event_range(ClockId clock, size_t file, const Trackers& trackers,
                       std::span<const std::vector<ClockId>> nodes);

// A date was noted during the recording or within 2 s of it, so its bound is the length of the
// recording plus 2 s. If the bound permits that the file counts from the same moment as the
// timeline, and its times are too large for this to be chance, assumes that it does.
void place_by_dates(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                    const WallClockErrors& wall_clocks, ClockModel model, ClockGraph& graph);

}  // namespace tracebraid
