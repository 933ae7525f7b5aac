#include "merge/place/place.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "event/event_kind.h"
#include "event/event_traits.h"
#include "event/stream_rank.h"
#include "event/tie.h"
#include "merge/place/placer.h"
#include "tables/packed_args.h"

namespace tracebraid {
namespace {

// Places the events of a batch.
class EventPlacer : public Placer {
 public:
  EventPlacer(std::span<const ClockPlace> clocks, const Placement& placement, const JoinMap& map,
              const PlacingRules& rules)
      : Placer(clocks, placement, rules), map_(map) {}

  using Placer::place;
  // Converts event.ts in place.
  Fate place(Event& event) {
    return place(event.ts, event.clock, is_timed(event.what()),
                 [&] { return is_track_event(event); });
  }
  Fate place(SchedRecord& record, const SchedFact& fact) {
    return place(record.ts, fact.clock, true, [] { return false; });
  }

  void begin_stream(uint32_t rank, int64_t latest) {
    set_latest(latest);
    is_of_packets_ = rank_of_segment(rank) == 0;
  }

 private:
  bool is_track_event(const Event& event) const {
    return is_of_packets_ && may_be_track_event(event.what()) &&
           event.track < map_.is_of_track_events.size() && map_.is_of_track_events[event.track];
  }

