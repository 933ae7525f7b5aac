// Scheduler events as the kernel and its tools print them (spec json 10.4), with one meaning for
// all formats of text. These are most of the events of a text, so the parsers are written by hand.
#pragma once

#include <cstdint>
#include <string_view>

#include "event/make_event.h"
#include "event/sink.h"

namespace tracebraid {

struct SwitchText {
  std::string_view prev_comm, next_comm, state;
  int64_t prev_tid = 0, next_tid = 0;
  int32_t prev_prio = 0, next_prio = 0;
};
// Parses the text after "sched_switch: ", in the form of the kernel or of trace-cmd. Returns false
// for other text.
bool parse_switch(std::string_view details, SwitchText& out);

struct WakingText {
  std::string_view comm;
  int64_t tid = 0;
  int32_t prio = 0, target_cpu = 0;
  int8_t success = -1;
};
// Parses the text after sched_waking, sched_wakeup and sched_wakeup_new in the same way.
bool parse_waking(std::string_view details, WakingText& out);

// Output of wakeup latency tracers: "0:120:R ==> [003] 312:100:R bash" for a switch; with '+'
// instead of the arrow, the former task wakes the latter. trace-cmd prints "0:120:0  ==> 312:100:0
// [003]" and "==+". The text lacks the name of the former task.
struct TaskChange {
  bool is_switch = false;
  SwitchText tasks;
  int32_t cpu = 0;  // of the latter task
};
bool parse_task_change(std::string_view text, TaskChange& out);

// The line of an event.
struct SchedLine {
  EventTime time;
  uint32_t cpu = 0;
  int64_t tid = 0;        // thread that wrote it
  bool adds_row = false;  // adds a row of ftrace_event
  uint64_t offset = 0;    // in the file
};
void state_switch(const SchedLine& at, const SwitchText& found, EventSink& sink);
// `name` is that of the event.
void state_waking(const SchedLine& at, std::string_view name, const WakingText& found,
                  EventSink& sink);
// Emits the text after "sched_blocked_reason: ", without a row. Returns false if it names no
// thread.
bool state_blocked(const SchedLine& at, std::string_view details, EventSink& sink);

}  // namespace tracebraid
