#include "merge/locate/clocks.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <optional>

#include "merge/locate/batch_summary.h"

namespace tracebraid {
namespace {

bool needs_conversion(const ClockName& name) {
  return name.domain != kTraceTime && name.domain != kLatestTime;
}

using TrackersOfFile = absl::flat_hash_map<MachineId, uint32_t>;

// Adds the tracker of `machine` in `file` if it is new.
uint32_t tracker_of(size_t file, MachineId machine, TrackersOfFile& known,
                    std::vector<Tracker>& all) {
  const auto [at, added] = known.try_emplace(machine, static_cast<uint32_t>(all.size()));
  if (added) all.push_back({.file = file, .machine = machine});
  return at->second;
}

void note_snapshots(const BatchTrackers& batch, std::vector<Tracker>& all) {
  for (const Snapshot& snapshot : batch.batch->snapshots) {
    if (snapshot.kind == SnapshotKind::PingHost || is_date(snapshot.kind)) continue;
    Tracker& tracker = all[batch.by_machine[snapshot.machine]];
    if (snapshot.kind == SnapshotKind::WallClock || snapshot.kind == SnapshotKind::BaseTime)
      tracker.has_wall_clock = true;
    else
      tracker.has_snapshots |= snapshot.count > 0;
  }
}

// Reads up to the first event of each tracker only.
void note_events(const BatchTrackers& batch, std::vector<Tracker>& all) {
  std::vector<uint32_t> trackers;  // by clock
  absl::flat_hash_set<uint32_t> waited_for;
  for (const ClockName& name : batch.batch->clocks) {
    const uint32_t tracker = batch.by_machine[name.machine];
    trackers.push_back(needs_conversion(name) ? tracker : kNone);
    // A file without a time, of a format whose files usually have one.
    if (name.by_default && name.domain == domain::kPrivate) all[tracker].has_own_clock = true;
    if (needs_conversion(name) && !all[tracker].has_events) waited_for.insert(tracker);
  }
  const auto note_clock = [&](uint32_t clock) {
    const uint32_t tracker = trackers[clock];
    if (tracker == kNone || all[tracker].has_events) return;
    all[tracker].has_events = true;
    waited_for.erase(tracker);
  };
  if (batch.summary != nullptr) {
    for (uint32_t clock = 0; clock < trackers.size(); ++clock)
      if (batch.summary->clocks[clock].all() > 0) note_clock(clock);
    return;
  }
  const auto note_clocks = [&](const std::vector<Event>& events) {
    for (size_t i = 0; i < events.size() && !waited_for.empty(); ++i) note_clock(events[i].clock);
  };
  note_clocks(batch.batch->timed_metadata);
  for (const Stream& stream : batch.batch->streams) {
    note_clocks(stream.events);
    for (size_t i = 0; i < stream.sched.size() && !waited_for.empty(); ++i)
      note_clock(batch.batch->sched_facts[stream.sched[i].fact].clock);
  }
}

// Isolates the clocks of all but the first file of a machine that has snapshots. A file that only
// states its start counts if no file has snapshots.
void isolate(std::vector<Tracker>& all) {
  absl::flat_hash_map<MachineId, size_t> primary;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].has_snapshots) primary.try_emplace(all[i].machine, i);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].has_wall_clock) primary.try_emplace(all[i].machine, i);
  for (size_t i = 0; i < all.size(); ++i) {
    const bool has_own = all[i].has_snapshots || all[i].has_wall_clock;
    all[i].is_isolated = has_own && primary.at(all[i].machine) != i;
  }
}

// Claims of trace time in the order of spec clocks 5.
class Claims {
 public:
  void claim(const ClockKey& key, FileId file, MachineId machine) {
    if (owner_ && *owner_ != Scope{file, machine}) return;  // the first one wins
    owner_ = Scope{file, machine};
    key_ = key;
  }
  bool may_claim(const Scope& scope) const { return !owner_ || *owner_ == scope; }
  Timeline timeline() const {
    if (owner_) return {key_, TimelineSource::File, owner_->file};
    return {{.domain = domain::kPrivate, .machine = MachineId{0}}, TimelineSource::None, {}};
  }

 private:
  std::optional<Scope> owner_;
  ClockKey key_;
};

