// Emits the events of lines of kernel text (spec json 10.4). An event that recordings of other
// formats have as well is emitted by name and fields, as they name the fields; what only text has
// is emitted as slices and counters.
#pragma once

#include <initializer_list>
#include <string_view>

#include "kernel/text/context.h"
#include "kernel/text/details.h"
#include "kernel/text/fields.h"

namespace tracebraid::kernel_text {

// Emits the event with its fields unchanged: a row of ftrace_event, and its meaning by its name.
void emit_event(const Line& line, Context& context);
// The same for an event without a handler, from its text alone (emit_text_event).
void emit_other_event(const Line& line, Context& context);
// Emits only the row, with the line's fields or the given arg set.
void emit_row(const Line& line, Context& context);
void emit_row(const Line& line, Context& context, uint32_t args);

// Emits the meaning of the event, without a row.
void emit_meaning(const Line& line, std::string_view name,
                  std::initializer_list<KernelField> fields, Context& context);

KernelDetails details_of(const Line& line);

// Tracks, and slices and counters at the time of the line.
uint32_t thread_track(const Line& line, Context& context);
// Returns a track with this name of type ftrace_<kind>, of a CPU or of the machine.
uint32_t cpu_track(uint32_t cpu, std::string_view kind, std::string_view name, Context& context);
uint32_t machine_track(std::string_view kind, std::string_view name, Context& context);
// A track of the machine with a lane for each cookie.
uint32_t lane_track(std::string_view kind, std::string_view name, uint64_t cookie,
                    Context& context);
void begin(const Line& line, uint32_t track, std::string_view name, Context& context,
           uint32_t args = kNone);
// Ends the innermost open slice, or the one named `name`.
void end(const Line& line, uint32_t track, std::string_view name, Context& context,
         uint32_t args = kNone);
void instant(const Line& line, uint32_t track, std::string_view name, Context& context,
             uint32_t args = kNone);
// A counter of the machine, distinguished by `dimension` unless it is not empty.
void count(const Line& line, const CounterKind& kind, std::string_view dimension, double value,
           Context& context);

}  // namespace tracebraid::kernel_text
