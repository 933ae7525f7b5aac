// EventBatch: the output of a reader for one file or one chunk of a large file, as typed records.
//
// Readers in format/ fill batches through EventSink; merge/ places and joins them; assemble/ builds
// tables. Times are readings of the file's clocks. A batch owns its strings, names and args, so
// threads fill batches independently.
//
// Input: what readers emit through EventSink. Output: EventBatch. Called by format, merge and
// assemble.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/string_pool.h"
#include "event/args.h"
#include "event/clock_evidence.h"
#include "event/diagnostic.h"
#include "event/event.h"
#include "event/flow_records.h"
#include "event/json_records.h"
#include "event/machine_facts.h"
#include "event/memory_records.h"
#include "event/names.h"
#include "event/reading_report.h"
#include "event/sched_records.h"
#include "event/slice_extra.h"
#include "event/stacks.h"

namespace tracebraid {

// The order of events of one stream at equal times.
enum class TieRule : uint8_t {
  FileOrder,
  TraceEventFormat,  // ends, then the longest complete events, then the rest (spec json 2.6)
};

// Events in file order at equal times. Events of several streams of a file are ordered by rank at
// equal times (proto: 0 packets, 1 + cpu ftrace).
struct Stream {
  uint32_t rank = 0;
  std::vector<Event> events;
  // A stream has either events or compact scheduler events. Placing moves those of all streams to
  // EventBatch::sched.
  std::vector<SchedRecord> sched = {};
};

struct EventBatch {
  StringPool strings;
  std::vector<uint64_t> machines{0};  // ids in the file; 0 is the recording machine
  std::vector<ClockName> clocks;
  std::vector<ProcessName> processes;
  std::vector<ThreadName> threads;
  std::vector<TrackName> tracks;
  // Names that tracks of processes do not take from their first event, and those that they get.
  std::vector<std::pair<StringId, StringId>> process_track_names;
  ArgSets args;
  std::vector<ArgTime> arg_times;

  TieRule tie_rule = TieRule::FileOrder;
  // Whether times are exact, so that nearly equal ends of slices differ (spec json 4.4). Set in one
  // batch of the file.
  bool exact_ends = false;
  std::vector<Event> untimed;         // apply to the whole file, in file order (JSON 'M')
  std::vector<Stream> streams;        // at most one for each rank
  std::vector<Event> timed_metadata;  // MetadataTime
  std::vector<SliceExtra> slice_extras;
  std::vector<FlowStep> flows;
  std::vector<FlowExtra> flow_extras;
  std::vector<SwitchExtra> switches;
  std::vector<WakingExtra> wakings;
  std::vector<BlockedExtra> blocked;
  std::vector<SchedTask> sched_tasks;
  std::vector<SchedFact> sched_facts;
  // After placing: compact events of all streams, sorted by time and rank; and the rank of the
  // stream of each CPU.
  std::vector<SchedRecord> sched;
  std::vector<uint64_t> sched_ranks;
  StackTables stacks;
  JsonRecords json;
  MemoryRecords memory;

  std::vector<Snapshot> snapshots;
  std::vector<SnapshotReading> readings;
  std::vector<SyncMarker> sync_markers;
  std::vector<ClockDomainName> clock_domains;
  std::vector<MachineFacts> machine_facts;
  std::vector<CpuFacts> cpus;
  std::vector<GpuFacts> gpus;
  std::vector<Metadata> metadata;
  std::vector<StatCount> stats;
  std::vector<LogRow> log;
  std::vector<Embedded> embedded;
  std::vector<NotImported> not_imported;
  std::optional<ConfigDiagnostics> config;  // of the last config of the batch
  bool has_video_frames = false;            // packets with frames of a video of the display
  std::string trace_uuid;                   // empty if the file has none (spec clocks 12.4)
  bool uuid_from_config = false;
  // Whether machine 0 is used other than by its sync marker (spec clocks 4.1), and whether that was
  // before any other machine of the batch.
  bool host_used = false, host_used_first = false;
};

}  // namespace tracebraid