// Returns the domain that a snapshot proposes as trace time; 0 if none.
uint32_t proposed(const Snapshot& snapshot, const EventBatch& batch) {
  if (!snapshot.may_claim) return 0;
  if (snapshot.primary != 0) return snapshot.primary;
  bool has_boottime = false;
  for (uint32_t i = 0; i < snapshot.count; ++i) {
    const uint32_t clock = batch.readings[snapshot.first + i].clock;
    if (batch.clocks[clock].domain == domain::kPrivate) return 0;
    has_boottime |= batch.clocks[clock].domain == domain::kBoottime;
  }
  return has_boottime ? domain::kBoottime : 0;
}

void claim_by_snapshots(size_t file, std::span<const FileToLocate> files, const Trackers& trackers,
                        Claims& claims) {
  // A tracker that has converted an event can no longer claim. Earlier batches are searched only if
  // needed.
  std::vector<const BatchTrackers*> before;
  for (const BatchTrackers& batch : batches_of(file, trackers)) {
    for (const Snapshot& snapshot : batch.batch->snapshots) {
      const uint32_t domain = proposed(snapshot, *batch.batch);
      const uint32_t tracker = batch.by_machine[snapshot.machine];
      const Scope scope{files[file].file, trackers.at(tracker).machine};
      if (domain == 0 || snapshot.events_before > 0 || !claims.may_claim(scope)) continue;
      const bool has_converted = std::ranges::any_of(
          before, [&](const BatchTrackers* b) { return count_converted(*b, tracker, 1) > 0; });
      if (!has_converted)
        claims.claim(canonical_key(domain, scope.machine), scope.file, scope.machine);
    }
    before.push_back(&batch);
  }
}

}  // namespace

const Tracker* Trackers::find(size_t file, MachineId machine) const {
  const auto first = std::ranges::lower_bound(all, file, {}, &Tracker::file);
  for (auto at = first; at != all.end() && at->file == file; ++at)
    if (at->machine == machine) return &*at;
  return nullptr;
}

std::span<const BatchTrackers> batches_of(size_t file, const Trackers& trackers) {
  const auto found = std::ranges::equal_range(trackers.batches, file, {}, &BatchTrackers::file);
  return {found.begin(), found.end()};
}

Trackers make_trackers(std::span<const FileToLocate> files, const MachineRegistry& registry) {
  Trackers trackers;
  absl::flat_hash_map<FileId, size_t> rows;
  for (size_t i = 0; i < files.size(); ++i) {
    const bool is_read = !files[i].is_container && files[i].format != nullptr;
    TrackersOfFile known;
    const auto at = rows.find(files[i].parent);
    const uint32_t around = at == rows.end() ? kNone : trackers.base[at->second];
    rows.emplace(files[i].file, i);
    trackers.base.push_back(is_read ? tracker_of(i, registry.files[i].base, known, trackers.all)
                                    : kNone);
    if (is_read) trackers.all[trackers.base[i]].embedded_in = around;
    for (size_t c = 0; c < files[i].chunks.size(); ++c) {
      const EventBatch* chunk = files[i].chunks[c];
      BatchTrackers batch{.file = i, .batch = chunk, .by_machine = {}};
      if (!files[i].summaries.empty()) batch.summary = files[i].summaries[c];
      for (const uint64_t raw_id : chunk->machines)
        batch.by_machine.push_back(
            tracker_of(i, registry.files[i].by_raw_id.at(raw_id), known, trackers.all));
      note_snapshots(batch, trackers.all);
      note_events(batch, trackers.all);
      trackers.batches.push_back(std::move(batch));
    }
  }
  isolate(trackers.all);
  return trackers;
}

bool is_private(const Tracker& tracker, std::span<const FileToLocate> files,
                const MachineRegistry& registry) {
  return registry.files[tracker.file].is_pinned() || tracker.embedded_in != kNone ||
         tracker.has_own_clock || files[tracker.file].format->clock.domain == domain::kPrivate;
}

ClockKey canonical_key(uint32_t domain, MachineId machine) {
  return {.domain = domain, .machine = machine};
}

ClockKey private_key(const Tracker& tracker, std::span<const FileToLocate> files) {
  return {.domain = domain::kPrivate, .file = files[tracker.file].file, .machine = tracker.machine};
}

ClockKey key_of(const Tracker& tracker, uint32_t domain, uint32_t sequence,
                std::span<const FileToLocate> files) {
  const bool is_of_file = tracker.is_isolated || sequence != 0;
  return {.domain = domain,
          .sequence = sequence,
          .file = is_of_file ? files[tracker.file].file : FileId{},
          .machine = tracker.machine};
}

