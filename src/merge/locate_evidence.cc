#include "merge/locate_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "clock/ping.h"

namespace tracebraid {
namespace {

constexpr uint32_t kNoGroup = ~uint32_t{0};

Error unresolved(const std::string& path) {
  return {ErrorCode::BadManifest,
          fmt::format("perfetto_manifest: clocks: could not resolve file '{}'. It must match the "
                      "`path` of an entry in the `files` array.",
                      path)};
}

// The clock that a file's events are in when they do not say.
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

// One end of an edge: an entry of the manifest, its machine and, unless the
// file itself is meant, the clock.
struct EdgeEnd {
  const FileEntry* entry;
  MachineId machine;
  uint32_t domain;
  bool is_pinned;
};

struct EdgeEnds {
  EdgeEnd source, reference;
};

EdgeEnds ends_of(const ManifestIndex& index, const FileEntry& entry, Roster& roster, Store& store) {
  const ClockOverride& clocks = *entry.clocks;
  const FileEntry& other = *index.entry(clocks.sync_to.file);
  const bool is_other_pinned = other.clocks && other.clocks->pins_file();
  return {{&entry, machine_of(index, entry, clocks.machine, roster, store), clocks.clock,
           clocks.pins_file()},
          {&other, machine_of(index, other, clocks.sync_to.machine, roster, store),
           clocks.sync_to.clock, is_other_pinned}};
}

std::optional<size_t> file_of(const EdgeEnd& end, const ManifestIndex& index,
                              const Roster& roster) {
  return roster.files_of_entries[index.position(*end.entry)];
}

Result<ClockKey> key_of(const EdgeEnd& end, const ManifestIndex& index,
                        std::span<const FileToLocate> files, const Trackers& trackers,
                        const Roster& roster) {
  const std::optional<size_t> file = file_of(end, index, roster);
  const Tracker* tracker = file ? trackers.find(*file, end.machine) : nullptr;
  if (end.domain != 0) {
    if (tracker == nullptr) return canonical_key(end.domain, end.machine);
    return key_of(*tracker, end.domain, 0, files);
  }
  if (!file) return tl::unexpected(unresolved(end.entry->path));
  if (tracker == nullptr)
    return ClockKey{.domain = domain::kPrivate, .file = files[*file].file, .machine = end.machine};
  if (is_private(*tracker, files, roster)) return private_key(*tracker, files);
  // The file has no timeline of its own: what its events are in stands for it.
  const uint32_t domain = default_domain(*file, *tracker, files, trackers);
  if (domain == 0) return private_key(*tracker, files);
  return key_of(*tracker, domain, 0, files);
}

// The messages of one ping packet.
class Ping {
 public:
  bool continues(const Snapshot& snapshot) const { return snapshot.group == group_; }
  void begin(const Snapshot& snapshot) {
    group_ = snapshot.group;
    machine_ = snapshot.machine;
    messages_.clear();
  }
  void end() { group_ = kNoGroup; }
  bool is_open() const { return group_ != kNoGroup; }

  void add(const Snapshot& snapshot, const EventBatch& batch) {
    const bool is_host = snapshot.kind == SnapshotKind::PingHost;
    if (is_host || messages_.empty()) messages_.emplace_back();
    if (!is_host) machine_ = snapshot.machine;
    for (uint32_t i = 0; i < snapshot.count; ++i) {
      const SnapshotReading& reading = batch.readings[snapshot.first + i];
      PingReading& both = messages_.back()[batch.clocks[reading.clock].domain];
      (is_host ? both.host : both.client) = reading.ticks;
    }
    byte_offset_ = snapshot.byte_offset;
  }

  uint32_t machine() const { return machine_; }  // of the client
  uint64_t byte_offset() const { return byte_offset_; }
  const std::vector<PingMessage>& messages() const { return messages_; }

 private:
  uint32_t group_ = kNoGroup, machine_ = 0;
  uint64_t byte_offset_ = 0;
  std::vector<PingMessage> messages_;
};

class FileEvidence {
 public:
  FileEvidence(std::span<const FileToLocate> files, const Roster& roster, const Trackers& trackers,
               ClockGraph& graph, EvidenceReport& report)
      : files_(files), roster_(roster), trackers_(trackers), graph_(graph), report_(report) {}

