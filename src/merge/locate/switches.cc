#include "merge/locate/switches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "event/sched_events.h"
#include "merge/locate/batch_summary.h"

namespace tracebraid {
namespace {

using Side = SameSwitches::Side;

// The number of consecutive tasks on one CPU that identify a moment.
constexpr size_t kInARow = 8;
// Recordings with fewer switches are ignored. With more than kMostSightings, every n-th moment is
// used, the same ones in all recordings.
constexpr uint64_t kFewestSwitches = 300, kMostSightings = 1 << 20;
// The number of recordings that each one is compared with.
constexpr size_t kMostTries = 4;

// Certainty of the clock of a recording, best first.
enum class Known : uint8_t { Named, Assumed, NotAtAll };

struct Recording {
  uint32_t tracker;
  Side side;
  ClockName clock;
  Known known = Known::Named;
  uint64_t switches = 0;
  bool is_free = false;  // must be placed by its switches
};

// Visits the task switches of a batch in the order of its events.
template <class Visit>
void for_each_switch(const BatchTrackers& batch, Visit visit) {
  if (batch.summary != nullptr) {
    for (const TaskSwitch& each : batch.summary->switches) visit(each);
    return;
  }
  for (const Stream& stream : batch.batch->streams)
    for_each_event(*batch.batch, stream, [&](const Event& event) {
      if (is_task_switch(event)) visit(task_switch(event, *batch.batch));
    });
}

bool has_switch_extras(const BatchTrackers& batch) {
  return batch.summary != nullptr ? batch.summary->has_switch_extras
                                  : !batch.batch->switches.empty();
}

// Whether a snapshot of the batch has the clock.
bool is_read(const EventBatch& batch, uint32_t clock) {
  return std::ranges::any_of(batch.snapshots, [&](const Snapshot& snapshot) {
    if (snapshot.kind != SnapshotKind::Together) return false;
    for (uint32_t i = 0; i < snapshot.count; ++i)
      if (batch.clocks[batch.readings[snapshot.first + i].clock].domain ==
          batch.clocks[clock].domain)
        return true;
    return false;
  });
}

// The switches of each tracker, in the clock of the first one.
std::map<uint32_t, Recording> recordings_of(const Trackers& trackers) {
  std::map<uint32_t, Recording> found;
  for (size_t b = 0; b < trackers.batches.size(); ++b) {
    const BatchTrackers& batch = trackers.batches[b];
    if (!has_switch_extras(batch)) continue;
    for_each_switch(batch, [&](const TaskSwitch& each) {
      const ClockName& clock = batch.batch->clocks[each.clock];
      const uint32_t tracker = batch.by_machine[clock.machine];
      const auto [at, added] =
          found.try_emplace(tracker, Recording{tracker, {b, each.clock}, clock});
      ++at->second.switches;
    });
  }
  return found;
}

// Whether other evidence places the file.
bool is_placed_otherwise(const Tracker& tracker, const MachineRegistry& registry) {
  const FileMachines& file = registry.files[tracker.file];
  return file.is_pinned() || (file.entry != nullptr && file.entry->clocks) ||
         tracker.embedded_in != kNone;
}

void judge(std::span<const FileToLocate> files, const Trackers& trackers, Recording& recording) {
  const Tracker& tracker = trackers.at(recording.tracker);
  const bool is_proto = files[tracker.file].format->rank == ArchiveRank::Proto;
  bool has_readings = false;
  for (const BatchTrackers& batch : batches_of(tracker.file, trackers))
    for (uint32_t i = 0; i < batch.batch->clocks.size() && !has_readings; ++i)
      has_readings =
          batch.batch->clocks[i].domain == recording.clock.domain && is_read(*batch.batch, i);
  recording.is_free = !is_proto && !has_readings && recording.clock.by_default;
  if (!recording.is_free) return;
  recording.known = recording.clock.domain == domain::kPrivate ? Known::NotAtAll : Known::Assumed;
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9ddfea08eb382d69;
  return hash ^ (hash >> 29);
}

// The last tasks of one CPU.
struct Row {
  std::array<uint64_t, kInARow> tids{};
  size_t count = 0;

