#include "merge/place/packed_readings.h"

#include <string>

#include "event/sched_events.h"
#include "event/stream_rank.h"
#include "merge/join/join.h"

namespace tracebraid {
namespace {

std::vector<bool> tracks_of_track_events(const EventBatch& batch) {
  std::vector<bool> are;
  for (const TrackName& track : batch.tracks)
    are.push_back(track.type && shows_track_events(batch.strings.get(track.type)));
  return are;
}

}  // namespace

void PackedReadings::append(int64_t ticks, bool is_timed, bool is_track_event) {
  few_.push_back(ticks);
  const bool is_same = !runs_.empty() && runs_.back().is_timed == is_timed &&
                       runs_.back().is_track_event == is_track_event;
  if (!is_same) runs_.push_back({0, is_timed, is_track_event});
  runs_.back().end = few_.size();
  if (blocks_.empty() || blocks_.back().events == kBlockEvents)
    blocks_.push_back(
        {.low = ticks, .high = ticks, .timed_low = 0, .timed_high = 0, .events = 0, .timed = 0});
  ReadingBlock& block = blocks_.back();
  block.low = std::min(block.low, ticks);
  block.high = std::max(block.high, ticks);
  ++block.events;
  if (!is_timed) return;
  block.timed_low = block.timed == 0 ? ticks : std::min(block.timed_low, ticks);
  block.timed_high = block.timed == 0 ? ticks : std::max(block.timed_high, ticks);
  ++block.timed;
}

void PackedReadings::finish() {
  runs_.shrink_to_fit();
  few_.shrink_to_fit();
  blocks_.shrink_to_fit();
  if (few_.size() <= PackedInts::kBlockRows) return;
  for (const int64_t ticks : few_) packed_.append(ticks);
  few_ = {};
}

size_t PackedReadings::memory() const {
  return few_.size() * sizeof(int64_t) + packed_.memory() + runs_.size() * sizeof(Run) +
         blocks_.size() * sizeof(ReadingBlock);
}

BatchReadings pack_readings(const EventBatch& batch) {
  BatchReadings readings(batch.clocks.size());
  const std::vector<bool> track_events = tracks_of_track_events(batch);
  const auto add = [&](const Event& event, bool is_of_packets) {
    const bool is_track_event = is_of_packets && may_be_track_event(event.what()) &&
                                event.track < track_events.size() && track_events[event.track];
    readings[event.clock].append(event.ts, is_timed(event.what()), is_track_event);
  };
  for (const Event& event : batch.timed_metadata) add(event, true);
  for (const Stream& stream : batch.streams) {
    const bool is_of_packets = rank_of_segment(stream.rank) == 0;
    for (const Event& event : stream.events) add(event, is_of_packets);
    for (const SchedRecord& record : stream.sched)
      readings[batch.sched_facts[record.fact].clock].append(record.ts, true, false);
  }
  for (PackedReadings& clock : readings) clock.finish();
  return readings;
}

size_t readings_memory(const BatchReadings& readings) {
  size_t bytes = 0;
  for (const PackedReadings& clock : readings) bytes += clock.memory();
  return bytes;
}

std::vector<PlaceCount> count_places(const BatchReadings& readings,
                                     std::span<const ClockPlace> clocks, const Placement& placement,
                                     const PlacingRules& rules) {
  Placer placer(clocks, placement, rules);
  for (uint32_t clock = 0; clock < readings.size(); ++clock)
    readings[clock].for_each(
        [&](const ReadingBlock& block) { return placer.place_block(block, clock); },
        [&](int64_t ticks, bool is_timed, bool is_track_event) {
          placer.place(ticks, clock, is_timed, [&] { return is_track_event; });
        });
  return std::move(placer).finish();
}

}  // namespace tracebraid
