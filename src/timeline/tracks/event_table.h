// EventTable: what the index needs of each table with events: owners, depths, starts and durations.
//
// In: a Store. Out: functions over its columns. Called by timeline/tracks and timeline/events.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tables/display_ends.h"
#include "tables/store.h"
#include "timeline/index/row_lists.h"

namespace tracebraid::timeline {

enum class TableKind : uint8_t {
  Slice,
  Counter,
  Sched,
  ThreadState,
  State,
  Log,
  Ftrace,
  Sample,
  JsonSample,
  Snapshot,
  Dump,
};
inline constexpr size_t kTableKinds = 11;

// "slice", "thread_state" ...: kinds of events in the API.
std::string_view name_of(TableKind kind);
std::optional<TableKind> find_table_kind(std::string_view name);

struct EventTable {
  TableKind kind{};
  // The tables that the functions read, by their SQL names.
  std::vector<std::string_view> tables = {};
  // Owners are rows of `track`; of `cpu` for sched and ftrace; of `thread` for thread_state; of
  // `machine` for log; of SnapshotOwners for snapshot; see SampleOwners for samples, DumpOwners
  // for dump.
  LineKeys keys = {};
  bool has_lengths = false;  // events last; otherwise they are moments, with a weight
  // Reads starts and durations, which are -1 of events that never ended, or weights.
  std::function<void(std::span<const uint32_t> rows, std::span<int64_t> starts,
                     std::span<int64_t> durations)>
      read_times = {};
  std::function<int64_t(uint32_t row)> display_end = {};  // of an event that never ended
};

// Owners of samples: first all threads, then all processes, then the samples of neither.
struct SampleOwners {
  size_t threads, processes;
  explicit SampleOwners(const Store& store)
      : threads(store.threads.rows()), processes(store.processes.rows()) {}
  size_t size() const { return threads + processes + 1; }
  uint32_t of(OptRow utid, OptRow upid) const;
};

// Owners of snapshots: pairs of process and base type, in order of their first instance.
struct SnapshotOwners {
  struct Owner {
    OptRow upid;
    StringId base_type;
  };
  std::vector<Owner> owners;
  std::vector<uint32_t> of_instances;  // owner by row of json_object_instance
  explicit SnapshotOwners(const Store& store);
};

// Owners of memory dumps: first all processes, then rows of `track` for dumps of all processes.
struct DumpOwners {
  size_t processes;
  explicit DumpOwners(const Store& store) : processes(store.processes.rows()) {}
  bool is_process(uint32_t owner) const { return owner < processes; }
  uint32_t of_track(uint32_t row) const { return static_cast<uint32_t>(processes + row); }
};

// Returns the tables in the order of TableKind. The store and `ends` outlive them.
std::array<EventTable, kTableKinds> event_tables(const Store& store, const DisplayEnds& ends);

}  // namespace tracebraid::timeline
