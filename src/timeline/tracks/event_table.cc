#include "timeline/tracks/event_table.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "timeline/tracks/scheduling_ends.h"

namespace tracebraid::timeline {
namespace {

constexpr std::string_view kNames[kTableKinds] = {
    "slice",  "counter", "sched",       "thread_state", "state", "log",
    "ftrace", "sample",  "json_sample", "snapshot",     "dump"};

// How many rows ahead of the one that is read the memory of a row is requested.
constexpr size_t kAhead = 16;

template <class T>
void prefetch(const PackedColumn<T>& column, size_t row) {
  column.ints().prefetch(row);
}
template <class T>
void prefetch(const Column<T>& column, size_t row) {
  __builtin_prefetch(column.data() + row);
}

// Reads two columns at rows that are far apart.
template <class Starts, class Durations>
auto reader_of(const Starts& ts, const Durations& dur) {
  return [&ts, &dur](std::span<const uint32_t> rows, std::span<int64_t> starts,
                     std::span<int64_t> durations) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kAhead < rows.size()) {
        prefetch(ts, rows[i + kAhead]);
        prefetch(dur, rows[i + kAhead]);
      }
      starts[i] = ts[rows[i]];
      durations[i] = dur[rows[i]];
    }
  };
}
template <class Starts>
auto reader_of(const Starts& ts) {
  return [&ts](std::span<const uint32_t> rows, std::span<int64_t> starts,
               std::span<int64_t> durations) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kAhead < rows.size()) prefetch(ts, rows[i + kAhead]);
      starts[i] = ts[rows[i]];
    }
    std::ranges::fill(durations, 0);
  };
}

// Reads consecutive rows of a column of row numbers.
template <class T>
auto owners_of(const PackedColumn<T>& column) {
  return [&column](size_t first, std::span<uint32_t> to) {
    std::array<int64_t, 1024> values;
    for (size_t done = 0; done < to.size();) {
      const size_t count = std::min(values.size(), to.size() - done);
      column.ints().read(first + done, std::span(values).first(count));
      // NULL is -1, which is kNoOwner.
      std::transform(values.begin(), values.begin() + static_cast<ptrdiff_t>(count),
                     to.begin() + static_cast<ptrdiff_t>(done),
                     [](int64_t value) { return static_cast<uint32_t>(value); });
      done += count;
    }
  };
}
template <class Owner>
auto owners_by_row(Owner owner) {
  return [owner](size_t first, std::span<uint32_t> to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = owner(first + i);
  };
}

EventTable slices(const Store& store, const DisplayEnds& ends) {
  const SliceTable& table = store.slices;
  return {.kind = TableKind::Slice,
          .tables = {SliceTable::kName, TrackTable::kName, JsonAsyncSliceTable::kName,
                     JsonContextTable::kName, JsonSliceContextTable::kName},
          .keys = {.rows = table.rows(),
                   .owners = store.tracks.rows(),
                   .read_owners = owners_of(table.track_id),
                   .read_depths = owners_of(table.depth)},
          .has_lengths = true,
          .read_times = reader_of(table.ts, table.dur),
          .display_end = [&ends](uint32_t row) { return ends.end(row); }};
}

// A table of states, of which the last one of each line lasts until `display_end`.
template <class Table>
EventTable states(const Table& table, TableKind kind,
                  std::function<int64_t(uint32_t)> display_end) {
  return {.kind = kind,
          .tables = {Table::kName},
          .keys = {.rows = table.rows()},
          .has_lengths = true,
          .read_times = reader_of(table.ts, table.dur),
          .display_end = std::move(display_end)};
}

EventTable counters(const Store& store) {
  return {.kind = TableKind::Counter,
          .tables = {CounterTable::kName},
          .keys = {.rows = store.counters.rows(),
                   .owners = store.tracks.rows(),
                   .read_owners = owners_of(store.counters.track_id)},
          .read_times = reader_of(store.counters.ts)};
}

// Log lines of threads belong to their machine, other lines to the machine of the timeline.
EventTable logs(const Store& store) {
  const auto owner = [&store](size_t row) {
    const uint32_t utid = store.logs.utid[row].row;
    return utid == OptRow::kNull ? store.timeline_machine : store.threads.machine_id[utid];
  };
  return {.kind = TableKind::Log,
          .tables = {LogTable::kName, ThreadTable::kName},
          .keys = {.rows = store.logs.rows(),
                   .owners = store.machines.rows(),
                   .read_owners = owners_by_row(owner)},
          .read_times = reader_of(store.logs.ts, store.logs.prio)};
}

EventTable samples(const Store& store) {
  const auto owner = [&store, owners = SampleOwners(store)](size_t row) {
    const uint32_t context = store.profiler_samples.task_context_id[row].row;
    if (context == OptRow::kNull) return owners.of({}, {});
    const ProfilerTaskContextTable& contexts = store.profiler_task_contexts;
    return owners.of(contexts.utid[context], contexts.upid[context]);
  };
  return {.kind = TableKind::Sample,
          .tables = {ProfilerSampleTable::kName, ProfilerTaskContextTable::kName},
          .keys = {.rows = store.profiler_samples.rows(),
                   .owners = SampleOwners(store).size(),
                   .read_owners = owners_by_row(owner)},
          .read_times = reader_of(store.profiler_samples.ts)};
}

