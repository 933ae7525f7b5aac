// Trackers: how each (file, machine) names its clocks, and which of them is
// the timeline.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// One machine's part of one file.
struct Tracker {
  size_t file;  // index
  MachineId machine;
  bool has_snapshots = false;   // brings relations of its own
  bool has_wall_clock = false;  // only says when it was started
  bool has_events = false;      // whose times need conversion
  // Its clocks are nodes of their own: another file of the machine came
  // first, and this one's snapshots must not disturb that one's (spec clocks 6.2).
  bool is_isolated = false;
  // Its default clock is not what its format says: the file tells no time, or contradicts
  // (merge/locate/switches.h).
  bool has_own_clock = false;
  // The file was found inside another that is a trace itself: its times are the other's
  // unless something says more (spec json 2.5). Tracker of that one; kNone if not.
  uint32_t embedded_in = kNone;
};

struct BatchTrackers {
  size_t file;
  const EventBatch* batch;
  std::vector<uint32_t> by_machine;  // tracker, for each of batch.machines
};

struct Trackers {
  std::vector<Tracker> all;  // in the order of files
  std::vector<BatchTrackers> batches;
  std::vector<uint32_t> base;  // of each file; kNone if it was not read

  const Tracker& at(uint32_t tracker) const { return all[tracker]; }
  // Null if the file has nothing of the machine.
  const Tracker* find(size_t file, MachineId machine) const;
};

std::span<const BatchTrackers> batches_of(size_t file, const Trackers& trackers);

Trackers make_trackers(std::span<const FileToLocate> files, const Roster& roster);

// Whether the tracker's file counts in a timeline of its own: because of its
// format, because it is embedded, or because the manifest moves it as a whole.
bool is_private(const Tracker& tracker, std::span<const FileToLocate> files, const Roster& roster);

// The node of a clock as the tracker's file names it.
ClockKey key_of(const Tracker& tracker, uint32_t domain, uint32_t sequence,
                std::span<const FileToLocate> files);
// Likewise on the machine as a whole.
ClockKey canonical_key(uint32_t domain, MachineId machine);
ClockKey private_key(const Tracker& tracker, std::span<const FileToLocate> files);
// Of the format's clock; domain 0 if it has none. Canonical unless private.
ClockKey format_key(const Tracker& tracker, std::span<const FileToLocate> files,
                    const Roster& roster);
// The node of the clock named `name` in the batch; nothing for times that need
// no conversion.
std::optional<ClockKey> key_of(const ClockName& name, const BatchTrackers& batch,
                               std::span<const FileToLocate> files, const Roster& roster,
                               const Trackers& trackers);

// How many events of the tracker have times that need conversion, up to `limit`.
uint64_t count_converted(const BatchTrackers& batch, uint32_t tracker, uint64_t limit);
// The same without a limit, for all trackers that have any.
absl::flat_hash_map<uint32_t, uint64_t> count_converted(const BatchTrackers& batch);

// Spec clocks 5.
struct Timeline {
  ClockKey key;
  TimelineSource source = TimelineSource::None;
  FileId file;  // that chose it
};
Timeline choose_timeline(std::span<const FileToLocate> files, const Roster& roster,
                         const Trackers& trackers);

}  // namespace tracebraid
