#include "merge/locate/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "clock/ping.h"
#include "merge/locate/stats.h"

namespace tracebraid {
namespace {

constexpr uint32_t kNoGroup = ~uint32_t{0};

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
  FileEvidence(std::span<const FileToLocate> files, const MachineRegistry& registry,
               const Trackers& trackers, ClockGraph& graph, EvidenceReport& report)
      : files_(files), registry_(registry), trackers_(trackers), graph_(graph), report_(report) {}

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
            .byte_offset = snapshot.byte_offset,
            .source = is_wall ? EvidenceSource::StartTime : EvidenceSource::Usual};
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
    const SnapshotOrigin where = origin(snapshot);
    const Result<> added = graph_.add_snapshot(readings_, where);
    if (!added) refuse(where, added.error());
    return added && !readings_.empty();
  }

  void refuse(const SnapshotOrigin& origin, const Error& error) {
    ++report_.invalid_snapshots;
    if (++refused_[origin.file] <= kMaxLogRows)
      report_.refused.push_back({origin.file, origin.byte_offset, error.message});
  }

  void add_together(const Snapshot& snapshot) {
    if (is_date(snapshot.kind) || is_base_time(snapshot, *batch_->batch)) return;
    // The manifest outweighs the start that a pinned file states.
    if (registry_.files[batch_->file].is_pinned()) return;
    // A start time moves the whole file, also events before it.
    if (snapshot.kind != SnapshotKind::WallClock) log_mixed_sources(snapshot);
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

  // Applies spec clocks 8 step 3. The host is the machine that recorded the file.
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
      const SnapshotOrigin origin{.kind = EvidenceKind::Relayed,
                                  .uncertainty_ns = offset.uncertainty_ns,
                                  .file = files_[batch_->file].file,
                                  .byte_offset = ping_.byte_offset()};
      if (const Result<> added = graph_.add_snapshot(both, origin); !added)
        refuse(origin, added.error());
    }
  }

  // Logs events before the first snapshot of the file: a single-pass reader would have converted
  // them by the snapshots of another file (spec clocks 6.2).
  void log_mixed_sources(const Snapshot& snapshot) {
    const uint32_t index = batch_->by_machine[snapshot.machine];
    const Tracker& tracker = trackers_.at(index);
    if (!tracker.is_isolated || !seen_.insert(index).second) return;
    uint64_t before = snapshot.events_before;
    for (const BatchTrackers& earlier : batches_of(batch_->file, trackers_))
      if (&earlier < batch_) before += converted_in(earlier, index);
    if (before == 0) return;
    report_.logs.push_back({.stat = stats::clock_sync_mixed_clock_sources,
                            .scope = {files_[tracker.file].file, tracker.machine},
                            .arg = "num_conversions_using_primary",
                            .value = static_cast<int64_t>(before)});
  }

  // Counts by tracker, so that a file with many machines is read once.
  uint64_t converted_in(const BatchTrackers& batch, uint32_t tracker) {
    const auto [at, added] = converted_.try_emplace(&batch);
    if (added) at->second = count_converted(batch);
    const auto count = at->second.find(tracker);
    return count == at->second.end() ? 0 : count->second;
  }

  std::span<const FileToLocate> files_;
  const MachineRegistry& registry_;
  const Trackers& trackers_;
  ClockGraph& graph_;
  EvidenceReport& report_;
  const BatchTrackers* batch_ = nullptr;
  const std::vector<ClockId>* nodes_ = nullptr;
  Ping ping_;
  std::vector<ClockReading> readings_;  // scratch
  absl::flat_hash_map<FileId, size_t> refused_;
  absl::flat_hash_set<uint32_t> seen_;  // trackers that had a snapshot
  std::map<const BatchTrackers*, absl::flat_hash_map<uint32_t, uint64_t>> converted_;
};

}  // namespace

bool is_base_time(const Snapshot& snapshot, const EventBatch& batch) {
  if (snapshot.kind == SnapshotKind::BaseTime) return true;
  if (snapshot.kind != SnapshotKind::WallClock || snapshot.count != 2) return false;
  const SnapshotReading& own = batch.readings[snapshot.first];
  return own.ticks == 0 && batch.clocks[own.clock].domain == kPrivateClock;
}

void add_file_evidence(std::span<const FileToLocate> files, const MachineRegistry& registry,
                       const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                       ClockGraph& graph, EvidenceReport& report) {
  FileEvidence evidence(files, registry, trackers, graph, report);
  for (size_t i = 0; i < trackers.batches.size(); ++i) evidence.add(trackers.batches[i], nodes[i]);
}

}  // namespace tracebraid
