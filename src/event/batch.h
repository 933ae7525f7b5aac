// EventBatch: all that one reader said about one file, or about one piece of a
// large file, in compact typed records.
//
// Times are readings of the file's own clocks. Strings, names and args are the
// batch's own, so batches fill side by side on any thread and never look at
// each other.
#pragma once

#include <string>
#include <vector>

#include "base/id.h"
#include "base/string_pool.h"
#include "event/args.h"
#include "event/clock_evidence.h"
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

// How events of one stream are ordered at equal times.
enum class TieRule : uint8_t {
  FileOrder,
  TraceEventFormat,  // ends, then the longest complete events, then the rest (spec json 2.6)
};

// Events that keep the file's order among equal times. A file's streams are
// ordered by rank at equal times (proto: 0 packets, 1 + cpu ftrace).
struct Stream {
  uint32_t rank = 0;
  std::vector<Event> events;
  // Instead of events, not besides. After placing those of all streams are EventBatch::sched.
  std::vector<SchedRecord> sched = {};
};

struct EventBatch {
  StringPool strings;
  std::vector<uint64_t> machines{0};  // raw ids; 0 is the file's own machine
  std::vector<ClockName> clocks;
  std::vector<ProcessName> processes;
  std::vector<ThreadName> threads;
  std::vector<TrackName> tracks;
  ArgSets args;
  std::vector<ArgTime> arg_times;

  TieRule tie_rule = TieRule::FileOrder;
  // The file's times are exact: ends of slices that nearly agree do differ (spec json 4.4). One
  // batch of the file says so.
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
  // Once placed: of all streams, sorted by time and rank; and by CPU the rank of its stream.
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
  std::string trace_uuid;  // if the file gives one (spec clocks 12.4)
  bool uuid_from_config = false;
  // Machine 0 was used other than by its sync marker (spec clocks 4.1): at all, and
  // before any other machine of the batch.
  bool host_used = false, host_used_first = false;
};

}  // namespace tracebraid
