// Events of the scheduler as the kernel and its tools print them (spec json 10.4): one meaning,
// whichever text they stand in. They are most of such a text, so they are read by hand.
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
// What follows "sched_switch: ", in the kernel's form or trace-cmd's. False if it is neither.
bool parse_switch(std::string_view details, SwitchText& out);

struct WakingText {
  std::string_view comm;
  int64_t tid = 0;
  int32_t prio = 0, target_cpu = 0;
  int8_t success = -1;
};
// Likewise of sched_waking, sched_wakeup and sched_wakeup_new.
bool parse_waking(std::string_view details, WakingText& out);

// What tracers of latencies of wakeups print instead: "0:120:R ==> [003] 312:100:R bash" for a
// switch, '+' in place of the arrow for a wakeup of the latter task by the former; of trace-cmd
// "0:120:0  ==> 312:100:0 [003]" and "==+". The name of the former is not said.
struct TaskChange {
  bool is_switch = false;
  SwitchText tasks;
  int32_t cpu = 0;  // of the latter task
};
bool parse_task_change(std::string_view text, TaskChange& out);

// Where such an event stood.
struct SchedLine {
  EventTime time;
  uint32_t cpu = 0;
  int64_t tid = 0;        // that wrote it
  bool adds_row = false;  // to ftrace_event
  uint64_t offset = 0;    // in the file
};
void state_switch(const SchedLine& at, const SwitchText& found, EventSink& sink);
// `name` is that of the event.
void state_waking(const SchedLine& at, std::string_view name, const WakingText& found,
                  EventSink& sink);
// What follows "sched_blocked_reason: ", without a row. False if it does not say of whom.
bool state_blocked(const SchedLine& at, std::string_view details, EventSink& sink);

}  // namespace tracebraid
