// Events of the scheduler as the kernel and its tools print them (spec json 10.4), for all formats
// that contain such texts. Parsed without split_details, because most events are of the scheduler.
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
// for other texts.
bool parse_switch(std::string_view details, SwitchText& out);

struct WakingText {
  std::string_view comm;
  int64_t tid = 0;
  int32_t prio = 0, target_cpu = 0;
  int8_t success = -1;
};
// The same for sched_waking, sched_wakeup and sched_wakeup_new.
bool parse_waking(std::string_view details, WakingText& out);

// The form of tracers of wakeup latencies: "0:120:R ==> [003] 312:100:R bash" for a
// switch, '+' in place of the arrow for a wakeup of the latter task by the former; of trace-cmd
// "0:120:0  ==> 312:100:0 [003]" and "==+". The name of the former is missing.
struct TaskChange {
  bool is_switch = false;
  SwitchText tasks;
  int32_t cpu = 0;  // of the latter task
};
bool parse_task_change(std::string_view text, TaskChange& out);

// The place of an event in its file.
struct SchedLine {
  EventTime time;
  uint32_t cpu = 0;
  int64_t tid = 0;        // the writing thread
  bool adds_row = false;  // adds a row of ftrace_event
  uint64_t offset = 0;    // in the file
};
void emit_switch(const SchedLine& at, const SwitchText& found, EventSink& sink);
// `name` is the name of the event.
void emit_waking(const SchedLine& at, std::string_view name, const WakingText& found,
                 EventSink& sink);
// Emits the event of the text after "sched_blocked_reason: ", without a row. Returns false if the
// text has no pid.
bool emit_blocked(const SchedLine& at, std::string_view details, EventSink& sink);

}  // namespace tracebraid
