// Events by kind: a constructor for each kind or family of kinds. Code that makes events uses
// these; code that reads events uses event/event_traits.h.
#pragma once

#include <bit>
#include <cstdint>

#include "event/event.h"
#include "event/event_kind.h"
#include "event/names.h"
#include "event/stat.h"

namespace tracebraid {

// The time of an event in a file: a reading of one of its clocks.
struct EventTime {
  int64_t ticks = 0;
  uint32_t clock = 0;  // index of EventBatch::clocks
};

// Returns an event of any kind; all other fields are none.
constexpr Event make_event(const EventTime& time, EventKind kind, uint32_t track) {
  return {.ts = time.ticks,
          .value = 0,
          .track = track,
          .name = {},
          .category = {},
          .args = kNone,
          .extra = kNone,
          .clock = time.clock & kMaxClocks,
          .kind = static_cast<uint32_t>(kind)};
}

// Optional fields of many kinds.
struct EventParts {
  StringId name = {}, category = {};
  uint32_t args = kNone;   // an arg set
  uint32_t extra = kNone;  // an index of the list that ExtraField names for the kind
};

constexpr Event make_event(const EventTime& time, EventKind kind, uint32_t track, int64_t value,
                           const EventParts& parts) {
  return {.ts = time.ticks,
          .value = value,
          .track = track,
          .name = parts.name,
          .category = parts.category,
          .args = parts.args,
          .extra = parts.extra,
          .clock = time.clock & kMaxClocks,
          .kind = static_cast<uint32_t>(kind)};
}

// Slices and instants of a track. `extra` is an index of EventBatch::slice_extras.
constexpr Event make_slice(const EventTime& time, uint32_t track, int64_t dur_ns,
                           const EventParts& parts = {}) {
  return make_event(time, EventKind::Slice, track, dur_ns, parts);
}
constexpr Event make_slice_begin(const EventTime& time, uint32_t track,
                                 const EventParts& parts = {}) {
  return make_event(time, EventKind::SliceBegin, track, 0, parts);
}
constexpr Event make_slice_begin_once(const EventTime& time, uint32_t track,
                                      const EventParts& parts = {}) {
  return make_event(time, EventKind::SliceBeginOnce, track, 0, parts);
}
// The value of a SliceEnd. CountsUnmatched: an end that closes no slice counts as
// atrace_unmatched_end. AtBegin: the slice ends at its own begin, because its end is missing.
enum class EndMark : uint8_t { None = 0, CountsUnmatched = 1, AtBegin = 2 };
// `counts_unmatched`: an end that closes no slice counts as atrace_unmatched_end.
constexpr Event make_slice_end(const EventTime& time, uint32_t track, const EventParts& parts = {},
                               bool counts_unmatched = false) {
  const EndMark mark = counts_unmatched ? EndMark::CountsUnmatched : EndMark::None;
  return make_event(time, EventKind::SliceEnd, track, static_cast<int64_t>(mark), parts);
}
// `args` is a set that is added to the slice.
constexpr Event make_slice_end_at_begin(const EventTime& time, uint32_t track, uint32_t args) {
  return make_event(time, EventKind::SliceEnd, track, static_cast<int64_t>(EndMark::AtBegin),
                    {.args = args});
}
constexpr Event make_instant(const EventTime& time, uint32_t track, const EventParts& parts = {}) {
  return make_event(time, EventKind::Instant, track, 0, parts);
}
// Makes an event of any of these kinds, or State. `dur_ns` is 0 unless the kind is Slice.
constexpr Event make_slice_event(const EventTime& time, EventKind kind, uint32_t track,
                                 int64_t dur_ns, const EventParts& parts) {
  return make_event(time, kind, track, dur_ns, parts);
}
// A step of an asynchronous slice lasts until the next step, or from the step before.
constexpr Event make_async_step(const EventTime& time, uint32_t track, bool lasts_until_next,
                                const EventParts& parts) {
  return make_event(time, EventKind::AsyncStepBegin, track, lasts_until_next ? 1 : 0, parts);
}

// Makes FlowStart, FlowStep, FlowEnd or FlowEndHere. `extra` is an index of
// EventBatch::flow_extras.
constexpr Event make_flow(const EventTime& time, EventKind kind, uint32_t track, uint64_t id,
                          const EventParts& parts) {
  return make_event(time, kind, track, static_cast<int64_t>(id), parts);
}

// Values of a track.
constexpr Event make_counter(const EventTime& time, uint32_t track, double value,
                             uint32_t args = kNone) {
  return make_event(time, EventKind::Counter, track, std::bit_cast<int64_t>(value), {.args = args});
}
constexpr Event make_counter_until_now(const EventTime& time, uint32_t track, double value) {
  return make_event(time, EventKind::CounterUntilNow, track, std::bit_cast<int64_t>(value), {});
}
constexpr Event make_track_seen(const EventTime& time, uint32_t track, uint32_t args = kNone) {
  return make_event(time, EventKind::TrackSeen, track, 0, {.args = args});
}

// Processes. Priorities of names: spec proto 4.1.
// The value of a ProcessSeen. Chrome lists its processes, and each process describes itself: a
// listed process without a description has lost events. The framework of Android tells when it
// starts a process (`args`: cells of android_track_event_process), and that one died, which does
// not create it.
enum class SeenProcess : uint8_t { Other = 0, Listed = 1, Described = 2, Started = 3, Died = 4 };
constexpr Event make_process_seen(const EventTime& time, uint32_t process,
                                  SeenProcess seen = SeenProcess::Other, uint32_t args = kNone) {
  return make_event(time, EventKind::ProcessSeen, process, static_cast<int64_t>(seen),
                    {.args = args});
}
constexpr Event make_process_name(const EventTime& time, uint32_t process, StringId name,
                                  int64_t priority) {
  return make_event(time, EventKind::ProcessName, process, priority, {.name = name});
}
constexpr Event make_process_parent(const EventTime& time, uint32_t process, uint32_t parent) {
  return make_event(time, EventKind::ProcessParent, process, parent, {});
}
constexpr Event make_process_cmdline(const EventTime& time, uint32_t process, StringId cmdline) {
  return make_event(time, EventKind::ProcessCmdline, process, 0, {.name = cmdline});
}
constexpr Event make_process_uid(const EventTime& time, uint32_t process, int64_t uid) {
  return make_event(time, EventKind::ProcessUid, process, uid, {});
}
// Begins a new life of the pid, or sets the start of the process if it is not known.
constexpr Event make_process_start(const EventTime& time, uint32_t process,
                                   bool is_new_life = false) {
  return make_event(time, EventKind::ProcessStart, process, is_new_life ? 1 : 0, {});
}
constexpr Event make_process_args(const EventTime& time, uint32_t process, uint32_t args) {
  return make_event(time, EventKind::ProcessArgs, process, 0, {.args = args});
}

// Threads.
constexpr Event make_thread_seen(const EventTime& time, uint32_t thread) {
  return make_event(time, EventKind::ThreadSeen, thread);
}
constexpr Event make_thread_name(const EventTime& time, uint32_t thread, StringId name,
                                 int64_t priority) {
  return make_event(time, EventKind::ThreadName, thread, priority, {.name = name});
}
// Also sets the name of the process if the thread is its main thread.
constexpr Event make_task_rename(const EventTime& time, uint32_t thread, StringId name,
                                 int64_t priority) {
  return make_event(time, EventKind::TaskRename, thread, priority, {.name = name});
}
constexpr Event make_thread_start(const EventTime& time, uint32_t thread) {
  return make_event(time, EventKind::ThreadStart, thread);
}
// `is_noted`: only end_ts is set, and the tid still belongs to this thread.
constexpr Event make_thread_end(const EventTime& time, uint32_t thread, bool is_noted = false) {
  return make_event(time, EventKind::ThreadEnd, thread, is_noted ? 1 : 0, {});
}
constexpr Event make_thread_args(const EventTime& time, uint32_t thread, uint32_t args) {
  return make_event(time, EventKind::ThreadArgs, thread, 0, {.args = args});
}
// `thread` starts the task `tid`, a thread of the same process or a process of its own.
constexpr Event make_new_task(const EventTime& time, uint32_t thread, int64_t tid, StringId comm,
                              bool is_thread) {
  return make_event(time, EventKind::NewTask, thread, tid,
                    {.name = comm, .extra = is_thread ? 1U : 0U});
}
// A row of thread_state.
constexpr Event make_thread_state(const EventTime& time, uint32_t thread, StringId state,
                                  int64_t dur_ns, uint32_t args = kNone) {
  return make_event(time, EventKind::ThreadState, thread, dur_ns, {.name = state, .args = args});
}

// Scheduling on a CPU. `tid` is the thread of the row of ftrace_event; `extra` is an index of
// EventBatch::switches.
constexpr Event make_sched_switch(const EventTime& time, uint32_t cpu, int64_t tid,
                                  uint32_t extra) {
  return make_event(time, EventKind::SchedSwitch, cpu, tid, {.extra = extra});
}
// `tid` is the woken thread; its comm may be none. `extra` is an index of EventBatch::wakings.
constexpr Event make_sched_waking(const EventTime& time, uint32_t cpu, int64_t tid, StringId comm,
                                  uint32_t extra) {
  return make_event(time, EventKind::SchedWaking, cpu, tid, {.name = comm, .extra = extra});
}
// `tid` is the blocked thread. `extra` is an index of EventBatch::blocked.
constexpr Event make_sched_blocked(const EventTime& time, uint32_t cpu, int64_t tid,
                                   uint32_t extra) {
  return make_event(time, EventKind::SchedBlocked, cpu, tid, {.extra = extra});
}

// FtraceEvent, FtraceMeaning or FtraceRow of a CPU, or of no CPU (kNone), emitted by the thread
// `tid`.
struct KernelEventParts {
  uint32_t cpu = kNone;
  int64_t tid = 0;
  StringId name = {};
  uint32_t args = kNone;  // the fields
  uint32_t flags = 0;     // common_flags
};
constexpr Event make_kernel_event(const EventTime& time, EventKind kind,
                                  const KernelEventParts& parts) {
  return make_event(time, kind, parts.cpu, parts.tid,
                    {.name = parts.name, .args = parts.args, .extra = parts.flags});
}

// A line of a log.
struct LogParts {
  uint32_t thread = kNone;
  StringId message = {}, tag = {};
  int64_t priority = 0;
  StringId source = {};  // the name of the log
  uint32_t args = kNone;
};
constexpr Event make_log(const EventTime& time, const LogParts& parts) {
  return make_event(time, EventKind::Log, parts.thread, parts.priority,
                    {.name = parts.message,
                     .category = parts.tag,
                     .args = parts.args,
                     .extra = parts.source.row});
}

// A sample of a thread, or of none (kNone). `extra` is an index of StackTables::samples.
struct SampleParts {
  StringId name = {}, source = {};
  double weight = 1;
  uint32_t extra = kNone;
};
constexpr Event make_sample(const EventTime& time, uint32_t thread, const SampleParts& parts) {
  return make_event(time, EventKind::Sample, thread, std::bit_cast<int64_t>(parts.weight),
                    {.name = parts.name, .category = parts.source, .extra = parts.extra});
}
// Emits all of StackTables::aggregate_samples. `row` is the number of their row of
// aggregate_profile.
constexpr Event make_aggregate_samples(const EventTime& time, int64_t row) {
  return make_event(time, EventKind::AggregateSamples, kNone, row, {});
}

// A dump of a heap, `dur_ns` after it began. `extra` is an index of StackTables::heap_samples, or
// kNone.
constexpr Event make_heap_dump(const EventTime& time, uint32_t process, StringId heap,
                               int64_t dur_ns, uint32_t extra) {
  return make_event(time, EventKind::HeapDump, process, dur_ns, {.name = heap, .extra = extra});
}
// `graph` is an index of StackTables::heap_graphs.
constexpr Event make_heap_graph(const EventTime& time, uint32_t process, uint32_t graph) {
  return make_event(time, EventKind::HeapGraph, process, 0, {.extra = graph});
}
// `record` is an index of StackTables::out_of_memory.
constexpr Event make_out_of_memory(const EventTime& time, uint32_t process, uint32_t record) {
  return make_event(time, EventKind::OutOfMemory, process, 0, {.extra = record});
}
// `dump` is an index of MemoryRecords::dumps.
constexpr Event make_memory_dump(const EventTime& time, uint32_t track, uint32_t dump,
                                 StringId name = {}, StringId category = {}) {
  return make_event(time, EventKind::MemoryDump, track, 0,
                    {.name = name, .category = category, .extra = dump});
}

// Rows of `metadata` and `stats` whose value is a time, or the text of the earliest event; only in
// EventBatch::timed_metadata.
enum class TimeRule : uint8_t { Last = 0, Multi = 1, Latest = 2, Stat = 3, EarliestText = 4 };
constexpr Event make_metadata_time(const EventTime& time, StringId key, TimeRule rule) {
  return make_event(time, EventKind::MetadataTime, kNone, static_cast<int64_t>(rule),
                    {.name = key});
}
constexpr Event make_metadata_text(const EventTime& time, StringId key, StringId text) {
  return make_event(time, EventKind::MetadataTime, kNone,
                    static_cast<int64_t>(TimeRule::EarliestText), {.name = key, .category = text});
}
constexpr Event make_stat_time(const EventTime& time, StatId stat, uint32_t index = kNone) {
  return make_event(time, EventKind::MetadataTime, index, static_cast<int64_t>(TimeRule::Stat),
                    {.extra = static_cast<uint32_t>(stat)});
}

// Rows of Chrome's JSON that belong to a thread (spec json 7.4, 4.13, 4.17, 4.18).
constexpr Event make_chrome_raw(const EventTime& time, uint32_t thread, StringId name,
                                uint32_t args) {
  return make_event(time, EventKind::ChromeRaw, thread, 0, {.name = name, .args = args});
}
constexpr Event make_metadata_event(const EventTime& time, uint32_t thread, StringId name,
                                    uint32_t args) {
  return make_event(time, EventKind::MetadataEvent, thread, 0, {.name = name, .args = args});
}
constexpr Event make_unhandled_event(const EventTime& time, uint32_t thread, StringId phase,
                                     StringId text) {
  return make_event(time, EventKind::UnhandledEvent, thread, 0, {.name = phase, .category = text});
}
// A slice that was open when the recording stopped. `thread_ts` in ns, or kUnset.
constexpr Event make_unfinished_complete(const EventTime& time, uint32_t thread, int64_t thread_ts,
                                         StringId name, StringId category, uint32_t args,
                                         StringId colour) {
  return make_event(time, EventKind::UnfinishedComplete, thread, thread_ts,
                    {.name = name, .category = category, .args = args, .extra = colour.row});
}
// Makes ObjectNew, ObjectSnapshot or ObjectDelete (extra: JsonRecords::objects), ContextEnter or
// ContextLeave (extra: JsonRecords::ids).
constexpr Event make_identified(const EventTime& time, EventKind kind, uint32_t thread,
                                const EventParts& parts) {
  return make_event(time, kind, thread, 0, parts);
}
// `link` is an index of JsonRecords::links.
constexpr Event make_linked_ids(const EventTime& time, uint32_t thread, StringId name,
                                StringId category, uint32_t link) {
  return make_event(time, EventKind::LinkedIds, thread, 0,
                    {.name = name, .category = category, .extra = link});
}

}  // namespace tracebraid
