#include "timeline/tree/tree_track.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "timeline/tracks/track_index.h"
#include "timeline/tree/counter_series.h"

namespace tracebraid::timeline {
namespace {

// Titles of tracks without a name, by their type.
struct TypeTitle {
  std::string_view type, title;
};
constexpr TypeTitle kTypeTitles[] = {{"legacy_chrome_global_instants", "Global instants"},
                                     {"chrome_process_instant", "Process instants"},
                                     {"process_track_event", "Process events"},
                                     {"global_track_event", "Global events"}};

std::string title_of_type(std::string_view type) {
  const auto* const at = std::ranges::find(kTypeTitles, type, &TypeTitle::type);
  return std::string(at == std::end(kTypeTitles) ? type : at->title);
}

std::string text(const Store& store, StringId id) {
  return id ? std::string(store.strings.get(id)) : std::string();
}

class Collector {
 public:
  Collector(const Store& store, const std::array<EventTable, kTableKinds>& tables,
            const TableLists& lists)
      : store_(store), tables_(tables), lists_(lists) {}

  std::vector<TreeTrack> collect() {
    add_rows_of_track();
    add_owners(TableKind::Sched, [this](uint32_t ucpu, TreeTrack& track) {
      set_cpu(ucpu, track);
      track.title = cpu_title(ucpu);
    });
    add_owners(TableKind::Ftrace, [this](uint32_t ucpu, TreeTrack& track) {
      set_cpu(ucpu, track);
      track.title = cpu_title(ucpu) + " kernel events";
    });
    add_owners(TableKind::ThreadState, [this](uint32_t utid, TreeTrack& track) {
      set_thread(utid, track);
      track.title = "State";
    });
    add_owners(TableKind::Log, [](uint32_t machine, TreeTrack& track) {
      track.machine = {machine};
      track.title = "Log";
    });
    const auto of_sample = [this](uint32_t owner, TreeTrack& track) {
      track.title = "Samples";
      const SampleOwners owners(store_);
      if (owner < owners.threads)
        set_thread(owner, track);
      else if (owner < owners.threads + owners.processes)
        set_process(static_cast<uint32_t>(owner - owners.threads), track);
      else
        track.machine = {store_.timeline_machine};
    };
    add_owners(TableKind::Sample, of_sample);
    add_owners(TableKind::JsonSample, of_sample);
    add_dumps();
    const SnapshotOwners snapshots(store_);
    add_owners(TableKind::Snapshot, [&](uint32_t owner, TreeTrack& track) {
      const auto& [upid, base_type] = snapshots.owners[owner];
      track.title = text(store_, base_type);
      if (upid.row == OptRow::kNull)
        track.machine = {store_.timeline_machine};
      else
        set_process(upid.row, track);
    });
    return std::move(tracks_);
  }

 private:
  const RowLists& lists_of(TableKind kind) const { return lists_[static_cast<size_t>(kind)]; }

  // One track for each row, or for all rows of a group.
  void add_rows_of_track() {
    const TrackTable& rows = store_.tracks;
    std::vector<uint32_t> with_counters;
    for (uint32_t row = 0; row < rows.rows(); ++row)
      if (table_of(row) == TableKind::Counter) with_counters.push_back(row);
    const std::vector<CounterGroup> counters = group_counters(store_, with_counters);
    absl::flat_hash_map<uint32_t, const CounterGroup*> counter_of;
    for (const CounterGroup& counter : counters)
      for (const uint32_t row : counter.rows) counter_of[row] = &counter;
    absl::flat_hash_map<uint32_t, size_t> groups;
    for (uint32_t row = 0; row < rows.rows(); ++row) {
      const TableKind table = table_of(row);
      if (const auto counter = counter_of.find(row); counter != counter_of.end()) {
        // A counter is at the place of the first of its rows.
        if (row == *std::ranges::min_element(counter->second->rows))
          tracks_.push_back(of_counter(row, *counter->second));
        continue;
      }
      const uint32_t group = rows.track_group_id[row].row;
      if (group != OptRow::kNull && table == TableKind::Slice) {
        const auto [at, is_new] = groups.try_emplace(group, tracks_.size());
        if (!is_new) {
          tracks_[at->second].owners.push_back(row);
          continue;
        }
      }
      tracks_.push_back(of_row(row, table));
    }
    place_async();
    for (TreeTrack& track : tracks_) measure(track);
  }

