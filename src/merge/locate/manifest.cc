#include "merge/locate/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

#include "event/sched_events.h"
#include "merge/locate/batch_summary.h"

namespace tracebraid {
namespace {

// The distance of the second point of a stated drift, far enough that rounding it to 1 ns is
// negligible.
constexpr int64_t kDriftOverNs = 1'000'000'000'000'000;
constexpr double kMillion = 1e6;

Error unresolved(const std::string& path) {
  return {ErrorCode::BadManifest,
          fmt::format("perfetto_manifest: clocks: could not resolve file '{}'. It must match the "
                      "`path` of an entry in the `files` array.",
                      path)};
}

// Returns the default clock of the events of a file.
uint32_t default_domain(size_t file, const Tracker& tracker, std::span<const FileToLocate> files,
                        const Trackers& trackers) {
  for (const BatchTrackers& batch : batches_of(file, trackers)) {
    for (const ClockName& name : batch.batch->clocks)
      if (name.by_default && name.domain != kTraceTime &&
          trackers.at(batch.by_machine[name.machine]).machine == tracker.machine)
        return name.domain;
  }
  return files[file].format->clock.domain;
}

// One end of an edge: an entry of the manifest, its machine and the clock; without a clock it is
// the timeline of the file.
struct EdgeEnd {
  const FileEntry* entry;
  MachineId machine;
  uint32_t domain;
  bool is_pinned;
};

struct EdgeEnds {
  EdgeEnd source, reference;
};

EdgeEnds ends_of(const ManifestIndex& index, const FileEntry& entry, MachineRegistry& registry,
                 Store& store) {
  const ClockOverride& clocks = *entry.clocks;
  const FileEntry& other = *index.entry(clocks.sync_to.file);
  const bool is_other_pinned = other.clocks && other.clocks->pins_file();
  return {{&entry, machine_of(index, entry, clocks.machine, registry, store), clocks.clock,
           clocks.pins_file()},
          {&other, machine_of(index, other, clocks.sync_to.machine, registry, store),
           clocks.sync_to.clock, is_other_pinned}};
}

std::optional<size_t> file_of(const EdgeEnd& end, const ManifestIndex& index,
                              const MachineRegistry& registry) {
  return registry.files_of_entries[index.position(*end.entry)];
}

Result<ClockKey> key_of(const EdgeEnd& end, const ManifestIndex& index,
                        std::span<const FileToLocate> files, const Trackers& trackers,
                        const MachineRegistry& registry) {
  const std::optional<size_t> file = file_of(end, index, registry);
  const Tracker* tracker = file ? trackers.find(*file, end.machine) : nullptr;
  if (end.domain != 0) {
    if (tracker == nullptr) return canonical_key(end.domain, end.machine);
    return key_of(*tracker, end.domain, 0, files);
  }
  if (!file) return tl::unexpected(unresolved(end.entry->path));
  if (tracker == nullptr)
    return ClockKey{.domain = domain::kPrivate, .file = files[*file].file, .machine = end.machine};
  if (is_private(*tracker, files, registry)) return private_key(*tracker, files);
  // A file without a timeline of its own uses the clock of its events.
  const uint32_t domain = default_domain(*file, *tracker, files, trackers);
  if (domain == 0) return private_key(*tracker, files);
  return key_of(*tracker, domain, 0, files);
}

Error out_of_range(const FileEntry& entry) {
  return {
      ErrorCode::BadManifest,
      fmt::format("perfetto_manifest: clocks: the readings of '{}' are out of range", entry.path)};
}

// Returns the readings of both clocks that the entry states.
Result<std::vector<ClockPoint>> points_of(const FileEntry& entry) {
  const ClockOverride& clocks = *entry.clocks;
  if (!clocks.points.empty()) return clocks.points;
  const int64_t offset = clocks.offset_ns;
  // The offset is the one in the manifest, unless the clock drifts and the offset holds at one
  // moment only.
  if (clocks.drift_ppm == 0)
    return std::vector{ClockPoint{std::max<int64_t>(0, -offset), std::max<int64_t>(0, offset)}};
  ClockPoint at{.this_ns = clocks.offset_at_ns}, later;
  const auto gained = std::llround(kDriftOverNs / kMillion * clocks.drift_ppm);
  if (__builtin_add_overflow(at.this_ns, offset, &at.other_ns) ||
      __builtin_add_overflow(at.this_ns, kDriftOverNs + gained, &later.this_ns) ||
      __builtin_add_overflow(at.other_ns, kDriftOverNs, &later.other_ns))
    return tl::unexpected(out_of_range(entry));
  return std::vector{at, later};
}

Result<> add_points(const FileEntry& entry, ClockId source, ClockId reference, ClockGraph& graph) {
  TB_TRY_ASSIGN(const std::vector<ClockPoint> points, points_of(entry));
  const SnapshotOrigin origin{
      .kind = EvidenceKind::Manifest, .file = entry.manifest, .is_on_line = points.size() > 1};
  for (const ClockPoint& point : points) {
    const ClockReading both[] = {
        {.clock = source, .ticks = point.this_ns, .tick_ns = kAlreadyNs},
        {.clock = reference, .ticks = point.other_ns, .tick_ns = kAlreadyNs}};
    if (Result<> added = graph.add_snapshot(both, origin); !added)
      return fail(ErrorCode::BadManifest, std::move(added).error().message);
  }
  return {};
}

// Returns the reading of the clock at its earliest event in the file, ns.
std::optional<int64_t> first_reading(size_t file, const ClockKey& clock,
                                     std::span<const FileToLocate> files, const Trackers& trackers,
                                     const MachineRegistry& registry) {
  std::optional<int64_t> first;
  for (const BatchTrackers& batch : batches_of(file, trackers)) {
    std::vector<bool> counts;  // by clock
    for (const ClockName& name : batch.batch->clocks)
      counts.push_back(key_of(name, batch, files, registry, trackers) == clock);
    for (size_t i = 0; batch.summary != nullptr && i < counts.size(); ++i) {
      const ClockUse& use = batch.summary->clocks[i];
      if (counts[i] && use.fitting > 0)
        first = std::min(first.value_or(use.first_of_all_ns), use.first_of_all_ns);
    }
    for (const Stream& stream : batch.batch->streams) {
      for_each_event(*batch.batch, stream, [&](const Event& event) {
        int64_t ns = 0;
        if (!counts[event.clock] ||
            __builtin_mul_overflow(event.ts, batch.batch->clocks[event.clock].tick_ns, &ns))
          return;
        first = std::min(first.value_or(ns), ns);
      });
    }
  }
  return first;
}

// Relates the first event of the file to `start_utc_ns` of the wall clock of its machine.
Result<ManifestRelation> add_start(const FileEntry& entry, const ManifestIndex& index,
                                   std::span<const FileToLocate> files, const Trackers& trackers,
                                   MachineRegistry& registry, Store& store, ClockGraph& graph) {
  ManifestRelation relation{
      .entry = index.position(entry), .source = {}, .reference = {}, .is_start = true};
  const EdgeEnd end{&entry, machine_of(index, entry, {}, registry, store), 0, false};
  const std::optional<size_t> file = file_of(end, index, registry);
  if (!file || trackers.base[*file] == kNone) return relation;
  TB_TRY_ASSIGN(const ClockKey own, key_of(end, index, files, trackers, registry));
  const std::optional<int64_t> first = first_reading(*file, own, files, trackers, registry);
  if (!first) return relation;
  relation.source = graph.add(own);
  relation.reference = graph.add(canonical_key(domain::kRealtime, end.machine));
  const ClockReading both[] = {
      {.clock = relation.source, .ticks = *first, .tick_ns = kAlreadyNs},
      {.clock = relation.reference, .ticks = *entry.start_utc_ns, .tick_ns = kAlreadyNs}};
  const SnapshotOrigin origin{.kind = EvidenceKind::Manifest, .file = entry.manifest};
  if (!graph.add_snapshot(both, origin)) return tl::unexpected(out_of_range(entry));
  return relation;
}

}  // namespace

Result<std::vector<ManifestRelation>> add_manifest_edges(
    const Manifest& manifest, const ManifestIndex& index, std::span<const FileToLocate> files,
    const Trackers& trackers, MachineRegistry& registry, Store& store, ClockGraph& graph) {
  std::vector<ManifestRelation> relations;
  for (const FileEntry& entry : manifest.files) {
    if (entry.start_utc_ns) {
      TB_TRY_ASSIGN(const ManifestRelation start,
                    add_start(entry, index, files, trackers, registry, store, graph));
      relations.push_back(start);
    }
    if (!entry.clocks) continue;
    const EdgeEnds ends = ends_of(index, entry, registry, store);
    TB_TRY_ASSIGN(const ClockKey source, key_of(ends.source, index, files, trackers, registry));
    TB_TRY_ASSIGN(const ClockKey reference,
                  key_of(ends.reference, index, files, trackers, registry));
    const ManifestRelation relation{index.position(entry), graph.add(source), graph.add(reference)};
    TB_TRY(add_points(entry, relation.source, relation.reference, graph));
    relations.push_back(relation);
  }
  return relations;
}

Result<> tie_clock_groups(const Manifest& manifest, const ManifestIndex& index,
                          std::span<const FileToLocate> files, const Trackers& trackers,
                          MachineRegistry& registry, Store& store, ClockGraph& graph,
                          std::vector<Problem>& warnings) {
  std::map<std::string_view, std::vector<const FileEntry*>> groups;
  for (const FileEntry& entry : manifest.files)
    if (!entry.clock_group.empty() && entry.target) groups[entry.clock_group].push_back(&entry);
  for (const auto& [name, entries] : groups) {
    if (entries.size() < 2)
      warnings.push_back({entries[0]->path,
                          {ErrorCode::BadManifest,
                           fmt::format("clock_group: no other file is in the group '{}'", name)}});
    std::optional<ClockId> first;
    for (const FileEntry* entry : entries) {
      const EdgeEnd end{entry, machine_of(index, *entry, {}, registry, store), 0, false};
      TB_TRY_ASSIGN(const ClockKey key, key_of(end, index, files, trackers, registry));
      const ClockId clock = graph.add(key);
      if (!first) first = clock;
      // Two clocks break no rule of a snapshot, because they differ.
      if (clock != *first) std::ignore = graph.tie(clock, *first, EvidenceKind::SameClock);
    }
  }
  return {};
}

void limit_kinds(const MachineRegistry& registry, Trackers& trackers) {
  for (Tracker& tracker : trackers.all) {
    const FileEntry* entry = registry.files[tracker.file].entry;
    if (entry != nullptr && entry->align_kinds) tracker.align_kinds = *entry->align_kinds;
  }
}

void isolate_related_files(const Manifest& manifest, const ManifestIndex& index,
                           MachineRegistry& registry, Store& store, Trackers& trackers) {
  for (const FileEntry& entry : manifest.files) {
    if (!entry.clocks || entry.clocks->pins_file()) continue;
    const EdgeEnds ends = ends_of(index, entry, registry, store);
    if (ends.source.machine != ends.reference.machine || ends.source.entry == ends.reference.entry)
      continue;
    const std::optional<size_t> source = file_of(ends.source, index, registry);
    const std::optional<size_t> reference = file_of(ends.reference, index, registry);
    if (!source || !reference) continue;
    const Tracker* a = trackers.find(*source, ends.source.machine);
    const Tracker* b = trackers.find(*reference, ends.reference.machine);
    if (a == nullptr || b == nullptr || a->is_isolated || b->is_isolated) continue;
    // Keeps the file with snapshots, because other files of the machine use them.
    const Tracker* moved = a->has_snapshots ? b : a;
    trackers.all[static_cast<size_t>(moved - trackers.all.data())].is_isolated = true;
  }
}

}  // namespace tracebraid
