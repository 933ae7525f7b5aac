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
#include "event/json_records.h"
#include "event/memory_records.h"
#include "event/names.h"
#include "event/stacks.h"
#include "event/stat.h"

namespace tracebraid {

// What an event says. Unless the line says otherwise: `track` indexes the track
// names, `args` is an arg set, `name` and `category` are strings, and
// whatever is not mentioned is none.
enum class EventKind : uint8_t {
  // Slices. extra: SliceExtra.
  SliceBegin,  // value: 0 (sort_stream may note the duration there)
  // name, category: close the innermost open slice that matches; none match any. value: 1 if
  // atrace_unmatched_end counts one that closes nothing.
  SliceEnd,
  Slice,  // value: duration, ns
  Instant,
  // As SliceBegin, unless a slice of the track is open: then JSON counts it
  // (json_async_restart), and others update args of that slice (spec proto 3.1).
  SliceBeginOnce,
  AsyncStepBegin,  // JSON 'T': value 1 if the step lasts until the next ('T'), 0 if from the last
                   // ('p')
  // Flows that are events of their own (JSON and legacy s, t, f).
  // value: id; name, category: part of the key; extra: FlowExtra, or none.
  FlowStart,
  FlowStep,
  FlowEnd,      // category stays part of the key; flow ends at the next slice ...
  FlowEndHere,  // ... or at the enclosing one
  // Values. value: bits of a double.
  Counter,
  // The value held until now, since the last of the track, whose row it goes to. The track
  // gets a row with 0.
  CounterUntilNow,
  State,      // name: the value; none ends the state
  TrackSeen,  // the track exists, events or not
  // Identity. `track` indexes the process (Process*) or thread (Thread*) names.
  ProcessSeen,     // it exists
  ProcessName,     // name; value: priority (spec proto 4.1)
  ProcessParent,   // value: index of a process name
  ProcessCmdline,  // name
  ProcessUid,      // value
  ProcessStart,    // value: 0 = sets start_ts if unset; 1 = a new life of the pid begins now
  ProcessArgs,     // args, added to those it has
  ThreadSeen,      // it exists, and belongs to its process if the name has a pid
  ThreadName,      // name; value: priority
  TaskRename,      // name, for the process as well if it is its main thread; value: priority
  ThreadStart,     // a new life of the tid begins now
  ThreadEnd,
  ThreadArgs,
  // track: the thread that starts it; value: its tid; name: comm; extra: 1 a thread of the same
  // process, 0 a process of its own (spec proto 5.5, task_newtask).
  NewTask,
  // Scheduling. `track` is the CPU; threads are those of the clock's machine.
  SchedSwitch,  // extra: SwitchExtra; value: tid for the row of ftrace_event
  // Who ran before is what the CPU's last switch said. value: prev_state; args: next_tid and extra:
  // next_prio, both as signed 32 bits; name: next_comm.
  SchedSwitchCompact,
  SchedWaking,  // value: tid that wakes; name: its comm or none; extra: WakingExtra
  // By whoever runs on the CPU. value: CompactWaking; name: comm; args: prio; extra: target_cpu.
  SchedWakingCompact,
  SchedBlocked,  // value: tid; extra: BlockedExtra
  ThreadState,   // a row as it stands: track: thread; name: state; value: duration; args: io_wait
                 // ...
  // Other rows.
  // A kernel event: a row as recorded, and what it means (build/ftrace/ knows by its name). The
  // reader states events of the scheduler, marks and clock syncs besides, as what they mean. track:
  // CPU; value: tid; name; args: its fields, called as in spec proto 5.5 (elements of a repeated
  // one with their index); extra: common_flags, none is 0. The builder adds the rows of
  // SchedSwitchCompact and SchedWakingCompact by itself.
  FtraceEvent,
  FtraceMeaning,  // likewise, without the row
  FtraceRow,      // likewise, only the row
  Log,  // track: thread or none; name: message; category: tag; value: priority; extra: StringId row
        // of log_source
  ChromeRaw,  // track: thread; name; args
  // JSON events that are rows of tables of their own (spec json 7.4). track: thread.
  UnfinishedComplete,  // name, category, args; value: thread time or kUnset; extra: StringId row of
                       // the colour
  UnhandledEvent,      // name: phase; category: the event as it stood in the file
  MetadataEvent,       // name, args
  // A row of a plain table (tables/store.h). name: the table; args: its cells, keyed by
  // column; extra: arg set for its column arg_set_id, if it has one; value: a number by which
  // later rows of the batch name this one, or 0. Columns ts, machine_id and trace_id are filled
  // from the event unless a cell says otherwise; others without a cell are NULL (0 if they
  // cannot be).
  Row,
  // Samples and heaps (event/stacks.h).
  // track: thread or none; name: what was sampled; category: source; value: bits of the weight, a
  // double; extra: SampleExtra.
  Sample,
  // All of StackTables::aggregate_samples, once. value: the number of their row of
  // aggregate_profile.
  AggregateSamples,
  // track: process; name: of the heap; value: ns since the dump began; extra: HeapSample or none.
  HeapDump,
  HeapGraph,     // track: process; extra: index of StackTables::heap_graphs
  MetadataTime,  // only in EventBatch::timed_metadata. name: key; its time is the value of the
  // row; value: 0 = last wins, 1 = multi, 2 = maximum, 3 = a stat: extra is the Stat,
  // track its index or none
  // Things that JSON events name by ids (spec json 4.13, 4.17, 4.18). track: thread.
  ObjectNew,       // name: type; category; args; extra: index of json.objects
  ObjectSnapshot,  // likewise; args of the snapshot
  ObjectDelete,
  ContextEnter,  // name: type; category; args; extra: index of json.ids
  ContextLeave,
  LinkedIds,  // name, category; extra: index of json.links
  // One event of a dump (spec json 4.15). track: of the file's dumps; name; extra: index of
  // memory.dumps.
  MemoryDump,
};

struct Event {  // 40 bytes
  int64_t ts;   // ticks of its clock; after placing, ns of trace time
  int64_t value;
  uint32_t track;
  StringId name;
  StringId category;
  uint32_t args;
  uint32_t extra;
  uint32_t clock : 24;  // index of the clock names; 16 M clocks a batch
  uint32_t kind : 8;    // EventKind