  const JoinMap& map_;
  bool is_of_packets_ = false;
};

void place_arg_times(Placer& placer, EventBatch& batch) {
  if (batch.arg_times.empty()) return;
  for (ArgRow& row : batch.args.rows) {
    if (row.type != ArgType::Time) continue;
    const bool has_place = placer.place(batch.arg_times[static_cast<size_t>(row.value)], row.value);
    row.type = has_place ? ArgType::Int : ArgType::Null;
    if (!has_place) row.value = 0;
  }
}

// Adds the counts of later streams.
void add_counts(const PlaceCount& later, PlaceCount& sum) {
  if (later.timed > 0 && (sum.timed == 0 || later.first_ts < sum.first_ts)) {
    sum.first_ts = later.first_ts;
    sum.first_reading = later.first_reading;
  }
  if (later.timed > 0 && (sum.timed == 0 || later.last_ts > sum.last_ts)) {
    sum.last_ts = later.last_ts;
    sum.last_reading = later.last_reading;
  }
  sum.placed += later.placed;
  sum.timed += later.timed;
  sum.no_path += later.no_path;
  sum.ambiguous += later.ambiguous;
  sum.out_of_range += later.out_of_range;
  sum.negative += later.negative;
  sum.negative_track_events += later.negative_track_events;
  for (const int64_t reading : later.lost_readings)
    if (sum.lost_readings.size() < kMaxLostReadings) sum.lost_readings.push_back(reading);
}

void place_sched(std::span<const SchedFact> facts, EventPlacer& placer,
                 std::vector<SchedRecord>& records) {
  std::erase_if(records, [&](SchedRecord& record) {
    return placer.place(record, facts[record.fact]) == Fate::Lost;
  });
  if (!std::ranges::is_sorted(records, {}, &SchedRecord::ts))
    std::ranges::stable_sort(records, {}, &SchedRecord::ts);
}

// Merges two lists; events of `a` come first at equal times. Branch-free, because the branch is
// unpredictable.
void merge_two(std::span<const SchedRecord> a, std::span<const SchedRecord> b, SchedRecord* to) {
  const SchedRecord *at_a = a.data(), *at_b = b.data();
  const SchedRecord *const end_a = at_a + a.size(), *const end_b = at_b + b.size();
  while (at_a != end_a && at_b != end_b) {
    const bool takes_b = at_b->ts < at_a->ts;
    *to++ = takes_b ? *at_b : *at_a;
    at_b += takes_b ? 1 : 0;
    at_a += takes_b ? 0 : 1;
  }
  to = std::copy(at_a, end_a, to);
  std::copy(at_b, end_b, to);
}

// Merges all streams into one list, in the order of time and rank.
void merge_sched(EventBatch& batch) {
  std::vector<Stream*> streams;
  size_t count = 0;
  for (Stream& stream : batch.streams) {
    if (stream.sched.empty()) continue;
    streams.push_back(&stream);
    count += stream.sched.size();
  }
  std::ranges::sort(streams, {}, [](const Stream* stream) { return stream->rank; });
  std::vector<SchedRecord> from, to(streams.size() > 1 ? count : 0);
  std::vector<size_t> ends{0};  // of the lists in `from`
  from.reserve(count);
  for (Stream* stream : streams) {
    const uint32_t cpu = batch.sched_facts[stream->sched.front().fact].cpu;
    if (cpu >= batch.sched_ranks.size()) batch.sched_ranks.resize(cpu + 1);
    batch.sched_ranks[cpu] = stream->rank;
    const std::vector<SchedRecord> records = std::exchange(stream->sched, {});
    from.insert(from.end(), records.begin(), records.end());
    ends.push_back(from.size());
  }
  while (ends.size() > 2) {
    std::vector<size_t> merged{0};
    for (size_t i = 0; i + 1 < ends.size(); i += 2) {
      const std::span<const SchedRecord> all(from);
      const size_t end = ends[std::min(i + 2, ends.size() - 1)];
      merge_two(all.subspan(ends[i], ends[i + 1] - ends[i]),
                all.subspan(ends[i + 1], end - ends[i + 1]), &to[ends[i]]);
      merged.push_back(end);
    }
    ends = std::move(merged);
    std::swap(from, to);
  }
  batch.sched = std::move(from);
}

// Divides neighbouring streams among tasks, with about the same number of events each.
std::vector<std::span<Stream>> shares_of(std::vector<Stream>& streams, size_t tasks) {
  size_t events = 0;
  const auto size_of = [](const Stream& of) { return of.events.size() + of.sched.size(); };
  for (const Stream& stream : streams) events += size_of(stream);
  std::vector<std::span<Stream>> shares;
  size_t first = 0, taken = 0;
  for (size_t i = 0; i < streams.size(); ++i) {
    taken += size_of(streams[i]);
    const bool is_full = shares.size() + 1 < tasks && taken * tasks >= events * (shares.size() + 1);
    if (!is_full && i + 1 < streams.size()) continue;
    shares.push_back(std::span(streams).subspan(first, i + 1 - first));
    first = i + 1;
  }
  return shares;
}

void join_all_args(const JoinMap& map, Workers& workers, ArgSets& args) {
  constexpr size_t kRows = size_t{1} << 18;  // of a task
  const std::span<ArgRow> rows(args.rows);
  std::atomic<bool> any = false;
  workers.run((rows.size() + kRows - 1) / kRows, [&](size_t i) {
    if (join_args(map, rows.subspan(i * kRows, std::min(kRows, rows.size() - i * kRows))))
      any = true;
  });
  args.names_rows = any;
}

// Whether arg sets can be packed: they are final, and assembling reads each as a whole, once.
// `keep_args`: all timed events have such kinds (EventTraits::keeps_args).
bool can_pack(const EventBatch& batch, bool keep_args) {
  if (!batch.arg_times.empty() || !batch.stacks.methods.empty()) return false;
  if (batch.tie_rule == TieRule::TraceEventFormat) return true;
  return keep_args && batch.untimed.empty() && batch.cpus.empty() && batch.gpus.empty() &&
         batch.stacks.frames.empty();
}

}  // namespace

std::vector<PlaceCount> place_batch(std::span<const ClockPlace> clocks, const Placement& placement,
                                    const JoinMap& map, const PlacingRules& rules, Workers& workers,
                                    EventBatch& batch, const LatestBefore& latest_before) {
  constexpr size_t kTasksOfThread = 4;  // streams differ in how long they take
  constexpr size_t kManyClocks = 4096;  // each task has the state of all
  join_all_args(map, workers, batch.args);
  join_stacks(map, batch);
  for (Event& event : batch.untimed) join_event(map, event);
  for (SchedTask& task : batch.sched_tasks) task.comm = map.string(task.comm);

  const auto place_all = [&](std::vector<Event>& events, EventPlacer& placer) {
    bool keep_args = true;
    std::erase_if(events, [&](Event& event) {
      if (placer.place(event) == Fate::Lost) return true;
      keep_args &= traits_of(event.what()).keeps_args;
      join_event(map, event);
      return false;
    });
    return keep_args;
  };
  const bool is_serial = clocks.size() > kManyClocks || latest_before;
  const size_t tasks = is_serial ? 1 : kTasksOfThread * workers.threads();
  const auto shares = shares_of(batch.streams, tasks);
  std::vector<std::vector<PlaceCount>> counts(shares.size());
  std::vector<char> share_keeps_args(shares.size(), true);
  workers.run(shares.size(), [&](size_t i) {
    EventPlacer placer(clocks, placement, map, rules);
    for (Stream& stream : shares[i]) {
      placer.begin_stream(stream.rank, latest_before ? latest_before(stream.rank) : 0);
      if (!place_all(stream.events, placer)) share_keeps_args[i] = false;
      sort_stream(stream.events, batch.tie_rule);
      place_sched(batch.sched_facts, placer, stream.sched);
    }
    counts[i] = std::move(placer).finish();
  });
  merge_sched(batch);
  EventPlacer placer(clocks, placement, map, rules);
  place_arg_times(placer, batch);
  place_log(placer, batch.log);
  placer.begin_stream(0, 0);
  place_all(batch.timed_metadata, placer);
  std::vector<PlaceCount> sums = std::move(placer).finish();
  if (can_pack(batch, std::ranges::all_of(share_keeps_args, std::identity{}))) pack(batch.args);
  for (const std::vector<PlaceCount>& of_share : counts)
    for (size_t clock = 0; clock < sums.size(); ++clock) add_counts(of_share[clock], sums[clock]);
  return sums;
}

}  // namespace tracebraid
