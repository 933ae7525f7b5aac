// Handlers of the events of kernel text, one file a topic (topics/). Input: a Line with the name of
// the event. Output: events in the sink of the Context. Called by the reader of systrace.
#pragma once

#include <span>
#include <string_view>

#include "kernel/text/context.h"

namespace tracebraid::kernel_text {

struct Handler {
  std::string_view name;  // of the event
  void (*handle)(const Line&, Context&);
};

std::span<const Handler> task_handlers();
std::span<const Handler> power_handlers();
std::span<const Handler> interrupt_handlers();
std::span<const Handler> memory_handlers();
std::span<const Handler> device_handlers();
std::span<const Handler> binder_handlers();

// Events of the scheduler. Each returns false if a field is missing or malformed; the line is only
// a row then.
bool read_switch(const Line& line, Context& context);
bool read_waking(const Line& line, Context& context);
// A switch or a waking in the form of tracers of wakeups.
bool read_task_change(const Line& line, Context& context);
bool read_blocked(const Line& line, Context& context);

// One system call, "sys_read(fd: 3)". Returns false for other events.
bool read_call(const Line& line, Context& context);

}  // namespace tracebraid::kernel_text