  EventKind what() const { return static_cast<EventKind>(kind); }
};
static_assert(sizeof(Event) == 40);
inline constexpr uint32_t kMaxClocks = (1U << 24) - 1;

inline constexpr int64_t kUnset = std::numeric_limits<int64_t>::min();

// What few slices have: thread time in ns, instruction counts, flows.
struct SliceExtra {
  int64_t thread_ts = kUnset;
  int64_t thread_dur = kUnset;
  int64_t instruction_count = kUnset;
  int64_t instruction_delta = kUnset;
  uint32_t flows = kNone;  // first of EventBatch::flows
  uint32_t stack = kNone;  // of StackTables::slice_stacks
  uint32_t json = kNone;   // index of EventBatch::json.extras
};

// What few flow events have: an id that is a text, a callstack.
struct FlowExtra {
  StringId text_id;
  uint32_t callsite = kNone;
};

enum class FlowStepKind : uint8_t {
  Flow,         // TrackEvent flow_ids: continues, or starts
  Terminating,  // TrackEvent terminating_flow_ids
  Out,          // bind_id: producer
  Step,
  In,    // bind_id: consumer
  None,  // bind_id without a direction: counted
  // An arrow without an id of its own leads from the Anchor to each slice that names it.
  Anchor,
  FromAnchor,
  // Of our own exports: each id is one arrow, from the slice with ArrowOut to the one with ArrowIn,
  // in the order of time. Before ArrowIn may stand its trace id, which is the step's id, and that
  // it leads back.
  ArrowOut,
  ArrowIn,
  ArrowId,
  ArrowBack,
};

struct FlowStep {
  uint64_t id;
  FlowStepKind kind;
  bool last;  // of its event
};

struct SwitchExtra {
  int64_t prev_tid = 0, next_tid = 0;
  int64_t prev_state = 0;    // bits as in the kernel; meaning depends on its version
  StringId prev_state_text;  // text formats: the letters; otherwise none
  StringId prev_comm, next_comm;
  int32_t prev_prio = 0, next_prio = 0;
  bool adds_row = false;  // to ftrace_event; of a compact one building always adds it
};

struct WakingExtra {
  int64_t waker_tid = 0;
  int32_t prio = 0, target_cpu = 0;
  uint8_t irq_context = 2;  // 0, 1, or 2 = not known
  int8_t success = -1;      // 0, 1, or -1 = not said
  bool may_repeat = false;  // says again what a waking has said: no row if the thread is awake
  uint32_t common_flags = 0;
  StringId row_name;  // of the row that is added to ftrace_event; none: no row
};

// Event::value of a SchedWakingCompact: there are too many of them for a record each.
struct CompactWaking {
  int32_t tid;
  uint32_t common_flags;

