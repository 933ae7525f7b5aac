// Emits events that have a record in a list of the batch: appends the record and makes the event.
#pragma once

#include "event/make_event.h"
#include "event/sink.h"

namespace tracebraid {

// Appends the record to the list. Returns its index.
template <class Record>
uint32_t append_record(std::vector<Record>& list, const Record& record) {
  list.push_back(record);
  return static_cast<uint32_t>(list.size() - 1);
}

// Emits a switch. `tid` is the thread of the row of ftrace_event.
inline void emit_switch(EventSink& sink, const EventTime& time, uint32_t cpu, int64_t tid,
                        const SwitchExtra& extra, uint32_t rank = 0) {
  sink.event(make_sched_switch(time, cpu, tid, append_record(sink.batch().switches, extra)), rank);
}

// Emits a waking of `tid`, whose comm may be none.
inline void emit_waking(EventSink& sink, const EventTime& time, uint32_t cpu, int64_t tid,
                        StringId comm, const WakingExtra& extra, uint32_t rank = 0) {
  sink.event(make_sched_waking(time, cpu, tid, comm, append_record(sink.batch().wakings, extra)),
             rank);
}

// Emits the reason why `tid` was blocked.
inline void emit_blocked(EventSink& sink, const EventTime& time, uint32_t cpu, int64_t tid,
                         const BlockedExtra& extra, uint32_t rank = 0) {
  sink.event(make_sched_blocked(time, cpu, tid, append_record(sink.batch().blocked, extra)), rank);
}

// Emits a sample. Sets `sample.extra` to the index of `extra`. `thread` may be kNone.
inline void emit_sample(EventSink& sink, const EventTime& time, uint32_t thread, SampleParts sample,
                        const SampleExtra& extra) {
  sample.extra = append_record(sink.batch().stacks.samples, extra);
  sink.event(make_sample(time, thread, sample));
}

}  // namespace tracebraid
