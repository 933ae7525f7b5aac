// PackedReadings: the readings of the events of a batch, packed by clock, for placing them again
// after the events were released.
//
// Input: a batch. Output: what placing its events would count, and their times. Called by
// merge/staged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "column/packed_column.h"
#include "event/batch.h"
#include "merge/place/placer.h"

namespace tracebraid {

// The events of one clock: first metadata, then those of the streams, in order.
class PackedReadings {
 public:
  void append(int64_t ticks, bool is_timed, bool is_track_event);
  // Packs the readings. Call once, after the last append().
  void finish();

  size_t size() const { return few_.empty() ? packed_.size() : few_.size(); }
  size_t memory() const;
  // Calls visit(ticks, is_timed, is_track_event) for each event of the blocks for which
  // take_block(block) is false.
  template <class TakeBlock, class Visit>
  void for_each(TakeBlock take_block, Visit visit) const;

 private:
  static constexpr size_t kBlockEvents = 64;

  struct Run {  // of events that are equal except for the reading
    uint64_t end;
    bool is_timed, is_track_event;
  };
  std::vector<int64_t> few_;  // all, if they would not fill a block
  PackedInts packed_;
  std::vector<Run> runs_;
  std::vector<ReadingBlock> blocks_;  // of kBlockEvents events each, the last of fewer
};

using BatchReadings = std::vector<PackedReadings>;  // by clock of the batch

BatchReadings pack_readings(const EventBatch& batch);
size_t readings_memory(const BatchReadings& readings);

// Returns what place_batch() counts for the same events.
std::vector<PlaceCount> count_places(const BatchReadings& readings,
                                     std::span<const ClockPlace> clocks, const Placement& placement,
                                     const PlacingRules& rules);

template <class TakeBlock, class Visit>
void PackedReadings::for_each(TakeBlock take_block, Visit visit) const {
  int64_t readings[kBlockEvents];
  size_t run = 0;
  for (size_t first = 0; first < size(); first += kBlockEvents) {
    if (take_block(blocks_[first / kBlockEvents])) continue;
    const size_t count = std::min(size() - first, kBlockEvents);
    const std::span<int64_t> values(readings, count);
    if (few_.empty())
      packed_.read(first, values);
    else
      std::copy_n(few_.begin() + static_cast<ptrdiff_t>(first), count, values.begin());
    for (size_t i = 0; i < count;) {
      while (runs_[run].end <= first + i) ++run;
      const size_t end = std::min<size_t>(count, runs_[run].end - first);
      for (; i < end; ++i) visit(values[i], runs_[run].is_timed, runs_[run].is_track_event);
    }
  }
}

}  // namespace tracebraid
