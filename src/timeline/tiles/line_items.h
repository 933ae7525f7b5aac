// Items of one line in tiles: single events, and dense items of several (spec viewer 5.3).
//
// In: a line of the index, and tiles. Out: items in order of time. Called by timeline/tiles/*_tile.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/index/line_index.h"
#include "timeline/tiles/tile_range.h"

namespace tracebraid::timeline {

struct LineItem {
  int64_t start = 0, end = 0;  // of all of its events
  uint64_t busy = 0;           // the sum of their lengths
  uint32_t event = 0;          // the longest, as a place in the line
  uint32_t count = 1;          // of events; 0 for the event that began before the tiles
  bool has_instants = false;   // one of the events has the length 0
};

// Appends the items of the events that start in the tiles, and, before them, the event that begins
// before the tiles, is at least as long as a bucket, and ends within or after the tiles.
void append_items(LineReader& line, const TileRange& tiles, std::vector<LineItem>& items);

// A bucket with events, for kinds whose events have no length.
struct LineBucket {
  uint32_t bucket = 0;
  uint32_t first = 0, end = 0;  // places in the line
};
void append_buckets(LineReader& line, const TileRange& tiles, std::vector<LineBucket>& buckets);

}  // namespace tracebraid::timeline
