// The kinds of events. event/event_traits.h says what the fields of each kind hold.
#pragma once

#include <cstdint>

namespace tracebraid {

// What an event says. Unless a line says otherwise: `track` indexes the track
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
  // row; value: 0 = last wins, 1 = multi, 2 = maximum, 3 = a stat: extra is its key,
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

}  // namespace tracebraid
