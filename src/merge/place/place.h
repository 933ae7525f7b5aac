// Placing: converts readings of the clocks of a file to trace time, event by event.
//
// Input: batches and a Placement. Output: the same batches with trace times, each stream sorted.
// Called by merge().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "base/workers.h"
#include "merge/join/join.h"
#include "merge/locate/located.h"
#include "merge/place/place_count.h"

namespace tracebraid {

// The latest trace time of the earlier segments of a stream, ns (kLatestTime, event/stream_rank.h).
using LatestBefore = std::function<int64_t(uint32_t stream_rank)>;

// Converts the times of all events of `batch`, rewrites their indexes by `map`, removes events
// without a place, and sorts each stream. Returns counts by clock. With `latest_before`, places the
// streams one after the other, and calls it before each.
std::vector<PlaceCount> place_batch(std::span<const ClockPlace> clocks, const Placement& placement,
                                    const JoinMap& map, const PlacingRules& rules, Workers& workers,
                                    EventBatch& batch, const LatestBefore& latest_before = {});

}  // namespace tracebraid
