// TrackIndex: the index of one track of the tree, made from its row lists on first use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/index/line_index.h"
#include "timeline/tracks/event_table.h"

namespace tracebraid::timeline {

// Immutable.
struct TrackIndex {
  LineIndex lines;
  std::vector<uint32_t> list_lines;  // by line: its number in the row lists
  uint64_t cut = 0;  // events whose end is cut at the start of the next event of their line
  uint64_t unfinished = 0;

  size_t memory() const { return lines.memory() + list_lines.capacity() * sizeof(uint32_t); }
};

// Returns the end that an event is drawn to, not cut. `duration` is -1 if it never ended.
int64_t whole_end(const EventTable& table, uint32_t row, int64_t start, int64_t duration);

// Returns the numbers of the lines of owners in the row lists, in order.
std::vector<uint32_t> list_lines_of(const RowLists& lists, std::span<const uint32_t> owners);

// Makes the index of all lines of these owners, in order. The result does not depend on the number
// of threads.
TrackIndex index_track(const EventTable& table, const RowLists& lists,
                       std::span<const uint32_t> owners, unsigned threads);

// Returns the row of an event. `line` is of the index.
inline uint32_t row_of(const TrackIndex& index, const RowLists& lists, size_t line, size_t event) {
  return lists.rows()[lists.begin(index.list_lines[line]) + event];
}

}  // namespace tracebraid::timeline
