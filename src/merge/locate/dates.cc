#include "merge/locate/dates.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "event/event_kind.h"
#include "event/sched_events.h"
#include "merge/locate/batch_summary.h"
#include "merge/locate/fallbacks.h"

namespace tracebraid {
namespace {

constexpr int64_t kSlackNs = 2'000'000'000;  // one second truncated, one to note it
// Two clocks agree by more than chance if they could differ by this many times the bound.
constexpr int64_t kHardlyChance = 10;

// One date. Its clock showed `reading` then, with the bound `uncertainty_ns`.
struct Date {
  ClockId clock, wall_clock;
  int64_t reading, utc_ns, uncertainty_ns;
  SnapshotOrigin origin;
};

std::optional<Date> date_of(const Snapshot& snapshot, const BatchTrackers& batch,
                            std::span<const FileToLocate> files, const Trackers& trackers,
                            std::span<const std::vector<ClockId>> nodes, ClockGraph& graph) {
  const auto index = static_cast<size_t>(&batch - trackers.batches.data());
  const SnapshotReading* const readings = &batch.batch->readings[snapshot.first];
  const ClockId clock = nodes[index][readings[0].clock];
  if (!clock) return std::nullopt;
  const EventRange range = event_range(clock, batch.file, trackers, nodes);
  int64_t length = 0;
  if (range.is_empty() || __builtin_sub_overflow(range.last, range.first, &length))
    return std::nullopt;
  const bool is_end = snapshot.kind == SnapshotKind::EndDate;
  const int64_t uncertainty = add_uncertainty(length, kSlackNs);
  const MachineId machine = trackers.at(batch.by_machine[snapshot.machine]).machine;
  return Date{.clock = clock,
              .wall_clock = graph.add(canonical_key(domain::kRealtime, machine)),
              .reading = is_end ? range.last : range.first,
              .utc_ns = readings[1].ticks,
              .uncertainty_ns = uncertainty,
              .origin = {.kind = EvidenceKind::Rendezvous,
                         .uncertainty_ns = uncertainty,
                         .file = files[batch.file].file,
                         .byte_offset = snapshot.byte_offset,
                         .source = EvidenceSource::Date}};
}

// Returns the dates sorted by bound, not by the order of files.
std::vector<Date> dates_of(std::span<const FileToLocate> files, const MachineRegistry& registry,
                           const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                           ClockGraph& graph) {
  std::vector<Date> dates;
  for (const BatchTrackers& batch : trackers.batches) {
    if (registry.files[batch.file].is_pinned()) continue;  // placed by the user
    for (const Snapshot& snapshot : batch.batch->snapshots) {
      if (!is_date(snapshot.kind)) continue;
      if (const auto date = date_of(snapshot, batch, files, trackers, nodes, graph))
        dates.push_back(*date);
    }
  }
  std::ranges::stable_sort(dates, {}, [](const Date& date) {
    return std::tuple(date.uncertainty_ns, date.utc_ns, date.reading);
  });
  return dates;
}

// Relates the clock of the date, unless it is related already.
bool add(const Date& date, ClockGraph& graph) {
  if (graph.are_connected(date.clock, date.wall_clock)) return false;
  const ClockReading both[] = {
      {.clock = date.clock, .ticks = date.reading, .tick_ns = kAlreadyNs},
      {.clock = date.wall_clock, .ticks = date.utc_ns, .tick_ns = kAlreadyNs}};
  return graph.add_snapshot(both, date.origin).has_value();
}

void count_from_one_moment(std::span<const Date> dates, ClockModel model, ClockGraph& graph) {
  const Placement placement = graph.solve(model);
  for (const Date& date : dates) {
    const Placement::Node& node = placement.node(date.clock);
    const std::optional<TraceTime> at = placement.place({date.clock, date.reading});
    int64_t apart = 0;
    if (!at || __builtin_sub_overflow(at->ns, date.reading, &apart)) continue;
    const int64_t bound = node.uncertainty_ns;
    if (date.reading / kHardlyChance < bound || apart > bound || apart < -bound) continue;
    const ClockReading both[] = {
        {.clock = date.clock, .ticks = date.reading, .tick_ns = kAlreadyNs},
        {.clock = graph.trace_time(), .ticks = date.reading, .tick_ns = kAlreadyNs}};
    SnapshotOrigin origin = date.origin;
    origin.uncertainty_ns = add_uncertainty(bound, apart < 0 ? -apart : apart);
    std::ignore =
        graph.add_snapshot(both, origin);  // one reading of each of two clocks breaks no rule
  }
}

}  // namespace

EventRange event_range(ClockId clock, size_t file, const Trackers& trackers,
                       std::span<const std::vector<ClockId>> nodes) {
  EventRange range;
  for (const BatchTrackers& batch : batches_of(file, trackers)) {
    const auto index = static_cast<size_t>(&batch - trackers.batches.data());
    for (size_t i = 0; batch.summary != nullptr && i < nodes[index].size(); ++i) {
      const ClockUse& use = batch.summary->clocks[i];
      if (nodes[index][i] != clock || use.of_streams() == 0) continue;
      range.first = std::min(range.first, use.begin);
      range.last = std::max(range.last, use.end);
    }
    for (const Stream& stream : batch.batch->streams) {
      for_each_event(*batch.batch, stream, [&](const Event& event) {
        if (nodes[index][event.clock] != clock) return;
        const int64_t duration = event.what() == EventKind::Slice ? event.value : 0;
        range.first = std::min(range.first, event.ts);
        range.last = std::max(range.last, event.ts);
        int64_t end = 0;
        if (!__builtin_add_overflow(event.ts, duration, &end))
          range.last = std::max(range.last, end);
      });
    }
  }
  return range;
}

void place_by_dates(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                    const WallClockErrors& wall_clocks, ClockModel model, ClockGraph& graph) {
  const std::vector<Date> dates = dates_of(files, registry, trackers, nodes, graph);
  if (dates.empty()) return;
  // The timeline needs a relation to wall-clock time; one date is enough.
  const ClockId timeline = graph.trace_time();
  const ClockId wall_clock =
      graph.add(canonical_key(domain::kRealtime, graph.key(timeline).machine));
  for (const Date& date : dates)
    if (date.wall_clock == wall_clock && graph.are_connected(date.clock, timeline))
      add(date, graph);
  if (!graph.are_connected(wall_clock, timeline)) return;

  std::vector<Date> used;
  for (const Date& date : dates)
    if (!graph.are_connected(date.clock, timeline) && add(date, graph)) used.push_back(date);
  meet_on_wall_clock(files, registry, trackers, wall_clocks, graph);
  if (!used.empty()) count_from_one_moment(used, model, graph);
}

}  // namespace tracebraid