  // Puts groups of async slices of Trace Event Format below the thread on which all of their slices
  // began, or else the process (spec trace-event-format 9.4). Others stay where their ids are
  // valid.
  void place_async() {
    const JsonAsyncSliceTable& slices = store_.json.async_slices;
    // By row of `track`.
    struct Begin {
      OptRow utid = {}, upid = {};
      bool is_known = false;
      void add(OptRow thread, OptRow process) {
        if (is_known && utid.row != thread.row) thread = {};
        if (is_known && upid.row != process.row) process = {};
        *this = {thread, process, true};
      }
    };
    absl::flat_hash_map<uint32_t, Begin> begins;
    for (uint32_t row = 0; row < slices.rows(); ++row) {
      const OptRow utid = {slices.begin_utid[row]};
      begins[store_.slices.track_id[slices.slice_id[row]]].add(utid, store_.threads.upid[utid.row]);
    }
    for (TreeTrack& track : tracks_) {
      if (!track.is_async || begins.empty()) continue;
      Begin all;
      for (const uint32_t owner : track.owners)
        if (const auto begin = begins.find(owner); begin != begins.end())
          all.add(begin->second.utid, begin->second.upid);
      if (track.utid.row == OptRow::kNull) track.utid = all.utid;
      if (track.upid.row == OptRow::kNull) track.upid = all.upid;
    }
  }

  // The dumps of all processes are on their row of `track`, which has no other events.
  void add_dumps() {
    const DumpOwners owners(store_);
    for (TreeTrack& track : tracks_) {
      if (track.track.row == OptRow::kNull || track.events > 0) continue;
      const uint32_t owner = owners.of_track(track.track.row);
      if (lists_of(TableKind::Dump).lines_of(owner) == 0) continue;
      track.table = TableKind::Dump;
      track.owners = {owner};
      track.lines = 0;
      measure(track);
    }
    add_owners(TableKind::Dump, [&](uint32_t owner, TreeTrack& track) {
      set_process(owner, track);
      track.title = "Memory dumps";
      const RowLists& lists = lists_of(TableKind::Dump);
      const uint32_t row = lists.rows()[lists.begin(lists.first_line(owner))];
      const uint32_t snapshot = store_.json.memory_dumps.snapshot_id[row];
      const uint32_t global = store_.memory_snapshot.track_id[snapshot].row;
      if (global != OptRow::kNull) track.file = store_.tracks.trace_id[global];
    });
  }

  // The table that has events of a row of `track`: the declared one unless it has none.
  TableKind table_of(uint32_t row) const {
    const StringId type = store_.tracks.event_type[row];
    const std::string_view declared = type ? store_.strings.get(type) : "slice";
    const TableKind kind = declared == "counter" ? TableKind::Counter
                           : declared == "state" ? TableKind::State
                                                 : TableKind::Slice;
    if (lists_of(kind).events_of(row) > 0) return kind;
    for (const TableKind other : {TableKind::Slice, TableKind::Counter, TableKind::State})
      if (lists_of(other).events_of(row) > 0) return other;
    return kind;
  }

  TreeTrack of_row(uint32_t row, TableKind table) const {
    const TrackTable& rows = store_.tracks;
    TreeTrack track{.table = table,
                    .owners = {row},
                    .track = {row},
                    .parent = rows.parent_id[row],
                    .machine = {rows.machine_id[row]},
                    .file = rows.trace_id[row],
                    .upid = rows.upid[row],
                    .utid = rows.utid[row],
                    .title = text(store_, rows.name[row]),
                    .type = rows.type[row],
                    .unit = rows.counter_unit[row]};
    const std::string type = text(store_, track.type);
    if (track.utid.row != OptRow::kNull && track.upid.row == OptRow::kNull)
      track.upid = store_.threads.upid[track.utid.row];
    track.is_async = table == TableKind::Slice && (rows.track_group_id[row].row != OptRow::kNull ||
                                                   type.find("async") != type.npos);
    // Tracks of CPUs are called alike: their names leave the number to the dimension.
    const OptRow dimensions = rows.dimension_arg_set_id[row];
    const std::optional<int64_t> cpu = cpu_of(dimensions);
    if (cpu && track.title.find_first_of("0123456789") == track.title.npos)
      track.title += fmt::format("{}CPU {}", track.title.empty() ? "" : " ", *cpu);
    if (track.title.empty())
      track.title = track.utid.row != OptRow::kNull && table == TableKind::Slice
                        ? "Slices"
                        : title_of_type(type);
    return track;
  }

