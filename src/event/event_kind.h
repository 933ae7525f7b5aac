// The kinds of events. event/event_traits.h defines the fields of each kind.
#pragma once

#include <cstdint>

namespace tracebraid {

// The kind of an event. Unless a comment differs, `track` is an index of the track names, `args` is
// an arg set, `name` and `category` are strings, and fields that are not mentioned are none.
enum class EventKind : uint8_t {
  // Slices. extra: SliceExtra.
  SliceBegin,  // value: 0 (sort_stream may store the duration)
  // name, category: closes the innermost open slice that matches; none matches any. value: EndMark.
  SliceEnd,
  Slice,  // value: duration, ns
  Instant,
  // A SliceBegin, unless a slice of the track is open: then JSON counts the event
  // (json_async_restart), and other formats update the args of that slice (spec proto 3.1).
  SliceBeginOnce,
  // JSON 'T' and 'p'. value: 1 if the step lasts until the next one ('T'), 0 if it lasts from the
  // one before ('p').
  AsyncStepBegin,
  // Flow events (JSON and legacy s, t, f). value: id; name, category: part of the key; extra:
  // FlowExtra, or none.
  FlowStart,
  FlowStep,
  FlowEnd,      // category is part of the key; the flow ends at the next slice
  FlowEndHere,  // the flow ends at the enclosing slice
  // Values. value: bits of a double.
  Counter,
  // The value since the last counter event of the track: sets the value of its row, and adds a row
  // with 0.
  CounterUntilNow,
  State,      // name: the value; none: the state ends
  TrackSeen,  // creates the track, even without events
  // Identity. `track` indexes the process (Process*) or thread (Thread*) names.
  ProcessSeen,     // creates the process; value: SeenProcess; args: those of one that started
  ProcessName,     // name; value: priority (spec proto 4.1)
  ProcessParent,   // value: index of a process name
  ProcessCmdline,  // name
  ProcessUid,      // value
  ProcessStart,    // value: 0: sets start_ts if unset; 1: the pid is reused from now on
  ProcessArgs,     // args to add
  ThreadSeen,      // creates the thread, in its process if the name has a pid
  ThreadName,      // name; value: priority
  TaskRename,      // name, also of the process for its main thread; value: priority
  ThreadStart,     // the tid is reused from now on
  ThreadEnd,       // value: 1 if only the end is noted: the tid is not free for another thread
  ThreadArgs,
  // track: the parent thread; value: tid of the new task; name: comm; extra: 1 for a thread of the
  // same process, 0 for a new process (spec proto 5.5, task_newtask).
  NewTask,
  // Scheduling. `track` is the CPU; threads belong to the machine of the clock.
  SchedSwitch,  // extra: SwitchExtra; value: tid for the row of ftrace_event
  // The previous thread is the next thread of the last switch of the CPU. value: prev_state; args:
  // next_tid and extra: next_prio, both as signed 32 bits; name: next_comm.
  SchedSwitchCompact,
  SchedWaking,  // value: tid of the woken thread; name: its comm or none; extra: WakingExtra
  // The waker is the thread on the CPU. value: CompactWaking; name: comm; args: prio; extra:
  // target_cpu.
  SchedWakingCompact,
  SchedBlocked,  // value: tid; extra: BlockedExtra
  ThreadState,   // a complete row. track: thread; name: state; value: duration; args: io_wait
  // Other rows. A kernel event: a row of ftrace_event, and its meaning, which assemble/kernel knows
  // by name. For scheduler events, marks and clock syncs the reader also emits events of the kinds
  // above. track: CPU; value: tid; name; args: its fields, named as in spec proto 5.5 (elements of
  // a repeated field with their index); extra: common_flags, none is 0. SchedSwitchCompact and
  // SchedWakingCompact have their rows without such an event.
  FtraceEvent,
  FtraceMeaning,  // an FtraceEvent without the row
  FtraceRow,      // an FtraceEvent without the meaning
  Log,  // track: thread or none; name: message; category: tag; value: priority; extra: StringId row
        // of log_source
  ChromeRaw,  // track: thread; name; args
  // JSON events with tables of their own (spec json 7.4). track: thread.
  UnfinishedComplete,  // name, category, args; value: thread time or kUnset; extra: StringId row of
                       // the colour
  UnhandledEvent,      // name: phase; category: the text of the event in the file
  MetadataEvent,       // name, args
  // A row of a plain table (tables/store.h). name: the table; args: its cells, keyed by column;
  // extra: arg set of arg_set_id, or none; value: a number by which later rows of the batch refer
  // to this one (negative: equal rows of the table are one), or 0. Columns ts, machine_id and
  // trace_id without a cell are those of the event; others are NULL (0 if not nullable).
  Row,
  // Samples and heaps (event/stacks.h). track: thread or none; name: sampled event; category:
  // source; value: bits of the weight, a double; extra: SampleExtra.
  Sample,
  // Emits all of StackTables::aggregate_samples, once. value: number of the row of
  // aggregate_profile.
  AggregateSamples,
  // track: process; name: the heap, or none; value: ns since the dump began; extra: HeapSample or
  // none.
  HeapDump,
  HeapGraph,    // track: process; extra: index of StackTables::heap_graphs
  OutOfMemory,  // track: process; extra: index of StackTables::out_of_memory
  // A row whose value is or depends on a time, in EventBatch::timed_metadata only. name: key;
  // value: a
  // TimeRule; category: the text for EarliestText; for a stat, extra is its key, track its index or
  // none.
  MetadataTime,
  // Objects, contexts and ids of JSON (spec json 4.13, 4.17, 4.18). track: thread.
  ObjectNew,       // name: type; category; args; extra: index of json.objects
  ObjectSnapshot,  // as ObjectNew; args of the snapshot
  ObjectDelete,
  ContextEnter,  // name: type; category; args; extra: index of json.ids
  ContextLeave,
  LinkedIds,  // name, category; extra: index of json.links
  // One event of a memory dump (spec json 4.15). track: the track of the dumps of the file; name;
  // extra: index of memory.dumps.
  MemoryDump,
};

}  // namespace tracebraid
