#include "merge/place/segments.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "event/event_kind.h"
#include "event/event_traits.h"
#include "event/stream_rank.h"
#include "merge/place/placer.h"
#include "merge/place/writer_order.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

constexpr size_t kMostSegments = 64;  // of WriterOrder
// The order of a file holds if so many events with a known segment keep it.
constexpr size_t kFewestCertain = 50, kOrderedOfThousand = 999;

// A clock of a batch whose path leads through a clock that was set back.
struct DividedClock {
  ClockId node;
  SegmentMaps* maps = nullptr;
  int64_t tick_ns = 1, zone_ns = 0;
  // Indexes of the clocks that stand for its segments, without and with order; kNone: not yet
  // added.
  std::vector<std::array<uint32_t, 2>> segments;
  int64_t beyond = 0;  // events whose readings no segment reaches
};

struct DividedBatch {
  PlacedBatch* batch;
  std::vector<ClockPlace>* places;
  std::vector<DividedClock> clocks;  // by clock of the batch; `maps` is null for other clocks

  // Moves the event to the clock that stands for the segment.
  void assign(Event& event, uint32_t segment, bool by_order) {
    const uint32_t from = event.clock;
    uint32_t& to = clocks[from].segments[segment][by_order ? 1 : 0];
    if (to == kNone) {
      if (batch->batch.clocks.size() > kMaxClocks) return;
      to = static_cast<uint32_t>(batch->batch.clocks.size());
      batch->batch.clocks.push_back(ClockName(batch->batch.clocks[from]));
      batch->clock_machines.push_back(uint32_t{batch->clock_machines[from]});
      places->push_back(ClockPlace((*places)[from]));
      places->back().segments = clocks[from].maps;
      places->back().segment = segment;
      places->back().by_order = by_order;
    }
    event.clock = to & kMaxClocks;
  }
};

// The events of one file.
class DividedFile {
 public:
  DividedFile(std::vector<DividedBatch> batches, bool has_segments_of_streams)
      : batches_(std::move(batches)), has_segments_of_streams_(has_segments_of_streams) {}

  void divide() {
    for (const auto& [stream, batch] : streams_in_order())
      for (Event& event : stream->events) divide(*stream, *batch, event);
    choose();
  }

  std::span<DividedBatch> batches() { return batches_; }

 private:
  // A writer: all events of a stream, or those of one track of a stream.
  using Writer = std::tuple<uint32_t, uint32_t, uint32_t>;  // stream, kind of track, track
  using Writers = absl::flat_hash_map<Writer, WriterOrder>;

  struct Ambiguous {
    Event* event;
    DividedBatch* batch;
  };

  std::vector<std::pair<Stream*, DividedBatch*>> streams_in_order() {
    std::vector<std::pair<Stream*, DividedBatch*>> streams;
    for (DividedBatch& batch : batches_)
      for (Stream& stream : batch.batch->batch.streams) streams.emplace_back(&stream, &batch);
    std::ranges::stable_sort(streams, {}, [](const auto& of) { return of.first->rank; });
    return streams;
  }

  void divide(const Stream& stream, DividedBatch& batch, Event& event) {
    DividedClock& clock = batch.clocks[event.clock];
    if (clock.maps == nullptr) return;
    int64_t reading = 0;
    if (__builtin_sub_overflow(event.ts, clock.zone_ns, &reading) ||
        __builtin_mul_overflow(reading, clock.tick_ns, &reading))
      return;
    const std::vector<SegmentMaps::Candidate>& candidates = clock.maps->candidates(reading);
    const auto id = static_cast<uint32_t>(ambiguous_.size());
    if (clock.maps->size() <= kMostSegments && is_timed(event.what())) {
      const uint32_t rank = has_segments_of_streams_ ? rank_of_segment(stream.rank) : stream.rank;
      by_stream_[{rank, 0, 0}].add(id, candidates);
      const auto field = static_cast<uint32_t>(traits_of(event.what()).track);
      by_track_[{rank, field, event.track}].add(id, candidates);
    }
    if (candidates.empty()) ++clock.beyond;
    if (candidates.size() > 1) ambiguous_.push_back({&event, &batch});
    if (candidates.size() == 1) batch.assign(event, candidates.front().segment, false);
  }

  // Chooses the segments of ambiguous events by the first kind of writers that keeps the order.
  void choose() {
    for (Writers* writers : {&by_stream_, &by_track_}) {
      size_t certain = 0, in_order = 0;
      for (auto& [writer, order] : *writers) {
        order.finish();
        certain += order.certain();
        in_order += order.in_order();
      }
      if (certain < kFewestCertain || in_order * 1000 < certain * kOrderedOfThousand) continue;
      for (auto& [writer, order] : *writers)
        for (const WriterOrder::Choice& choice : order.choices())
          ambiguous_[choice.event].batch->assign(*ambiguous_[choice.event].event, choice.segment,
                                                 true);
      return;
    }
  }

  std::vector<DividedBatch> batches_;
  bool has_segments_of_streams_;
  Writers by_stream_, by_track_;
  std::vector<Ambiguous> ambiguous_;
};

// Returns nothing if no clock of the batch was set back.
std::optional<DividedBatch> divided_batch(PlacedBatch& batch, std::vector<ClockPlace>& places,
                                          Located& located) {
  DividedBatch divided{&batch, &places, std::vector<DividedClock>(places.size())};
  bool any = false;
  for (size_t i = 0; i < places.size(); ++i) {
    const ClockPlace& place = places[i];
    if (place.kind != ClockPlace::Kind::Node || !set_back_clock(located.placement, place.node))
      continue;
    std::unique_ptr<SegmentMaps>& maps = located.segments[place.node];
    if (maps == nullptr)
      maps = std::make_unique<SegmentMaps>(located.graph, located.placement, place.node);
    divided.clocks[i] = {
        .node = place.node,
        .maps = maps.get(),
        .tick_ns = place.tick_ns,
        .zone_ns = place.zone_ns,
        .segments = std::vector<std::array<uint32_t, 2>>(maps->size(), {kNone, kNone})};
    any = true;
  }
  if (!any) return std::nullopt;
  return divided;
}

}  // namespace

void divide_by_segments(std::vector<PlacedBatch>& batches, Located& located) {
  std::map<FileId, std::vector<DividedBatch>> files;
  std::map<FileId, bool> is_proto;
  for (size_t i = 0; i < batches.size(); ++i) {
    std::optional<DividedBatch> divided = divided_batch(batches[i], located.clocks[i], located);
    if (!divided) continue;
    files[batches[i].file].push_back(*std::move(divided));
    is_proto[batches[i].file] = located.is_proto[i];
  }
  for (auto& [id, of_file] : files) {
    DividedFile file(std::move(of_file), is_proto[id]);
    file.divide();
    for (const DividedBatch& batch : file.batches())
      for (size_t i = 0; i < batch.clocks.size(); ++i)
        if (batch.clocks[i].beyond > 0)
          located.bumps.push_back({stats::clock_reading_beyond_reach,
                                   batch.batch->machines[batch.batch->clock_machines[i]], id, -1,
                                   batch.clocks[i].beyond});
  }
}

}  // namespace tracebraid
