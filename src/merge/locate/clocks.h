// Trackers: map the clock names of each (file, machine) to nodes of the clock graph, and choose the
// timeline.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "event/align_options.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// The events of one machine in one file.
struct Tracker {
  size_t file;  // index
  MachineId machine;
  bool has_snapshots = false;   // has snapshots of several clocks
  bool has_wall_clock = false;  // states its start only
  bool has_events = false;      // has events whose times need conversion
  // Whether the clocks are nodes of their own, because another file of the machine came first and
  // the snapshots of this file must not influence it (spec clocks 6.2).
  bool is_isolated = false;
  // Whether the default clock is not that of the format, because the file states no time or
  // contradicts it (merge/locate/switches.h).
  bool has_own_clock = false;
  // The tracker of the file around an embedded file, whose clock it uses unless other evidence
  // exists (spec json 2.5); kNone for other files.
  uint32_t embedded_in = kNone;
  uint32_t align_kinds = ~uint32_t{0};  // bits of AlignKind: the content that may relate the file
  bool allows(AlignKind kind) const { return AlignOptions{.kinds = align_kinds}.has(kind); }
};

struct BatchTrackers {
  size_t file;
  const EventBatch* batch;
  std::vector<uint32_t> by_machine;       // index of the tracker, for each of batch.machines
  const BatchSummary* summary = nullptr;  // stands in for the events, unless null
};

struct Trackers {
  std::vector<Tracker> all;  // in order of files
  std::vector<BatchTrackers> batches;
  std::vector<uint32_t> base;  // index of the first tracker of each file; kNone if it was not read

  const Tracker& at(uint32_t tracker) const { return all[tracker]; }
  // Returns null if the file has nothing of the machine.
  const Tracker* find(size_t file, MachineId machine) const;
};

std::span<const BatchTrackers> batches_of(size_t file, const Trackers& trackers);

Trackers make_trackers(std::span<const FileToLocate> files, const MachineRegistry& registry);

// Whether the file has a private timeline: because of its format, because it is embedded, or
// because the manifest moves the whole file.
bool is_private(const Tracker& tracker, std::span<const FileToLocate> files,
                const MachineRegistry& registry);

// Returns the node of a clock of the file.
ClockKey key_of(const Tracker& tracker, uint32_t domain, uint32_t sequence,
                std::span<const FileToLocate> files);
// Returns the node of a clock of the machine.
ClockKey canonical_key(uint32_t domain, MachineId machine);
ClockKey private_key(const Tracker& tracker, std::span<const FileToLocate> files);
// Returns the key of the default clock of the format; domain 0 if it has none. A clock of the
// machine unless private.
ClockKey format_key(const Tracker& tracker, std::span<const FileToLocate> files,
                    const MachineRegistry& registry);
// Returns the node of a clock name of the batch; nothing for times that need no conversion.
std::optional<ClockKey> key_of(const ClockName& name, const BatchTrackers& batch,
                               std::span<const FileToLocate> files, const MachineRegistry& registry,
                               const Trackers& trackers);

// Returns the number of events whose times need conversion, at most `limit`.
uint64_t count_converted(const BatchTrackers& batch, uint32_t tracker, uint64_t limit);
// Counts without a limit, for all trackers with events.
absl::flat_hash_map<uint32_t, uint64_t> count_converted(const BatchTrackers& batch);

// Chooses trace time (spec clocks 5).
struct Timeline {
  ClockKey key;
  TimelineSource source = TimelineSource::None;
  FileId file;  // file that determined it
};
Timeline choose_timeline(std::span<const FileToLocate> files, const MachineRegistry& registry,
                         const Trackers& trackers);

}  // namespace tracebraid