EventTable json_samples(const Store& store) {
  const auto owner = [&store, owners = SampleOwners(store)](size_t row) {
    return owners.of(store.json_samples.utid[row], {});
  };
  return {.kind = TableKind::JsonSample,
          .tables = {JsonSampleTable::kName},
          .keys = {.rows = store.json_samples.rows(),
                   .owners = SampleOwners(store).size(),
                   .read_owners = owners_by_row(owner)},
          .read_times = reader_of(store.json_samples.ts)};
}

EventTable snapshots(const Store& store) {
  const auto owners = std::make_shared<SnapshotOwners>(store);
  const auto owner = [&store, owners](size_t row) {
    return owners->of_instances[store.json.snapshots.instance_id[row]];
  };
  return {.kind = TableKind::Snapshot,
          .tables = {JsonObjectSnapshotTable::kName, JsonObjectInstanceTable::kName},
          .keys = {.rows = store.json.snapshots.rows(),
                   .owners = owners->owners.size(),
                   .read_owners = owners_by_row(owner)},
          .read_times = reader_of(store.json.snapshots.ts)};
}

// The weight of a dump is its level of detail: 1 background, 2 light, 3 detailed.
EventTable dumps(const Store& store) {
  const JsonMemoryDumpTable& table = store.json.memory_dumps;
  const auto owner = [&store, &table, owners = DumpOwners(store)](size_t row) {
    if (const uint32_t upid = table.upid[row].row; upid != OptRow::kNull) return upid;
    const uint32_t track = store.memory_snapshot.track_id[table.snapshot_id[row]].row;
    return track == OptRow::kNull ? LineKeys::kNoOwner : owners.of_track(track);
  };
  const auto read_times =
      [&table, light = store.strings.find("light"), detailed = store.strings.find("detailed")](
          std::span<const uint32_t> rows, std::span<int64_t> starts, std::span<int64_t> durations) {
        for (size_t i = 0; i < rows.size(); ++i) {
          const StringId level = table.level_of_detail[rows[i]];
          starts[i] = table.ts[rows[i]];
          durations[i] = level && level == detailed ? 3 : level && level == light ? 2 : 1;
        }
      };
  return {.kind = TableKind::Dump,
          .tables = {JsonMemoryDumpTable::kName, MemorySnapshotTable::kName},
          .keys = {.rows = table.rows(),
                   .owners = store.processes.rows() + store.tracks.rows(),
                   .read_owners = owners_by_row(owner)},
          .read_times = read_times};
}

}  // namespace

std::string_view name_of(TableKind kind) { return kNames[static_cast<size_t>(kind)]; }

std::optional<TableKind> find_table_kind(std::string_view name) {
  const auto* const at = std::ranges::find(kNames, name);
  if (at == std::end(kNames)) return std::nullopt;
  return static_cast<TableKind>(at - kNames);
}

uint32_t SampleOwners::of(OptRow utid, OptRow upid) const {
  if (utid.row != OptRow::kNull) return utid.row;
  return static_cast<uint32_t>(threads + (upid.row != OptRow::kNull ? upid.row : processes));
}

SnapshotOwners::SnapshotOwners(const Store& store) {
  const JsonObjectInstanceTable& instances = store.json.instances;
  absl::flat_hash_map<std::pair<uint32_t, StringId>, uint32_t> found;
  for (size_t row = 0; row < instances.rows(); ++row) {
    const Owner owner{instances.upid[row], instances.base_type[row]};
    const auto [at, is_new] =
        found.try_emplace({owner.upid.row, owner.base_type}, static_cast<uint32_t>(owners.size()));
    if (is_new) owners.push_back(owner);
    of_instances.push_back(at->second);
  }
}

std::array<EventTable, kTableKinds> event_tables(const Store& store, const DisplayEnds& ends) {
  const auto scheduling = std::make_shared<const SchedulingEnds>(store);
  EventTable sched = states(store.sched, TableKind::Sched, [&store, scheduling](uint32_t row) {
    return scheduling->of_machine(store.cpus.machine_id[store.sched.ucpu[row]]);
  });
  sched.tables.insert(sched.tables.end(), {CpuTable::kName, ThreadTable::kName});
  sched.keys.owners = store.cpus.rows();
  sched.keys.read_owners = owners_of(store.sched.ucpu);
  EventTable thread_states =
      states(store.thread_states, TableKind::ThreadState, [&store, scheduling](uint32_t row) {
        return scheduling->of_machine(store.threads.machine_id[store.thread_states.utid[row]]);
      });
  thread_states.keys.owners = store.threads.rows();
  thread_states.keys.read_owners = owners_of(store.thread_states.utid);
  EventTable track_states =
      states(store.states, TableKind::State, [&store](uint32_t) { return store.trace_end; });
  track_states.keys.owners = store.tracks.rows();
  track_states.keys.read_owners =
      owners_by_row([&store](size_t row) { return store.states.track_id[row]; });
  EventTable ftrace{.kind = TableKind::Ftrace,
                    .tables = {FtraceEventTable::kName},
                    .keys = {.rows = store.ftrace_events.rows(),
                             .owners = store.cpus.rows(),
                             .read_owners = owners_of(store.ftrace_events.ucpu)},
                    .read_times = reader_of(store.ftrace_events.ts)};
  return {slices(store, ends),     counters(store),  std::move(sched),  std::move(thread_states),
          std::move(track_states), logs(store),      std::move(ftrace), samples(store),
          json_samples(store),     snapshots(store), dumps(store)};
}

}  // namespace tracebraid::timeline