  int64_t pack() const {
    return static_cast<int64_t>(uint64_t{common_flags} << 32 | static_cast<uint32_t>(tid));
  }
  static CompactWaking unpack(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    return {static_cast<int32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  }
};

struct BlockedExtra {
  StringId function;
  int8_t io_wait = -1;  // 0, 1, or -1 = not known
};

// How events of one stream are ordered at equal times.
enum class TieRule : uint8_t {
  FileOrder,
  TraceEventFormat,  // ends, then the longest complete events, then the rest (spec json 2.6)
};

// A time that an arg tells.
struct ArgTime {
  int64_t ticks;
  uint32_t clock;  // index of the clock names
};

// Compact scheduler events, of which there are more than of all others: what many of them have in
// common is said once (event/sched_records.h makes events of them).
struct SchedTask {  // that is switched to, or wakes
  StringId comm;
  int32_t tid = 0, prio = 0;
  friend bool operator==(const SchedTask&, const SchedTask&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SchedTask& of) {
    return H::combine(std::move(h), of.comm, of.tid, of.prio);
  }
};
struct SchedFact {
  int64_t value = 0;  // prev_state, or common_flags of a waking
  uint32_t cpu = 0;
  uint32_t target_cpu = 0;                         // of a waking
  uint32_t clock = 0;                              // index of the clock names
  EventKind kind = EventKind::SchedSwitchCompact;  // or SchedWakingCompact
  friend bool operator==(const SchedFact&, const SchedFact&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SchedFact& of) {
    return H::combine(std::move(h), of.value, of.cpu, of.target_cpu, of.clock, of.kind);
  }
};
struct SchedRecord {    // 16 bytes
  int64_t ts;           // as that of an Event
  uint32_t task, fact;  // of EventBatch::sched_tasks and sched_facts
};

// Events that keep the file's order among equal times. A file's streams are
// ordered by rank at equal times (proto: 0 packets, 1 + cpu ftrace).
struct Stream {
  uint32_t rank = 0;
  std::vector<Event> events;
  // Instead of events, not besides. After placing those of all streams are EventBatch::sched.
  std::vector<SchedRecord> sched = {};
};

// Clock evidence, in file order.
enum class SnapshotKind : uint8_t {
  Together,    // all these clocks were read at once
  PingClient,  // one element of a remote clock sync: the client's clocks ...
  PingHost,    // ... and the host's; Client and Host alternate, host first
  WallClock,   // a statement of the file on its own start, to the ms
  // A statement of when it was recorded, to the second: at the first or last event in a clock
  // that counts ns and whose reading does not matter. Two readings: that clock's, and REALTIME.
  StartDate,
  EndDate,
};
constexpr bool is_date(SnapshotKind kind) {
  return kind == SnapshotKind::StartDate || kind == SnapshotKind::EndDate;
}
struct SnapshotReading {
  uint32_t clock;  // index of the clock names
  int64_t ticks;
  bool incremental = false;
};
struct Snapshot {
  SnapshotKind kind = SnapshotKind::Together;
  uint32_t machine = 0;           // index of EventBatch::machines
  uint32_t first = 0, count = 0;  // of EventBatch::readings
  uint32_t group = 0;             // pings: packet that they belong to
  uint32_t primary = 0;           // primary_trace_clock, 0 if not said
  bool may_claim = false;         // counts for the choice of trace time (spec clocks 5)
  uint64_t events_before = 0;     // that were converted, of the same machine, in this batch
  int64_t uncertainty_ns = -1;    // if the source says; -1: by kind
  uint64_t byte_offset = 0;
};

// One moment at which two recordings noted that they speak of the same thing (spec json 6).
// It lies in [begin, end] of `clock`, ticks; a receiver notes one reading only.
struct SyncMarker {
  uint32_t clock;   // index of the clock names
  StringId domain;  // as the file names its clock; none: it does not
  StringId sync_id;
  int64_t begin = 0, end = 0;
  bool is_issuer = false;
};
// "This clock is what is called `name`" (spec json 6.2): files of one machine that say so
// share it. LINUX_CLOCK_MONOTONIC is the machine's MONOTONIC.
struct ClockDomainName {
  uint32_t clock;
  StringId name;
};

// Facts about a machine; -1 and none mean "not said".
struct MachineFacts {
  uint32_t machine = 0;
  StringId name, sysname, release, version, arch;
  StringId android_build_fingerprint, android_device_manufacturer;
  int64_t num_cpus = -1, android_sdk_version = -1, system_ram_bytes = -1;
  int64_t timezone_off_mins = kUnset;
};

struct CpuFacts {
  uint32_t machine = 0;
  uint32_t cpu = 0;
  StringId processor;
  int64_t cluster_id = -1, capacity = -1;
  uint32_t args = kNone;
  std::vector<int64_t> frequencies;
};

struct GpuFacts {
  uint32_t machine = 0;
  uint32_t gpu = 0;  // number on its machine
  StringId name, vendor, model, architecture, uuid, pci_bdf;
  uint32_t args = kNone;
};

// Whose row of `metadata` it is (spec clocks 12.4).
enum class MetadataScope : uint8_t { Global, File, Machine, MachineAndFile };
struct Metadata {
  StringId key;
  MetadataScope scope = MetadataScope::File;
  bool multi = false;
  bool is_text = false;
  uint32_t machine = 0;
  int64_t value = 0;
  StringId text;
};

struct StatCount {
  Stat stat;
  uint32_t machine;  // index of EventBatch::machines
  int32_t index;     // of an indexed stat, else -1
  int64_t value;
};

// One occurrence, for `_trace_import_logs`.
struct LogRow {
  Stat stat;
  uint32_t machine;
  uint64_t byte_offset;       // in the file, after decompression; kNoOffset if not known
  uint32_t args = kNone;      // arg set
  std::string text;           // the offending bytes, cut at 4 KiB; may be empty
  ArgTime time = {0, kNone};  // of the event; without clock: not known
  int64_t ts = kUnset;        // `time` as trace time, ns, once events are placed
};
inline constexpr uint64_t kNoOffset = ~uint64_t{0};
inline constexpr size_t kMaxLogRows = 1000;  // for each stat of a file

// A file inside the file.
struct Embedded {
  std::string name;
  std::string bytes;
};

// Bytes of the file that were understood but not used, for `info`.
struct NotImported {
  std::string what;  // "packet field 77"
  uint64_t count = 0, bytes = 0;
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
