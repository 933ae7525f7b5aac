// Whether a batch is sound, for tests and fuzzers.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "event/batch.h"
#include "event/sched_records.h"
#include "format/format.h"

namespace tracebraid {

// What is wrong: an index that leads nowhere, an arg set without an end. Empty if
// nothing is.
inline std::string flaw_of(const EventBatch& batch) {
  const auto is_text = [&](StringId id) { return !id || id.row < batch.strings.size(); };
  const auto is_args = [&](uint32_t set) {
    if (set == kNone) return true;
    while (set < batch.args.rows.size())
      if (batch.args.rows[set++].last) return true;
    return false;
  };
  for (const ArgRow& row : batch.args.rows) {
    if (row.key >= batch.args.keys.size()) return "arg without a key";
    const auto index = static_cast<uint64_t>(row.value);
    if (row.type == ArgType::String && !is_text({static_cast<uint32_t>(row.value)}))
      return "text of an arg";
    if (row.type == ArgType::Process && index >= batch.processes.size()) return "process of an arg";
    if (row.type == ArgType::Thread && index >= batch.threads.size()) return "thread of an arg";
    if (row.type == ArgType::Track && index >= batch.tracks.size()) return "track of an arg";
    if (row.type == ArgType::Time && index >= batch.arg_times.size()) return "time of an arg";
  }
  for (const ArgKey& key : batch.args.keys)
    if (!is_text(key.key)) return "text of an arg's key";
  for (const TrackName& track : batch.tracks) {
    if (!is_text(track.name) || !is_text(track.type)) return "text of a track";
    if (!is_args(track.dimensions) || !is_args(track.source_args)) return "args of a track";
    if (track.parent != kNone && track.parent >= batch.tracks.size()) return "parent of a track";
    if (track.scope == TrackScope::Thread && track.owner >= batch.threads.size())
      return "thread of a track";
    if (track.scope == TrackScope::Process && track.owner >= batch.processes.size())
      return "process of a track";
  }
  const auto flaw_of_event = [&](const Event& event) -> std::string {
    if (event.clock >= batch.clocks.size()) return "clock of an event";
    if (!is_text(event.name) || !is_text(event.category)) return "text of an event";
    const bool is_compact = event.what() == EventKind::SchedSwitchCompact ||
                            event.what() == EventKind::SchedWakingCompact;
    if (!is_compact && !is_args(event.args)) return "args of an event";
    size_t owners = 0;  // that `track` may index
    size_t extras = kNone;
    switch (event.what()) {
      case EventKind::SliceBegin:
      case EventKind::SliceBeginOnce:
      case EventKind::SliceEnd:
      case EventKind::Slice:
      case EventKind::Instant:
        extras = batch.slice_extras.size();
        owners = batch.tracks.size();
        break;
      case EventKind::AsyncStepBegin:
      case EventKind::FlowStart:
      case EventKind::FlowStep:
      case EventKind::FlowEnd:
      case EventKind::FlowEndHere:
      case EventKind::Counter:
      case EventKind::CounterUntilNow:
      case EventKind::TrackSeen:
      case EventKind::State:
        owners = batch.tracks.size();
        break;
      case EventKind::ProcessParent:
        if (static_cast<uint64_t>(event.value) >= batch.processes.size()) return "parent process";
        [[fallthrough]];
      case EventKind::ProcessSeen:
      case EventKind::ProcessName:
      case EventKind::ProcessCmdline:
      case EventKind::ProcessUid:
      case EventKind::ProcessStart:
      case EventKind::ProcessArgs:
        owners = batch.processes.size();
        break;
      case EventKind::ThreadSeen:
      case EventKind::ThreadName:
      case EventKind::TaskRename:
      case EventKind::ThreadStart:
      case EventKind::ThreadEnd:
      case EventKind::ThreadArgs:
      case EventKind::NewTask:
      case EventKind::ThreadState:
      case EventKind::ChromeRaw:
      case EventKind::UnfinishedComplete:
      case EventKind::UnhandledEvent:
      case EventKind::MetadataEvent:
        owners = batch.threads.size();
        break;
      case EventKind::Log:
        owners = event.track == kNone ? kNone : batch.threads.size();
        return event.track == kNone || event.track < owners ? "" : "thread of a log row";
      case EventKind::SchedSwitch:
        extras = batch.switches.size();
        return event.extra < extras ? "" : "extra of a switch";
      case EventKind::SchedWaking:
        return event.extra < batch.wakings.size() ? "" : "extra of a waking";
      case EventKind::SchedBlocked:
        return event.extra < batch.blocked.size() ? "" : "extra of a blocked thread";
      default:  // of the CPU, of no one, or of formats other than this
        return "";
    }
    if (event.track >= owners) return fmt::format("owner of an event of kind {}", event.kind);
    if (extras != kNone && event.extra != kNone && event.extra >= extras) return "extra of a slice";
    return "";
  };
  for (const Stream& stream : batch.streams) {
    for (const Event& event : stream.events)
      if (std::string flaw = flaw_of_event(event); !flaw.empty()) return flaw;
    for (const SchedRecord& record : stream.sched) {
      if (record.task >= batch.sched_tasks.size()) return "task of a compact event";
      if (record.fact >= batch.sched_facts.size()) return "fact of a compact event";
      if (std::string flaw = flaw_of_event(sched_event(batch, record)); !flaw.empty()) return flaw;
    }
  }
  for (const Event& event : batch.untimed)
    if (std::string flaw = flaw_of_event(event); !flaw.empty()) return flaw;
  for (const Event& event : batch.timed_metadata)
    if (std::string flaw = flaw_of_event(event); !flaw.empty()) return flaw;
  for (const Snapshot& snapshot : batch.snapshots)
    if (size_t{snapshot.first} + snapshot.count > batch.readings.size()) return "readings";
  for (const SnapshotReading& reading : batch.readings)
    if (reading.clock >= batch.clocks.size()) return "clock of a reading";
  for (const SliceExtra& extra : batch.slice_extras)
    if (extra.flows != kNone && extra.flows >= batch.flows.size()) return "flows of a slice";
  return "";
}

// Of all batches that the reader makes of the bytes. An Error of it is no flaw: it says that the
// rest was given up.
inline std::string flaw_of_reading(const Format& format, std::string_view bytes) {
  Workers workers(1);
  Pieces pieces(workers);
  Input input(bytes);
  static_cast<void>(format.read(input, {}, pieces));
  std::string flaws;
  for (const EventBatch& batch : std::move(pieces).finish()) flaws += flaw_of(batch);
  return flaws;
}

}  // namespace tracebraid