  uint64_t add(uint64_t tid, uint64_t cpu) {
    tids[count++ % kInARow] = tid;
    uint64_t hash = mix(0, cpu);
    for (size_t i = 0; i < kInARow; ++i) hash = mix(hash, tids[(count + i) % kInARow]);
    return hash;
  }
};

std::vector<Sighting> sightings_of(const Recording& recording, const Trackers& trackers,
                                   uint64_t stride) {
  std::vector<Sighting> seen;
  std::map<uint32_t, Row> rows;  // by CPU
  for (const BatchTrackers& batch : batches_of(trackers.at(recording.tracker).file, trackers)) {
    for_each_switch(batch, [&](const TaskSwitch& each) {
      const ClockName& clock = batch.batch->clocks[each.clock];
      const bool is_same = clock.domain == recording.clock.domain &&
                           clock.sequence == recording.clock.sequence &&
                           batch.by_machine[clock.machine] == recording.tracker;
      int64_t ns = 0;
      if (!is_same || __builtin_mul_overflow(each.ticks, clock.tick_ns, &ns)) return;
      Row& row = rows[each.cpu];
      const uint64_t what = row.add(each.next_tid, each.cpu);
      if (row.count >= kInARow && what % stride == 0) seen.push_back({what, ns});
    });
  }
  return seen;
}

bool is_one_clock(const SameEvents& events) {
  return std::ranges::all_of(events.points, [](const Observation& point) {
    const __int128 apart = __int128{point.to} - point.from;
    return apart <= point.uncertainty_ns && -apart <= point.uncertainty_ns;
  });
}

std::string name_of(const FileToLocate& file) {
  return file.name && !file.name->empty() ? *file.name : file.manifest_path;
}

class Finder {
 public:
  Finder(std::span<const FileToLocate> files, Trackers& trackers, std::vector<Problem>& warnings)
      : files_(files), trackers_(trackers), warnings_(warnings) {}

  // Recordings of one machine, the most certain clocks first.
  void find(std::span<const Recording> recordings) {
    uint64_t most = 0;
    for (const Recording& recording : recordings) most = std::max(most, recording.switches);
    const uint64_t stride = most / kMostSightings + 1;
    std::vector<std::vector<Sighting>> seen;
    for (const Recording& recording : recordings) {
      seen.push_back(sightings_of(recording, trackers_, stride));
      if (!recording.is_free) continue;
      for (size_t i = 0; i < std::min(seen.size() - 1, kMostTries); ++i) {
        std::optional<SameEvents> same = match_events(seen.back(), seen[i]);
        if (!same) continue;
        take(recording, recordings[i], *std::move(same));
        break;
      }
    }
  }

  std::vector<SameSwitches> finish() && { return std::move(found_); }

 private:
  void take(const Recording& recording, const Recording& other, SameEvents same) {
    const bool is_same_domain =
        recording.clock.domain == other.clock.domain && recording.known == Known::Assumed;
    if (is_same_domain && is_one_clock(same)) return;  // the assumption holds
    Tracker& tracker = trackers_.all[recording.tracker];
    const FileToLocate& file = files_[tracker.file];
    if (recording.known == Known::Assumed) {
      tracker.has_own_clock = true;
      if (is_same_domain) warn(file, files_[trackers_.at(other.tracker).file], same);
    }
    found_.push_back({recording.side, other.side, file.file, std::move(same)});
  }

  void warn(const FileToLocate& file, const FileToLocate& other, const SameEvents& same) {
    const Observation& point = same.points.front();
    warnings_.push_back(
        {name_of(file),
         {ErrorCode::BadInput,
          fmt::format(
              "its clock is not the usual one of the format: its task switches match those of {} "
              "({} of them) at an offset of {} us, which places it",
              name_of(other), same.matched,
              static_cast<int64_t>((__int128{point.to} - point.from) / 1000))}});
  }

  std::span<const FileToLocate> files_;
  Trackers& trackers_;
  std::vector<Problem>& warnings_;
  std::vector<SameSwitches> found_;
};

}  // namespace

std::vector<SameSwitches> find_same_switches(std::span<const FileToLocate> files,
                                             const MachineRegistry& registry, Trackers& trackers,
                                             std::vector<Problem>& warnings) {
  std::map<MachineId, std::vector<Recording>> by_machine;
  for (auto& [row, recording] : recordings_of(trackers)) {
    const Tracker& tracker = trackers.at(row);
    if (recording.switches < kFewestSwitches || is_placed_otherwise(tracker, registry) ||
        !tracker.allows(AlignKind::TaskSwitches))
      continue;
    judge(files, trackers, recording);
    by_machine[tracker.machine].push_back(recording);
  }
  Finder finder(files, trackers, warnings);
  for (auto& [machine, recordings] : by_machine) {
    if (recordings.size() < 2 || std::ranges::none_of(recordings, &Recording::is_free)) continue;
    std::ranges::stable_sort(recordings, {}, &Recording::known);
    finder.find(recordings);
  }
  return std::move(finder).finish();
}

void add_same_switches(std::span<const SameSwitches> found,
                       std::span<const std::vector<ClockId>> nodes, ClockGraph& graph) {
  for (const SameSwitches& same : found) {
    const ClockId from = nodes[same.from.batch][same.from.clock],
                  to = nodes[same.to.batch][same.to.clock];
    if (!from || !to || from == to) continue;
    for (const Observation& point : same.events.points) {
      const ClockReading both[] = {{.clock = from, .ticks = point.from, .tick_ns = kAlreadyNs},
                                   {.clock = to, .ticks = point.to, .tick_ns = kAlreadyNs}};
      // Fails only if the readings are too far apart for any offset.
      std::ignore = graph.add_snapshot(both, {.uncertainty_ns = point.uncertainty_ns,
                                              .file = same.file,
                                              .is_on_line = true,
                                              .source = EvidenceSource::TaskSwitches});
    }
  }
}

}  // namespace tracebraid
