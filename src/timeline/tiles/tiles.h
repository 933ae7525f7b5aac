// Tiles of nodes as frames (spec viewer 5.3 to 5.5).
//
// In: a Timeline and a request. Out: a frame. Called by the API for each triple of a request.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "timeline/tiles/tile_range.h"
#include "timeline/timeline.h"
#include "timeline/wire/frame.h"

namespace tracebraid::timeline {

// The number of the whole trace, for flows.
inline constexpr uint32_t kWholeTrace = kNoNode;

// One hit of a search, for the mode Hits.
struct HitTime {
  int64_t ts = 0;
  uint32_t track = 0;   // number
  uint32_t number = 0;  // in the list of hits
};

struct TileRequest {
  uint32_t request = 0, generation = 0;
  uint32_t node = 0;
  TileRange range;
  std::optional<TileMode> mode = {};          // none: the default of the node
  std::span<const HitTime> hits = {};         // in order of time
  std::span<const std::string> without = {};  // categories of flows that are left out
};

// Returns the frame of a request. Answers stay in a cache. Any thread may call it. Errors: NotFound
// for an unknown node, Usage for a mode that the node does not have or tiles out of range,
// Cancelled.
Result<std::string> make_tiles(const Timeline& timeline, const TileRequest& request,
                               const Stop& stop);

// Returns the modes of a node, the default first.
std::vector<TileMode> modes_of(const Timeline& timeline, const TreeNode& node);

// The kinds of frames. `head` has the request and the tiles.
// `by_category`: with the colours of categories instead of names.
std::string slice_frame(const Timeline& timeline, uint32_t track, FrameHead head, TileRange range,
                        bool by_category = false);
std::string counter_frame(const Timeline& timeline, uint32_t track, TileMode mode, FrameHead head,
                          const TileRange& range);
// Requires: the track is a stacked counter.
std::string stacked_frame(const Timeline& timeline, uint32_t track, FrameHead head,
                          const TileRange& range);
std::string mark_frame(const Timeline& timeline, uint32_t track, FrameHead head,
                       const TileRange& range);
// Ends early, with the flag kIncomplete, if the index of many tracks is missing.
Result<std::string> summary_frame(const Timeline& timeline, const Timeline::Found& node,
                                  FrameHead head, const TileRange& range, const Stop& stop);
// `without`: categories of flows that are left out.
std::string flow_frame(const Timeline& timeline, uint32_t track, FrameHead head,
                       const TileRange& range, std::span<const std::string> without = {});
std::string hit_frame(std::span<const HitTime> hits, const Timeline::Found& node, FrameHead head,
                      const TileRange& range);

// Returns a time in 1/256 buckets from the begin of the tiles. Requires: not before their begin.
uint64_t position_of(const TileRange& range, int64_t time);
// Returns a duration in 1/256 buckets, at most 0xFFFFFFFF.
uint32_t width_of(const TileRange& range, uint64_t ns);

}  // namespace tracebraid::timeline