  std::optional<int64_t> cpu_of(OptRow dimensions) const {
    const StringId key = store_.strings.find("cpu");
    if (dimensions.row == OptRow::kNull || !key) return std::nullopt;
    const std::optional<ArgRow> arg = store_.args.find(dimensions.row, key);
    return arg && is_integer_arg(arg->type) ? std::optional(arg->value) : std::nullopt;
  }

  TreeTrack of_counter(uint32_t row, const CounterGroup& counter) const {
    TreeTrack track = of_row(row, TableKind::Counter);
    track.owners = counter.rows;
    track.series = counter.series;
    if (!counter.title.empty()) track.title = counter.title;
    return track;
  }

  template <class Describe>
  void add_owners(TableKind kind, Describe describe) {
    const RowLists& lists = lists_of(kind);
    const size_t owners = kind == TableKind::Dump ? store_.processes.rows()
                                                  : tables_[static_cast<size_t>(kind)].keys.owners;
    for (uint32_t owner = 0; owner < owners; ++owner) {
      if (lists.lines_of(owner) == 0) continue;
      TreeTrack track{.table = kind, .owners = {owner}};
      describe(owner, track);
      measure(track);
      tracks_.push_back(std::move(track));
    }
  }

  // Sets the number of lines and events, the first start and the last end.
  void measure(TreeTrack& track) const {
    const EventTable& table = tables_[static_cast<size_t>(track.table)];
    const RowLists& lists = lists_of(track.table);
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (const uint32_t owner : track.owners) {
      track.lines += static_cast<uint32_t>(lists.lines_of(owner));
      for (size_t line = lists.first_line(owner); line < lists.first_line(owner + 1); ++line) {
        const size_t size = lists.size_of(line);
        if (size == 0) continue;
        track.events += size;
        uint32_t rows[] = {lists.rows()[lists.begin(line)],
                           lists.rows()[lists.begin(line) + size - 1]};
        int64_t starts[2], durations[2];
        table.read_times(rows, starts, durations);
        first = std::min(first, starts[0]);
        last = std::max(last, whole_end(table, rows[1], starts[1], durations[1]));
      }
    }
    track.first = first;
    track.last = last;
    if (track.lines == 0) track.lines = 1;  // an empty track is drawn, too
  }

  std::string cpu_title(uint32_t ucpu) const {
    const int64_t cpu = store_.cpus.cpu[ucpu].value;
    return cpu == OptInt::kNull ? "CPU" : fmt::format("CPU {}", cpu);
  }
  void set_cpu(uint32_t ucpu, TreeTrack& track) const {
    track.ucpu = {ucpu};
    track.machine = {store_.cpus.machine_id[ucpu]};
  }
  void set_process(uint32_t upid, TreeTrack& track) const {
    track.upid = {upid};
    track.machine = {store_.processes.machine_id[upid]};
  }
  void set_thread(uint32_t utid, TreeTrack& track) const {
    track.utid = {utid};
    track.upid = store_.threads.upid[utid];
    track.machine = {store_.threads.machine_id[utid]};
  }

  const Store& store_;
  const std::array<EventTable, kTableKinds>& tables_;
  const TableLists& lists_;
  std::vector<TreeTrack> tracks_;
};

}  // namespace

std::vector<TreeTrack> collect_tracks(const Store& store,
                                      const std::array<EventTable, kTableKinds>& tables,
                                      const TableLists& lists) {
  return Collector(store, tables, lists).collect();
}

}  // namespace tracebraid::timeline