  void add(const BatchTrackers& batch, const std::vector<ClockId>& nodes) {
    batch_ = &batch;
    nodes_ = &nodes;
    for (const Snapshot& snapshot : batch.batch->snapshots) {
      const bool is_ping =
          snapshot.kind == SnapshotKind::PingHost || snapshot.kind == SnapshotKind::PingClient;
      if (ping_.is_open() && !(is_ping && ping_.continues(snapshot))) finish_ping();
      if (is_ping)
        add_ping(snapshot);
      else
        add_together(snapshot);
    }
    if (ping_.is_open()) finish_ping();
  }

 private:
  SnapshotOrigin origin(const Snapshot& snapshot) const {
    const bool is_wall = snapshot.kind == SnapshotKind::WallClock;
    return {.kind = is_wall ? EvidenceKind::Rendezvous : EvidenceKind::Measured,
            .uncertainty_ns = snapshot.uncertainty_ns,
            .file = files_[batch_->file].file,
            .byte_offset = snapshot.byte_offset};
  }

  bool add_to_graph(const Snapshot& snapshot) {
    readings_.clear();
    for (uint32_t i = 0; i < snapshot.count; ++i) {
      const SnapshotReading& reading = batch_->batch->readings[snapshot.first + i];
      const ClockId node = (*nodes_)[reading.clock];
      if (!node) continue;
      readings_.push_back({.clock = node,
                           .ticks = reading.ticks,
                           .tick_ns = batch_->batch->clocks[reading.clock].tick_ns,
                           .incremental = reading.incremental});
    }
    const bool is_valid = graph_.add_snapshot(readings_, origin(snapshot)).has_value();
    if (!is_valid) ++report_.invalid_snapshots;
    return is_valid && !readings_.empty();
  }

  void add_together(const Snapshot& snapshot) {
    // The user's word on a pinned file outweighs its own on when it was made.
    if (roster_.files[batch_->file].is_pinned()) return;
    log_mixed_sources(snapshot);
    add_to_graph(snapshot);
  }

  void add_ping(const Snapshot& snapshot) {
    if (!ping_.is_open()) ping_.begin(snapshot);
    ping_.add(snapshot, *batch_->batch);
    if (snapshot.kind == SnapshotKind::PingHost) return;
    log_mixed_sources(snapshot);
    const ClockId timeline = graph_.trace_time();
    bool was_connected = false;
    for (uint32_t i = 0; i < snapshot.count; ++i) {
      const ClockId node = (*nodes_)[batch_->batch->readings[snapshot.first + i].clock];
      was_connected |= node && graph_.are_connected(node, timeline);
    }
    if (add_to_graph(snapshot) && !was_connected)
      report_.unrecorded.insert(static_cast<uint32_t>(graph_.snapshots().size() - 1));
  }

  // Spec clocks 8 step 3. The host is the machine that recorded the file.
  void finish_ping() {
    const Tracker& host = trackers_.at(trackers_.base[batch_->file]);
    const Tracker& client = trackers_.at(batch_->by_machine[ping_.machine()]);
    ping_.end();
    if (host.machine == client.machine) return;
    for (const PingOffset& offset : estimate_offsets(ping_.messages())) {
      const ClockReading both[] = {{.clock = graph_.add(key_of(host, offset.domain, 0, files_)),
                                    .ticks = offset.host,
                                    .tick_ns = kAlreadyNs},
                                   {.clock = graph_.add(key_of(client, offset.domain, 0, files_)),
                                    .ticks = offset.client,
                                    .tick_ns = kAlreadyNs}};
      const Result<> added = graph_.add_snapshot(both, {.kind = EvidenceKind::Relayed,
                                                        .uncertainty_ns = offset.uncertainty_ns,
                                                        .file = files_[batch_->file].file,
                                                        .byte_offset = ping_.byte_offset()});
      if (!added) ++report_.invalid_snapshots;
    }
  }

