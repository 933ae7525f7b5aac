#include "merge/locate/base_times.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "merge/locate/dates.h"

namespace tracebraid {
namespace {

// One snapshot, with the nodes of its two clocks.
struct BaseTime {
  const BatchTrackers* batch;
  const Snapshot* snapshot;
  ClockId clock, wall_clock;
  int64_t tick_ns;        // of `clock`
  int64_t reading, wall;  // in their ticks

  bool is_definition() const { return snapshot->kind == SnapshotKind::BaseTime; }
};

bool is_named(MachineId machine, const MachineRegistry& registry) {
  return std::ranges::any_of(registry.by_name,
                             [&](const auto& entry) { return entry.second == machine; });
}

class BaseTimes {
 public:
  BaseTimes(std::span<const FileToLocate> files, const MachineRegistry& registry,
            const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
            ClockGraph& graph, EvidenceReport& report)
      : files_(files),
        registry_(registry),
        trackers_(trackers),
        nodes_(nodes),
        graph_(graph),
        report_(report) {}

  void add_all() {
    for (size_t i = 0; i < trackers_.batches.size(); ++i) {
      const BatchTrackers& batch = trackers_.batches[i];
      // The manifest outweighs the start that a pinned file states.
      if (registry_.files[batch.file].is_pinned()) continue;
      for (const Snapshot& snapshot : batch.batch->snapshots) {
        if (!is_base_time(snapshot, *batch.batch)) continue;
        if (const std::optional<BaseTime> base = base_time(i, snapshot)) add(*base);
      }
    }
  }

 private:
  std::optional<BaseTime> base_time(size_t index, const Snapshot& snapshot) const {
    const BatchTrackers& batch = trackers_.batches[index];
    if (snapshot.count != 2) return std::nullopt;
    const SnapshotReading& own = batch.batch->readings[snapshot.first];
    const SnapshotReading& wall = batch.batch->readings[snapshot.first + 1];
    const ClockId clock = nodes_[index][own.clock], wall_clock = nodes_[index][wall.clock];
    if (!clock || !wall_clock) return std::nullopt;
    return BaseTime{.batch = &batch,
                    .snapshot = &snapshot,
                    .clock = clock,
                    .wall_clock = wall_clock,
                    .tick_ns = batch.batch->clocks[own.clock].tick_ns,
                    .reading = own.ticks,
                    .wall = wall.ticks};
  }

  void add(const BaseTime& base) {
    const EventRange range = event_range(base.clock, base.batch->file, trackers_, nodes_);
    SnapshotOrigin origin{.kind = EvidenceKind::Rendezvous,
                          .file = files_[base.batch->file].file,
                          .byte_offset = base.snapshot->byte_offset,
                          .source = EvidenceSource::StartTime};
    if (!base.is_definition()) {
      add_point(base, range.is_empty() ? base.reading : range.first, origin);
      return;
    }
    origin.uncertainty_ns = std::max<int64_t>(0, base.snapshot->uncertainty_ns);
    if (!is_of_one_machine(base))
      origin.uncertainty_ns += default_uncertainty_ns(EvidenceKind::Rendezvous);
    origin.is_on_line = true;
    const int64_t first = range.is_empty() ? base.reading : range.first;
    const bool has_length = !range.is_empty() && range.last > range.first;
    const int64_t last = has_length ? range.last : first + (first < INT64_MAX ? 1 : -1);
    add_point(base, first, origin);
    // The file states one relation: `clock_snapshot` has one row of it.
    const size_t snapshots = graph_.snapshots().size();
    add_point(base, last, origin);
    if (graph_.snapshots().size() > snapshots)
      report_.unrecorded.insert(static_cast<uint32_t>(snapshots));
  }

  // Whether the wall clock of the file is known to be that of the machine.
  bool is_of_one_machine(const BaseTime& base) {
    const MachineId machine = graph_.key(base.wall_clock).machine;
    if (is_named(machine, registry_)) return true;
    // Files may have nodes of their own for the wall clock of the machine.
    bool was_read = false;
    for (uint32_t row = 0; row < graph_.size() && !was_read; ++row) {
      const ClockKey& key = graph_.key(ClockId{row});
      was_read = key.domain == domain::kRealtime && key.machine == machine &&
                 graph_.was_read(ClockId{row});
    }
    return first_file_.try_emplace(machine, base.batch->file).second && !was_read;
  }

  // Adds the moment when the file's clock shows `ticks`.
  void add_point(const BaseTime& base, int64_t ticks, const SnapshotOrigin& origin) {
    int64_t since = 0, wall = 0;
    if (__builtin_sub_overflow(ticks, base.reading, &since) ||
        __builtin_mul_overflow(since, base.tick_ns, &since) ||
        __builtin_add_overflow(base.wall, since, &wall)) {
      ticks = base.reading;
      wall = base.wall;
    }
    const ClockReading both[] = {{.clock = base.clock, .ticks = ticks, .tick_ns = base.tick_ns},
                                 {.clock = base.wall_clock, .ticks = wall}};
    if (const Result<> added = graph_.add_snapshot(both, origin); !added) {
      ++report_.invalid_snapshots;
      if (++refused_[origin.file] <= kMaxLogRows)
        report_.refused.push_back({origin.file, origin.byte_offset, added.error().message});
    }
  }

  std::span<const FileToLocate> files_;
  const MachineRegistry& registry_;
  const Trackers& trackers_;
  std::span<const std::vector<ClockId>> nodes_;
  ClockGraph& graph_;
  EvidenceReport& report_;
  absl::flat_hash_map<MachineId, size_t> first_file_;
  absl::flat_hash_map<FileId, size_t> refused_;
};

}  // namespace

void add_base_times(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                    ClockGraph& graph, EvidenceReport& report) {
  BaseTimes(files, registry, trackers, nodes, graph, report).add_all();
}

}  // namespace tracebraid