ClockKey format_key(const Tracker& tracker, std::span<const FileToLocate> files,
                    const MachineRegistry& registry) {
  if (is_private(tracker, files, registry)) return private_key(tracker, files);
  return canonical_key(files[tracker.file].format->clock.domain, tracker.machine);
}

std::optional<ClockKey> key_of(const ClockName& name, const BatchTrackers& batch,
                               std::span<const FileToLocate> files, const MachineRegistry& registry,
                               const Trackers& trackers) {
  const Tracker& tracker = trackers.at(batch.by_machine[name.machine]);
  if (name.domain == kLatestTime) return std::nullopt;
  // A pin moves the events on the default clock of the file (spec clocks 15.1 A1).
  const bool is_default = name.by_default || name.domain == kTraceTime;
  const bool is_moved = registry.files[batch.file].is_pinned() || tracker.embedded_in != kNone ||
                        tracker.has_own_clock;
  if (is_default && is_moved) return private_key(tracker, files);
  if (name.domain == kTraceTime) return std::nullopt;
  if (name.domain == domain::kPrivate && is_private(tracker, files, registry))
    return private_key(tracker, files);
  const bool is_local = name.domain == kLocalTime || name.domain == kLocalTimeOfYear;
  return key_of(tracker, is_local ? domain::kRealtime : name.domain, name.sequence, files);
}

uint64_t count_converted(const BatchTrackers& batch, uint32_t tracker, uint64_t limit) {
  std::vector<bool> counts;  // by clock
  for (const ClockName& name : batch.batch->clocks)
    counts.push_back(batch.by_machine[name.machine] == tracker && needs_conversion(name));
  if (std::ranges::find(counts, true) == counts.end()) return 0;
  uint64_t found = 0;
  if (batch.summary != nullptr) {
    for (size_t clock = 0; clock < counts.size(); ++clock)
      if (counts[clock]) found += batch.summary->clocks[clock].all();
    return std::min(found, limit);
  }
  const auto count = [&](const std::vector<Event>& events) {
    for (const Event& event : events) {
      if (!counts[event.clock]) continue;
      if (++found >= limit) return;
    }
  };
  count(batch.batch->timed_metadata);
  for (const Stream& stream : batch.batch->streams) {
    if (found < limit) count(stream.events);
    for (size_t i = 0; i < stream.sched.size() && found < limit; ++i)
      found += counts[batch.batch->sched_facts[stream.sched[i].fact].clock] ? 1 : 0;
  }
  return found;
}

absl::flat_hash_map<uint32_t, uint64_t> count_converted(const BatchTrackers& batch) {
  std::vector<uint64_t> by_clock(batch.batch->clocks.size());
  const bool has_events = batch.summary == nullptr;
  for (size_t clock = 0; !has_events && clock < by_clock.size(); ++clock)
    by_clock[clock] = batch.summary->clocks[clock].all();
  for (size_t i = 0; has_events && i < batch.batch->timed_metadata.size(); ++i)
    ++by_clock[batch.batch->timed_metadata[i].clock];
  for (const Stream& stream : batch.batch->streams) {
    for (const Event& event : stream.events) ++by_clock[event.clock];
    for (const SchedRecord& record : stream.sched)
      ++by_clock[batch.batch->sched_facts[record.fact].clock];
  }
  absl::flat_hash_map<uint32_t, uint64_t> counts;
  for (size_t i = 0; i < by_clock.size(); ++i) {
    const ClockName& name = batch.batch->clocks[i];
    if (by_clock[i] > 0 && needs_conversion(name))
      counts[batch.by_machine[name.machine]] += by_clock[i];
  }
  return counts;
}

Timeline choose_timeline(std::span<const FileToLocate> files, const MachineRegistry& registry,
                         const Trackers& trackers) {
  Claims claims;
  for (size_t i = 0; i < files.size(); ++i) {
    const auto host = registry.rows.find(0);
    if (files[i].is_bugreport && host != registry.rows.end())
      claims.claim(canonical_key(domain::kRealtime, host->second), files[i].file, host->second);
    if (trackers.base[i] == kNone) continue;
    const Tracker& base = trackers.at(trackers.base[i]);
    if (files[i].format->clock.claims_trace_time)
      claims.claim(format_key(base, files, registry), files[i].file, base.machine);
    claim_by_snapshots(i, files, trackers, claims);
  }
  return claims.timeline();
}

}  // namespace tracebraid