  // Events that came before the file's first own snapshot: a reader that goes once
  // through the file would have converted them by another file's (spec clocks 6.2).
  void log_mixed_sources(const Snapshot& snapshot) {
    const uint32_t index = batch_->by_machine[snapshot.machine];
    const Tracker& tracker = trackers_.at(index);
    if (!tracker.is_isolated || !seen_.insert(index).second) return;
    uint64_t before = snapshot.events_before;
    for (const BatchTrackers& earlier : batches_of(batch_->file, trackers_))
      if (&earlier < batch_) before += count_converted(earlier, index, ~uint64_t{0});
    if (before == 0) return;
    report_.logs.push_back({.stat = Stat::clock_sync_mixed_clock_sources,
                            .scope = {files_[tracker.file].file, tracker.machine},
                            .arg = "num_conversions_using_primary",
                            .value = static_cast<int64_t>(before)});
  }

  std::span<const FileToLocate> files_;
  const Roster& roster_;
  const Trackers& trackers_;
  ClockGraph& graph_;
  EvidenceReport& report_;
  const BatchTrackers* batch_ = nullptr;
  const std::vector<ClockId>* nodes_ = nullptr;
  Ping ping_;
  std::vector<ClockReading> readings_;  // scratch
  absl::flat_hash_set<uint32_t> seen_;  // trackers that had a snapshot
};

}  // namespace

Result<> add_manifest_edges(const Manifest& manifest, const ManifestIndex& index,
                            std::span<const FileToLocate> files, const Trackers& trackers,
                            Roster& roster, Store& store, ClockGraph& graph) {
  for (const FileEntry& entry : manifest.files) {
    if (!entry.clocks) continue;
    const EdgeEnds ends = ends_of(index, entry, roster, store);
    TB_TRY_ASSIGN(const ClockKey source, key_of(ends.source, index, files, trackers, roster));
    TB_TRY_ASSIGN(const ClockKey reference, key_of(ends.reference, index, files, trackers, roster));
    const int64_t offset = entry.clocks->offset_ns;
    const ClockReading both[] = {
        {.clock = graph.add(source), .ticks = std::max<int64_t>(0, -offset), .tick_ns = kAlreadyNs},
        {.clock = graph.add(reference),
         .ticks = std::max<int64_t>(0, offset),
         .tick_ns = kAlreadyNs}};
    const SnapshotOrigin origin{.kind = EvidenceKind::Manifest, .file = manifest.file};
    if (Result<> added = graph.add_snapshot(both, origin); !added)
      return fail(ErrorCode::BadManifest, std::move(added).error().message);
  }
  return {};
}

void isolate_related_files(const Manifest& manifest, const ManifestIndex& index, Roster& roster,
                           Store& store, Trackers& trackers) {
  for (const FileEntry& entry : manifest.files) {
    if (!entry.clocks || entry.clocks->pins_file()) continue;
    const EdgeEnds ends = ends_of(index, entry, roster, store);
    if (ends.source.machine != ends.reference.machine || ends.source.entry == ends.reference.entry)
      continue;
    const std::optional<size_t> source = file_of(ends.source, index, roster);
    const std::optional<size_t> reference = file_of(ends.reference, index, roster);
    if (!source || !reference) continue;
    const Tracker* a = trackers.find(*source, ends.source.machine);
    const Tracker* b = trackers.find(*reference, ends.reference.machine);
    if (a == nullptr || b == nullptr || a->is_isolated || b->is_isolated) continue;
    // The one with relations of its own stays: other files of the machine use them.
    const Tracker* moved = a->has_snapshots ? b : a;
    trackers.all[static_cast<size_t>(moved - trackers.all.data())].is_isolated = true;
  }
}

void add_file_evidence(std::span<const FileToLocate> files, const Roster& roster,
                       const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                       ClockGraph& graph, EvidenceReport& report) {
  FileEvidence evidence(files, roster, trackers, graph, report);
  for (size_t i = 0; i < trackers.batches.size(); ++i) evidence.add(trackers.batches[i], nodes[i]);
}

}  // namespace tracebraid
