#include "merge/place/batches.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "event/stream_rank.h"
#include "merge/join/join.h"

namespace tracebraid {
namespace {

// Whether events of the batch take the latest time of other batches of their file.
bool waits_for_others(std::span<const ClockPlace> clocks, const PlacedBatch& from,
                      const std::vector<PlacedBatch>& batches) {
  return std::ranges::any_of(
             clocks, [](const ClockPlace& c) { return c.kind == ClockPlace::Kind::Latest; }) &&
         std::ranges::any_of(batches, [&](const PlacedBatch& other) {
           return other.file == from.file && &other != &from;
         });
}

// Implements LatestBefore. Requires: the streams of lower segments are placed and sorted.
int64_t latest_before(uint32_t stream_rank, FileId file, const std::vector<PlacedBatch>& batches) {
  int64_t latest = 0;
  for (const PlacedBatch& from : batches) {
    if (from.file != file) continue;
    for (const Stream& stream : from.batch.streams)
      if (rank_of_segment(stream.rank) == rank_of_segment(stream_rank) &&
          stream.rank < stream_rank && !stream.events.empty())
        latest = std::max(latest, stream.events.back().ts);
  }
  return latest;
}

}  // namespace

std::vector<PlacedBatch> take_batches(std::span<const uint32_t> order, const Located& located,
                                      std::vector<TraceFile>& files) {
  std::vector<PlacedBatch> batches;
  for (const uint32_t row : order) {
    // A batch without events may lack the tie rule of its file.
    const bool has_rule = std::ranges::any_of(files[row].chunks, [](const EventBatch& chunk) {
      return chunk.tie_rule != TieRule::FileOrder;
    });
    for (EventBatch& chunk : std::exchange(files[row].chunks, {})) {
      if (has_rule) chunk.tie_rule = TieRule::TraceEventFormat;
      PlacedBatch placed{.file = FileId{row}, .machines = located.machines[batches.size()]};
      for (const ClockName& clock : chunk.clocks) placed.clock_machines.push_back(clock.machine);
      placed.batch = std::move(chunk);
      batches.push_back(std::move(placed));
    }
  }
  return batches;
}

Result<PlacedNames> place_batches(const Located& located, const PlacingRules& rules,
                                  Workers& workers, Progress& progress, StringPool& strings,
                                  std::vector<PlacedBatch>& batches) {
  NameJoiner joiner;
  std::vector<JoinMap> maps(batches.size());
  std::vector<std::vector<PlaceCount>> counts(batches.size());
  progress.begin("placing", batches.size(), "chunks");
  const auto place = [&](size_t i, const LatestBefore& latest_before) {
    if (progress.cancelled()) return;
    counts[i] = place_batch(located.clocks[i], located.placement, maps[i], rules, workers,
                            batches[i].batch, latest_before);
    for (const ClockPlace& clock : located.clocks[i])
      batches[i].clock_rows.push_back(clock.kind == ClockPlace::Kind::Node ? clock.node.row
                                                                           : kNone);
    maps[i] = {};
    progress.advance(1);
  };
  const auto waits = [&](size_t i) {
    return waits_for_others(located.clocks[i], batches[i], batches);
  };
  {
    // Names are joined batch by batch, while joined batches are placed.
    TaskGroup placing(workers);
    for (size_t i = 0; i < batches.size(); ++i) {
      PlacedBatch& from = batches[i];
      maps[i] = joiner.join(from.file, from.machines, from.batch, strings);
      if (!waits(i)) placing.add([&place, i] { place(i, {}); });
    }
    placing.wait();
  }
  for (size_t i = 0; i < batches.size(); ++i)
    if (waits(i))
      place(i, [&](uint32_t stream_rank) {
        return latest_before(stream_rank, batches[i].file, batches);
      });
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  return PlacedNames{std::move(joiner).finish(), std::move(counts)};
}

std::vector<Run> runs_of(std::vector<PlacedBatch>& batches, HostAllocator* allocator) {
  struct Ranked {
    std::tuple<uint32_t, uint64_t, uint32_t> rank;
    const Stream* stream;  // null: compact events
    uint64_t* sched_rank;
  };
  std::vector<Ranked> all;
  uint32_t file_order = 0;
  for (uint32_t i = 0; i < batches.size(); ++i) {
    if (i > 0 && batches[i].file != batches[i - 1].file) ++file_order;
    EventBatch& batch = batches[i].batch;
    for (const Stream& stream : batch.streams)
      all.push_back({{file_order, stream.rank, i}, &stream, nullptr});
    for (uint64_t& rank : batch.sched_ranks) all.push_back({{file_order, rank, i}, nullptr, &rank});
  }
  std::ranges::sort(all, {}, &Ranked::rank);
  std::vector<Run> runs;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].stream == nullptr) {
      *all[rank].sched_rank = rank;
      continue;
    }
    const uint32_t batch = std::get<2>(all[rank].rank);
    // Reordering ties needs more events at a time than TimeOrder keeps.
    const bool is_consumed = batches[batch].batch.tie_rule == TieRule::FileOrder;
    const std::vector<Event>& events = all[rank].stream->events;
    runs.push_back(
        {events.data(), events.data() + events.size(), batch, rank, is_consumed, allocator});
  }
  for (uint32_t i = 0; i < batches.size(); ++i) {
    const EventBatch& batch = batches[i].batch;
    if (batch.sched.empty()) continue;
    runs.push_back({.at = nullptr,
                    .end = nullptr,
                    .batch = i,
                    .rank = 0,
                    .is_consumed = true,
                    .allocator = allocator,
                    .sched = batch.sched,
                    .facts = batch.sched_facts,
                    .ranks = batch.sched_ranks});
  }
  return runs;
}

}  // namespace tracebraid
